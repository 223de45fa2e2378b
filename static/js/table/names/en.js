/**
 * The words of the table in English, which every other language follows: plain text, no code.
 * `{braces}` hold what `names.js` fills in; what is counted has a text for one and for other
 * numbers.
 *
 * To add words: write them here; if they have braces, add their function to `wordsOf` in
 * `names.js`. Then `make words` (`python -m tools.catalogues`) asks for them in
 * `locale/<language>/LC_MESSAGES/django.po` and, translated there, writes them into the files
 * beside this one. These are never edited by hand.
 */
export const texts = {
  locale: "en",

  tile: "{rank} of {suit}",
  redTile: "{rank} of {suit} (red)",
  closedTile: "Closed tile",
  doraTile: "{tile}, dora",
  takenTile: "{tile}, called",
  /** @type {Record<string, string>} */
  ranks: { 1: "1", 2: "2", 3: "3", 4: "4", 5: "5", 6: "6", 7: "7", 8: "8", 9: "9" },
  /** @type {Record<string, string>} */
  suits: { m: "characters", p: "circles", s: "bamboo" },
  /** @type {Record<string, string>} */
  honours: {
    E: "East wind",
    S: "South wind",
    W: "West wind",
    N: "North wind",
    P: "White dragon",
    F: "Green dragon",
    C: "Red dragon",
  },
  /** @type {Record<string, string>} */
  winds: { E: "East", S: "South", W: "West", N: "North" },
  /** @type {Record<string, string>} a wind in one letter */
  windLetters: { E: "E", S: "S", W: "W", N: "N" },
  round: "{wind} {number}",

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

  /** @type {Record<string, string>} what a yakuman is called that counts so many times */
  yakumans: { 1: "Yakuman", 2: "Double yakuman", 3: "Triple yakuman" },
  yakumanTimes: "{times}-fold yakuman",

  /** @type {Record<string, string>} */
  draws: {
    exhaustive: "Exhaustive draw",
    nagashi_mangan: "Nagashi mangan",
    kyushu_kyuhai: "Nine terminals and honours",
    sufon_renda: "Four winds discarded",
    sucha_riichi: "Four riichi",
    sukaikan: "Four kans",
    sanchaho: "Three rons",
    chombo: "Chombo",
    abandoned: "Ended by the players",
  },

  /** @type {Record<string, string>} what a draw is, where its name does not say it */
  drawsMeaning: {
    nagashi_mangan: "Only terminals and honours were discarded, and none of them was called.",
    kyushu_kyuhai: "Nine or more kinds of terminals and honours on the first draw.",
    sufon_renda: "Everybody's first discard was the same wind.",
    sucha_riichi: "Everybody is in riichi.",
    sukaikan: "Four kans, and not all by the same player.",
    sanchaho: "Three players claimed the same tile to win.",
  },
  /** @type {Record<string, string>} what a chombo is for */
  fouls: { false_win: "declared a win without one", noten_riichi: "was in riichi without tenpai" },
  kinds: { one: "{count} kind", other: "{count} kinds" },
  countedTile: "{tile}, counted",

  /** @type {Record<string, string>} what fu are for; the tile stands beside it */
  fuParts: {
    base: "Base",
    closed_ron: "Ron with a closed hand",
    tsumo: "Self-draw",
    open_pinfu: "Open hand without other fu",
    seven_pairs: "Seven pairs",
    penchan: "Edge wait",
    kanchan: "Closed wait",
    tanki: "Single wait",
    pair: "Pair of honours",
    double_pair: "Pair of the double wind",
    closed_triplet: "Concealed triplet",
    open_triplet: "Open triplet",
    closed_kan: "Concealed kan",
    open_kan: "Open kan",
  },
  roundedUp: "{exact}, rounded up to {rounded} fu",
  total: "Total",
  /** @type {Record<string, string>} what a winner is paid for */
  flow: { hand: "Hand", honba: "Honba", sticks: "Riichi sticks" },
  paysTo: "pays {names}",
  pao: "Pao",

  basePoints: "Points",
  uma: "Uma",
  oka: "Oka",
  scoresOverHands: "Scores over the hands",
  asTable: "As a table",
  start: "Start",

  hints: "Help",
  waits: "Waits",
  noWaits: "Tenpai, but no such tile is left",
  unseen: "{tile}, {count} unseen",
  noYaku: "No yaku",
  noYakuRon: "No yaku on ron",
  toTenpai: { one: "{count} tile from tenpai", other: "{count} tiles from tenpai" },
  useful: { one: "{count} useful tile", other: "{count} useful tiles" },
  withRiichi: "with riichi",
  afterDiscard: "After {tile}",
  /** @type {Record<string, string>} why a hand is furiten */
  furitenReasons: {
    own_discard: "a tile you wait for is among your discards",
    temporary: "you let a win go by; until your next draw",
    riichi: "you let a win go by in riichi; for the rest of the hand",
  },
  barred: "Not to be discarded now",
  /** @type {Record<string, string>} why a tile may not be discarded after a call */
  barredReasons: {
    same_tile: "it is the tile just called",
    other_end: "it is the other end of the run just called",
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
    closed: "Nobody may watch this table.",
    missing: "There is no such table.",
  },
  trip: "{ms} ms",
  sending: "Your answer is on its way.",
  unsent: "Your answer is sent as soon as the connection is back.",
  missed: "The table has gone on without your answer.",
  windows: "This seat is open in another window too. Both work.",
  leaveTitle: "Leave the table?",
  leaveText: "Your seat stays yours: somebody plays for you until you come back, and the first page leads you here again.",
  stay: "Stay",

  happened: "What has happened",
  reader: "You",
  youDiscard: "You discard {tile}",
  youDraw: "You draw {tile}",
  youAre: "You are {wind}",
  newDora: "Dora indicator {tile}",
  yourPoints: "You have {points} points",
  secondsLeft: { one: "{count} second left", other: "{count} seconds left" },

  /** @type {Record<string, string>} what the server may answer, by its code */
  errors: {
    bad_json: "The server did not understand this page. Reload it.",
    bad_message: "The server did not understand this page. Reload it.",
    unknown_type: "The server did not understand this page. Reload it.",
    too_large: "The server did not understand this page. Reload it.",
    too_fast: "Too many messages.",
    illegal: "That is not possible now.",
    not_seated: "You are watching this table.",
    no_help: "This table is played without help.",
    frozen: "This table has been stopped because of a fault.",
    unavailable: "The server cannot do that just now.",
  },

  /** @type {Record<string, string>} why the rules do not allow something, by the engine's code */
  reasons: {
    not_running: "No hand is being played.",
    paused: "The game is paused.",
    left: "You have left this table, and a bot plays on.",
    not_asked: "It is not for you to answer now.",
    wall_used_up: "The wall is used up: show your tenpai hand or keep it closed.",
    hand_over: "The hand is over; all that is left is to confirm it.",
    own_turn: "It is your turn: discard, or declare something.",
    not_your_turn: "It is not your turn; the open tile can be taken or let go by.",
    not_in_hand: "That tile is not in your hand.",
    not_drawn: "That is not the tile you have drawn.",
    kuikae: "A tile that fits the set just called may not be discarded (kuikae).",
    in_riichi: "Riichi fixes the hand.",
    open_hand: "Riichi needs a closed hand.",
    no_points: "Riichi needs 1,000 points for the stick.",
    wall_low: "Too few tiles are left in the wall for riichi.",
    not_tenpai: "The hand is not tenpai after that discard.",
    no_such_set: "You do not hold the tiles for that set.",
    after_call: "After a call, discard before you declare a kan.",
    last_tile: "There are no calls and kans on the last tile.",
    four_kans: "There are four kans already.",
    being_robbed: "The tile of a kan can only be won on.",
    not_next: "Chi is only for the tile of the player before you.",
    cannot_call: "You may not call this tile.",
    not_complete: "The hand is not complete.",
    furiten: "The hand is furiten: it can only win by self-draw.",
    no_yaku: "The hand has no yaku.",
    rule_off: "Nine terminals and honours are not played at this table.",
    no_kyushu: "That takes nine kinds of terminals and honours on the first draw, before any call.",
  },

  /** @type {Record<string, string>} */
  lengths: { east: "East only", east_south: "East and South" },

  /** @type {Record<string, string>} */
  places: { 1: "1st", 2: "2nd", 3: "3rd", 4: "4th" },

  han: { one: "{count} han", other: "{count} han" },
  fu: { one: "{count} fu", other: "{count} fu" },
  left: { one: "{count} tile left", other: "{count} tiles left" },
  honba: { one: "{count} honba", other: "{count} honba" },
  sticks: { one: "{count} riichi stick", other: "{count} riichi sticks" },

  away: "away",
  bot: "bot",
  you: "you",
  dealer: "dealer",
  dora: "Dora",
  ura: "Ura",
  scores: "Scores",
  holdToCompare: "Hold or point here to see the differences to your score",
  furiten: "Furiten",
  tenpai: "Tenpai",
  noten: "Noten",
  watching: "Watching",
  turnTable: "Next seat",
  watchers: { one: "{count} watching", other: "{count} watching" },
  behind: { one: "{count} minute later", other: "{count} minutes later" },
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
  responsible: "{name} is responsible for this hand",
  ronFrom: "Ron from {name}",
  said: "{name}: {call}",
  discarded: "{name} discards {tile}",
  isAway: "{name} is away",
  isBack: "{name} is back",

  chooseTiles: "Choose the tiles to call with",
  showOrNot: "Show your tenpai hand, or keep it closed?",
  close: "Close",
  settingsTitle: "Settings",
  language: "Language",
  helpTitle: "Keys and gestures",

  automatics: "Automatic for this hand",
  /** @type {Record<string, string>} */
  autos: { sort: "Sort", win: "Win", no_calls: "No calls", tsumogiri: "Discard draws" },
  /** @type {Record<string, string>} */
  autosMeaning: {
    sort: "Keep the hand sorted. Off: arrange it by dragging.",
    win: "Win as soon as it is possible.",
    no_calls: "Let tiles go by that could be called. A win is still asked.",
    tsumogiri: "Discard what is drawn. Wins, riichi and kans are still asked.",
  },

  /** @type {Record<string, string>} parts of the settings sheet */
  settingParts: {
    acting: "Playing",
    autos: "Automatic at the start of each hand",
    hints: "Help",
    table: "Table",
    sound: "Sound",
  },
  /** @type {Record<string, string>} */
  settings: {
    discard_by: "Discard by",
    letter_keys: "Keys with letters and digits",
    auto_sort: "Sort the hand",
    auto_win: "Win",
    auto_no_calls: "No calls",
    auto_tsumogiri: "Discard what is drawn",
    hint_waits: "Waits, with the tiles left",
    hint_furiten: "Why the hand is furiten",
    hint_no_yaku: "Warn of a hand without yaku",
    hint_kuikae: "Why a tile cannot be discarded",
    hint_shanten: "Distance to tenpai and useful tiles",
    hint_score: "What the hand would score",
    tiles: "Tiles",
    dim_tsumogiri: "Dim tiles discarded as drawn",
    motion: "Animations",
    volume: "Volume",
    muted: "Mute",
    notify: "Notify me when it is my turn",
  },
  /** @type {Record<string, string>} */
  settingChoices: {
    auto: "One click, or two taps",
    click: "One click or tap",
    double: "Two clicks or taps",
    plain: "Plain",
    contrast: "High contrast",
    four_colour: "Four colours",
  },
  hintsNote: "A table can rule out help, as ranked games may.",

  pointerHelp:
    "Click a tile to discard it, or drag it onto the table; let it go over the hand to keep it.",
  /** @type {Record<string, string>} parts of the help sheet */
  keyGroups: { hand: "Hand", calls: "Calls", autos: "Automatic", sheets: "Sheets" },
  /** @type {Record<string, string>} what is written on keys that have a name */
  keyNames: { Home: "Home", End: "End", Enter: "Enter", Shift: "Shift", Esc: "Esc" },
  /** @type {Record<string, string>} what the keys do */
  keys: {
    along: "Along the hand or the calls",
    between: "From the hand to the calls and back",
    ends: "First and last tile",
    press: "Discard the tile, press the button",
    digits: "Upper row of keys: tile 1 to 13; the same key again discards it",
    drawn: "The drawn tile; again discards it",
    arrange: "Move the tile, if the hand is not sorted",
    win: "Tsumo, ron; show tenpai",
    riichi: "Riichi",
    chi: "Chi",
    pon: "Pon",
    kan: "Kan",
    kyushu: "Nine terminals",
    pass: "Pass; keep the hand closed",
    confirm: "Go on after a result",
    back: "Back; pass, if there is nothing to win",
    sort: "Sort the hand",
    auto_win: "Win",
    no_calls: "No calls",
    tsumogiri: "Discard what is drawn",
    settings: "Settings",
    help: "These keys",
  },
};

/** @typedef {typeof texts} Texts */
