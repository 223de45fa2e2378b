/**
 * Views, wins and draws to look at without a server. They are made up and need not be
 * possible in one game; what matters is that each thing that can lie on a table is in here.
 *
 * @typedef {import("../table/types.js").View} View
 * @typedef {import("../table/types.js").Hand} Hand
 * @typedef {import("../table/types.js").Meld} Meld
 * @typedef {import("../table/types.js").Win} Win
 * @typedef {import("../table/types.js").DrawnHand} DrawnHand
 * @typedef {import("../table/types.js").Action} Action
 */

/** @param {string} text */
const tiles = (text) => (text === "" ? [] : text.split(" "));

/** @param {number} count */
const closed = (count) => Array.from({ length: count }, () => "?");

/**
 * @param {Meld["type"]} type
 * @param {string} text
 * @param {string | null} called
 * @param {number} target
 * @param {string | null} [added]
 * @returns {Meld}
 */
const meld = (type, text, called, target, added = null) => ({
  type,
  tiles: tiles(text),
  called,
  target,
  added,
});

/** A river: `*` lays a tile sideways, `x` says that it was claimed. @param {string} text */
export const river = (text) =>
  tiles(text).map((word, at) => ({
    pai: word.replace(/[*x]+$/, ""),
    tsumogiri: at % 3 === 2,
    riichi: word.includes("*"),
    taken: word.endsWith("x"),
  }));

/** @param {Partial<Hand>} change @returns {Hand} */
const hand = (change) => ({
  tiles: [],
  melds: [],
  river: [],
  riichi: "none",
  double_riichi: false,
  ippatsu: false,
  furiten: false,
  shown: false,
  ...change,
});

const OWN = tiles("2m 3m 4m 5m 5mr 1p 5pr 8p 3s 5sr E P C");

/** Each kind of meld, from each seat it can come from, for the owner in seat 0. */
export const MELDS = [
  meld("chi", "3m 4m 5mr", "3m", 3),
  meld("chi", "3m 4m 5mr", "4m", 3),
  meld("pon", "E E E", "E", 3),
  meld("pon", "E E E", "E", 2),
  meld("pon", "E E E", "E", 1),
  meld("daiminkan", "9s 9s 9s 9s", "9s", 3),
  meld("daiminkan", "9s 9s 9s 9s", "9s", 2),
  meld("daiminkan", "9s 9s 9s 9s", "9s", 1),
  meld("kakan", "5p 5p 5p 5pr", "5pr", 3, "5p"),
  meld("kakan", "5p 5p 5p 5pr", "5p", 2, "5pr"),
  meld("kakan", "5p 5p 5p 5pr", "5p", 1, "5p"),
  meld("ankan", "5s 5s 5s 5sr", null, 0),
];

export const RIVERS = [
  river("N 9m 1s W 2p 8s 3m"),
  river("N 9m 1s W 2p* 8s 3m 9p 1m"),
  river("N 9m 1s W 2p*x 8s* 3m 9p 1mx 6s"),
  river("9m 9p 1p S 5m 3s 4s 7p 7p 1m 9s 3m 4p 6s 7s 8s P P F F C"),
];

/** @type {View} */
export const TURN = {
  rules: { name: "tenhou", length: "east_south" },
  names: ["Anna-Katharina", "Bot East", "Bot South", "Bot West"],
  bots: [false, true, true, true],
  away: [false, false, true, false],
  phase: "turn",
  bakaze: "E",
  kyoku: 3,
  honba: 2,
  kyotaku: 1,
  oya: 2,
  scores: [25000, 31300, 17700, 25000],
  left: 23,
  dora: ["3p", "E"],
  turn: 0,
  drawn: "7s",
  claimed: null,
  robbing: false,
  results: [],
  placement: [],
  history: [],
  bonus: [],
  hands: [
    hand({ tiles: OWN, river: river("N 9m 1s W 2p 8s 3m 9p 1m 6s") }),
    hand({
      tiles: closed(10),
      melds: [meld("pon", "E E E", "E", 0)],
      river: RIVERS[3],
    }),
    hand({ tiles: closed(13), river: river("1m 9p N W 2p* 3s 4s 6m 8m"), riichi: "accepted" }),
    hand({
      tiles: closed(4),
      melds: [
        meld("chi", "3m 4m 5m", "4m", 2),
        meld("ankan", "5p 5p 5p 5pr", null, 3),
        meld("kakan", "9s 9s 9s 9s", "9s", 1, "9s"),
      ],
      river: river("C P N 9p 8p 2mx 3s 4s 6m 8m 2m 7m 4p"),
    }),
  ],
};

