/**
 * The words of the table in English. Another language is another file with the same
 * shape; a missing word falls back to this one.
 */

const SUITS = { m: "characters", p: "circles", s: "bamboo" };
const HONOURS = {
  E: "East wind",
  S: "South wind",
  W: "West wind",
  N: "North wind",
  P: "White dragon",
  F: "Green dragon",
  C: "Red dragon",
};

export const en = {
  locale: "en",

  /** @param {string} pai */
  tile(pai) {
    if (pai === "?") return "Closed tile";
    if (pai in HONOURS) return HONOURS[/** @type {keyof typeof HONOURS} */ (pai)];
    const suit = SUITS[/** @type {keyof typeof SUITS} */ (pai[1])];
    return `${pai[0]} of ${suit}${pai.endsWith("r") ? " (red)" : ""}`;
  },

  /** @type {Record<string, string>} */
  winds: { E: "East", S: "South", W: "West", N: "North" },

  /** @param {string} wind @param {number} kyoku */
  round: (wind, kyoku) => `${en.winds[wind]} ${kyoku}`,

  /** @type {Record<string, string>} */
  yaku: {
    riichi: "Riichi",
    daburu: "Double riichi",
    ippatsu: "Ippatsu",
    tsumo: "Fully concealed hand",
    pinfu: "Pinfu",
    tanyao: "All simples",
    iipeikou: "Pure double sequence",
    haku: "White dragon",
    hatsu: "Green dragon",
    chun: "Red dragon",
    seat_wind: "Seat wind",
    round_wind: "Round wind",
    haitei: "Under the sea",
    houtei: "Under the river",
    rinshan: "After a kan",
    chankan: "Robbing a kan",
    sanshoku: "Mixed triple sequence",
    ittsuu: "Pure straight",
    chanta: "Half outside hand",
    chiitoi: "Seven pairs",
    doukou: "Triple triplets",
    sanankou: "Three concealed triplets",
    sankantsu: "Three kans",
    toitoi: "All triplets",
    shousangen: "Little three dragons",
    honroutou: "All terminals and honours",
    ryanpeikou: "Twice pure double sequence",
    junchan: "Fully outside hand",
    honitsu: "Half flush",
    chinitsu: "Full flush",
    dora: "Dora",
    ura: "Ura dora",
    aka: "Red fives",
    kokushi: "Thirteen orphans",
    kokushi_13: "Thirteen-wait thirteen orphans",
    chuuren: "Nine gates",
    junsei_chuuren: "True nine gates",
    tenhou: "Blessing of heaven",
    chiihou: "Blessing of earth",
    renhou: "Blessing of man",
    suuankou: "Four concealed triplets",
    suuankou_tanki: "Single-wait four concealed triplets",
    daisangen: "Big three dragons",
    shousuushi: "Little four winds",
    daisuushi: "Big four winds",
    tsuuiisou: "All honours",
    chinroutou: "All terminals",
    ryuuiisou: "All green",
    suukantsu: "Four kans",
  },

  /** @type {Record<string, string>} */
  limits: {
    mangan: "Mangan",
    haneman: "Haneman",
    baiman: "Baiman",
    sanbaiman: "Sanbaiman",
    kazoe_yakuman: "Counted yakuman",
    yakuman: "Yakuman",
  },

  /** @param {number} times */
  yakumanTimes: (times) => ["", "Yakuman", "Double yakuman", "Triple yakuman"][times] ??
    `${times}-fold yakuman`,

  /** @type {Record<string, string>} */
  draws: {
    exhaustive: "Exhaustive draw",
    nagashi_mangan: "Nagashi mangan",
    kyushu_kyuhai: "Nine terminals and honours",
    sufon_renda: "Four winds discarded",
    sucha_riichi: "Four riichi",
    sukaikan: "Four kans",
    sanchaho: "Three rons",
  },

  /** @type {Record<string, string>} what is called out, and what the buttons say */
  calls: {
    chi: "Chi",
    pon: "Pon",
    daiminkan: "Kan",
    ankan: "Kan",
    kakan: "Kan",
    reach: "Riichi",
    tsumo: "Tsumo",
    ron: "Ron",
    ryukyoku: "Nine terminals",
    tenpai: "Show tenpai",
    none: "Pass",
    closed: "Keep closed",
    confirm: "OK",
    cancel: "Cancel",
  },

  /** @type {Record<string, string>} */
  status: {
    connecting: "Connecting",
    online: "Connected",
    offline: "Connection lost. Trying again.",
    refused: "The server has closed this connection. Reload the page.",
    missing: "There is no such table.",
  },

  /** @type {Record<string, string>} */
  errors: {
    illegal: "That is not possible now.",
    not_seated: "You are watching this table.",
    frozen: "This table has been stopped because of a fault.",
    unavailable: "The server cannot do that just now.",
    too_fast: "Too many messages.",
  },

  /** @type {Record<string, string>} */
  lengths: { east: "East only", east_south: "East and South" },

  /** @param {number} place */
  place: (place) => ["1st", "2nd", "3rd", "4th"][place - 1],

  /** @param {number} han */
  han: (han) => `${han} han`,
  /** @param {number} fu */
  fu: (fu) => `${fu} fu`,
  /** @param {number} points */
  points: (points) => points.toLocaleString("en").replace("-", "\u2212"),
  /** @param {number} delta */
  delta: (delta) =>
    delta === 0 ? "" : `${delta > 0 ? "+" : "\u2212"}${Math.abs(delta).toLocaleString("en")}`,
  /** @param {number} score thousands with uma */
  final: (score) => `${score > 0 ? "+" : score < 0 ? "\u2212" : ""}${Math.abs(score).toFixed(1)}`,

  away: "away",
  bot: "bot",
  you: "you",
  dealer: "dealer",
  dora: "Dora",
  ura: "Ura",
  left: "tiles left",
  honba: "honba",
  sticks: "riichi sticks",
  furiten: "Furiten",
  tenpai: "Tenpai",
  noten: "Noten",
  watching: "Watching",
  turnTable: "Next seat",
  home: "Leave the table",
  backHome: "First page",
  playAgain: "Play again",
  watchAnother: "Watch another game",
  wholeGame: "All hands",
  finalRanking: "Final ranking",
  showResult: "Last hand",
  nextWin: "Next win",
  chooseRiichi: "Choose your riichi discard",
  yourTurn: "Your turn",
  yourChoice: "Your choice",
  waiting: "Waiting for the others",
  dealing: "The tiles are being dealt",
  /** @param {string} name */
  responsible: (name) => `${name} is responsible for this hand`,
  /** @param {string} name */
  ronFrom: (name) => `Ron from ${name}`,
  /** @param {string} name @param {string} call */
  said: (name, call) => `${name}: ${call}`,
  /** @param {string} name @param {string} pai */
  discarded: (name, pai) => `${name} discards ${en.tile(pai)}`,
  /** @param {string} name */
  isAway: (name) => `${name} is away`,
  /** @param {string} name */
  isBack: (name) => `${name} is back`,
};

/** @typedef {typeof en} Words */