/** @type {Action[]} */
export const DISCARDS = [
  ...OWN.map((pai) => ({ type: "dahai", pai, tsumogiri: false })),
  { type: "dahai", pai: "7s", tsumogiri: true },
];

/** @type {Action[]} */
export const TURN_LEGAL = [
  ...DISCARDS,
  { type: "reach", pai: "5mr", tsumogiri: false },
  { type: "reach", pai: "7s", tsumogiri: true },
  { type: "hora" },
];

/** @type {View} */
export const CLAIMS = {
  ...TURN,
  phase: "claims",
  turn: 3,
  drawn: null,
  claimed: "4p",
  hands: TURN.hands.map((one, seat) =>
    seat === 0
      ? { ...one, tiles: tiles("2p 3p 4p 4p 5p 5pr 6p 8p 3s 5sr E P C"), furiten: true }
      : one,
  ),
};

/** @type {Action[]} */
export const CLAIMS_LEGAL = [
  { type: "chi", consumed: ["2p", "3p"] },
  { type: "chi", consumed: ["3p", "5p"] },
  { type: "chi", consumed: ["3p", "5pr"] },
  { type: "chi", consumed: ["5p", "6p"] },
  { type: "pon", consumed: ["4p", "4p"] },
  { type: "daiminkan", consumed: ["4p", "4p", "4p"] },
  { type: "hora" },
  { type: "none" },
];

/** Few enough ways to call that each has its button. @type {Action[]} */
export const CHIS_LEGAL = [
  { type: "chi", consumed: ["2p", "3p"] },
  { type: "chi", consumed: ["3p", "5p"] },
  { type: "chi", consumed: ["3p", "5pr"] },
  { type: "none" },
];

/** @type {Action[]} */
export const KANS_LEGAL = [
  ...DISCARDS,
  { type: "ankan", consumed: ["E", "E", "E", "E"] },
  { type: "ankan", consumed: ["5s", "5s", "5s", "5sr"] },
  { type: "kakan", pai: "P" },
  { type: "ryukyoku" },
];

/** The wall is used up. @type {View} */
export const SHOWING = { ...TURN, phase: "showing", left: 0, turn: 3, drawn: null };

/** @type {Action[]} */
export const SHOWING_LEGAL = [{ type: "tenpai" }, { type: "none" }];

const FOUR_MELDS = [
  meld("pon", "E E E", "E", 1),
  meld("daiminkan", "9s 9s 9s 9s", "9s", 3),
  meld("chi", "3m 4m 5mr", "3m", 3),
  meld("kakan", "1p 1p 1p 1p", "1p", 2, "1p"),
];

/** As full as a table can get. @type {View} */
export const FULL = {
  ...TURN,
  away: [true, true, true, true],
  dora: ["3p", "E", "9s", "5mr", "C"],
  honba: 12,
  kyotaku: 4,
  hands: TURN.hands.map((one, seat) => ({
    ...one,
    tiles: seat === 0 ? ["7s"] : closed(1),
    melds: FOUR_MELDS,
    riichi: "accepted",
    furiten: seat === 0,
    river: river("N 9m 1s W 2p 8s 3m 9p* 1m 6s 1s 2s 3s 4s 5s 6s 7s 8s 9s 9s"),
  })),
};

/** @type {Action[]} */
export const FULL_LEGAL = [
  { type: "dahai", pai: "7s", tsumogiri: false },
  { type: "dahai", pai: "7s", tsumogiri: true },
  { type: "ankan", consumed: ["E", "E", "E", "E"] },
];

/** @type {Win} */
const RON = {
  type: "hora",
  actor: 0,
  target: 2,
  pai: "4s",
  tehai: tiles("2m 3m 4m 5mr 6m 7m 3p 4p 5pr 6p 6p 3s 5sr"),
  uradora_markers: ["5p", "2s"],
  yaku: [
    ["riichi", 1],
    ["ippatsu", 1],
    ["tanyao", 1],
    ["sanshoku", 2],
    ["dora", 1],
    ["aka", 3],
    ["ura", 2],
  ],
  fan: 11,
  fu: 40,
  yakuman: 0,
  limit: "sanbaiman",
  points: 24000,
  liable: -1,
  deltas: [25600, 0, -24600, 0],
  scores: [50600, 31300, -6900, 25000],
  fu_parts: [
    ["base", 20, null],
    ["closed_ron", 10, null],
    ["kanchan", 2, "4s"],
  ],
};

/** @type {Win} */
const TSUMO = {
  ...RON,
  target: 0,
  pai: "9m",
  tehai: tiles("9m"),
  uradora_markers: [],
  yaku: [
    ["toitoi", 2],
    ["round_wind", 1],
  ],
  fan: 3,
  fu: 70,
  limit: "mangan",
  points: 8000,
  deltas: [8900, -2300, -4300, -2300],
};

/** @type {Win} */
const YAKUMAN = {
  ...RON,
  actor: 1,
  pai: "E",
  tehai: tiles("1m 9m 1p 9p 1s 9s E S W N P F C"),
  uradora_markers: [],
  yaku: [["kokushi", 1]],
  fan: 0,
  fu: 0,
  yakuman: 1,
  limit: "yakuman",
  points: 32000,
  liable: 3,
  deltas: [0, 32600, -16600, -16000],
};

/** @param {Partial<DrawnHand>} change @returns {DrawnHand} */
const draw = (change) => ({
  type: "ryukyoku",
  reason: "exhaustive",
  tehais: [OWN, [], OWN, tiles("2m 3m 4m 5m")],
  tenpais: [true, false, true, true],
  deltas: [1000, -3000, 1000, 1000],
  scores: [26000, 28300, 18700, 26000],
  actor: -1,
  nagashi: [],
  ...change,
});

const NO_DELTAS = { deltas: [0, 0, 0, 0], scores: TURN.scores, tenpais: [false, false, false, false] };
const ABORTS = ["sufon_renda", "sucha_riichi", "sukaikan", "sanchaho"];

/** @type {Record<string, import("../table/types.js").Result[]>} */
export const RESULTS = {
  ron: [RON],
  tsumo: [TSUMO],
  yakuman: [YAKUMAN],
  exhaustive: [draw({})],
  nagashi: [draw({ reason: "nagashi_mangan", nagashi: [1], tehais: [[], [], OWN, []] })],
  kyushu: [draw({ reason: "kyushu_kyuhai", actor: 0, tehais: [OWN, [], [], []], ...NO_DELTAS })],
  ...Object.fromEntries(
    ABORTS.map((reason) => [reason, [draw({ reason, tehais: [[], [], [], []], ...NO_DELTAS })]]),
  ),
};

/** @param {string} name of one of the results @returns {View} */
export const resultView = (name) => ({
  ...TURN,
  phase: "result",
  drawn: null,
  results: RESULTS[name],
  hands: TURN.hands.map((one, seat) => {
    if (seat === 0 && name === "tsumo") return { ...one, tiles: ["9m"], melds: FOUR_MELDS };
    return seat === 1 && name === "yakuman" ? { ...one, melds: [] } : one;
  }),
});

/** @type {View} */
export const ENDED = {
  ...TURN,
  phase: "ended",
  drawn: null,
  placement: [
    [2, 5],
    [1, 61.3],
    [4, -51.3],
    [3, -15],
  ],
};

/** What a watcher sees. @type {View} */
export const WATCHED = {
  ...TURN,
  drawn: "?",
  hands: TURN.hands.map((one) => ({ ...one, tiles: closed(one.tiles.length) })),
};
