/**
 * Views for the gallery. The ends of hands are in `positions.js`, as the engine has reached them; those
 * here offer what the tests of input press.
 *
 * @import { Action, Hand, Meld, View, Win } from "../table/types.js"
 */
import { emptyHand } from "../table/reduce.js";
import { RESULTS } from "./positions.js";

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
const hand = (change) => ({ ...emptyHand(), ...change });

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
  names: ["Anna-Katharina", "Aki", "Fuyu", "Haru"],
  bots: [false, true, true, true],
  avatars: ["5mr-blue", "", "", ""],
  levels: ["", "sensible", "sensible", "sensible"],
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

/** Two tiles fit the set just called. @type {Action[]} */
export const AFTER_CALL = DISCARDS.filter(({ pai }) => pai !== "2m" && pai !== "5mr");

/** @type {Action[]} */
export const TURN_LEGAL = [
  ...DISCARDS,
  { type: "reach", pai: "5mr", tsumogiri: false },
  { type: "reach", pai: "7s", tsumogiri: true },
  { type: "hora" },
];

/** A discard that the reader may call or win on. @type {View} */
export const CLAIMS = {
  ...TURN,
  phase: "claims",
  turn: 3,
  drawn: null,
  claimed: "4p",
  hands: TURN.hands.map((hand, seat) =>
    seat === 0 ? { ...hand, tiles: tiles("2p 3p 4p 4p 5p 5pr 6p 8p 3s 5sr E P C"), furiten: true } : hand,
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
  hands: TURN.hands.map((hand, seat) => ({
    ...hand,
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

/** Long rivers, and calls to choose from. @type {View} */
export const CROWDED = {
  ...CLAIMS,
  hands: CLAIMS.hands.map((hand) => ({
    ...hand,
    river: river("N 9m 1s W 2p 8s 3m 9p* 1m 6s 1s 2s 3s 4s 5s 6s 7s 8s 9s 9s 4p 4p"),
  })),
};

/** The view of a spectator. @type {View} */
export const WATCHED = {
  ...TURN,
  drawn: "?",
  hands: TURN.hands.map((hand) => ({ ...hand, tiles: closed(hand.tiles.length) })),
};

/** Events that follow `TURN`. @type {import("../table/types.js").TableEvent[]} */
export const EVENTS = [
  { type: "dahai", actor: 0, pai: "E", tsumogiri: false },
  { type: "tsumo", actor: 1, pai: "?", rinshan: false },
  { type: "dahai", actor: 1, pai: "5m", tsumogiri: false },
  { type: "pon", actor: 0, target: 1, pai: "5m", consumed: ["5m", "5mr"] },
  { type: "dahai", actor: 0, pai: "C", tsumogiri: false },
  { type: "tsumo", actor: 1, pai: "?", rinshan: false },
  { type: "reach", actor: 1, double: false },
  { type: "dahai", actor: 1, pai: "9m", tsumogiri: true },
  { type: "reach_accepted", actor: 1 },
  { type: "tsumo", actor: 2, pai: "?", rinshan: false },
  { type: "ankan", actor: 2, consumed: ["N", "N", "N", "N"] },
  { type: "dora", dora_marker: "6m" },
  { type: "tsumo", actor: 2, pai: "?", rinshan: true },
  { type: "dahai", actor: 2, pai: "2m", tsumogiri: true },
  {
    .../** @type {Win} */ (RESULTS.ron.view.results[0]),
    actor: 3,
    target: 2,
    pai: "2m",
    tehai: ["1m", "3m", "7s", "7s"],
    deltas: [0, 0, -24600, 25600],
    scores: [25000, 30300, -6900, 50600],
  },
];

/** A wall that four pages have fixed. @type {import("../wall/state.js").Wall} */
export const WALL = {
  draw: 1,
  state: "fixed",
  seats: [0, 1, 2, 3],
  commitments: ["5e", "a1", "07", "c9"].map((byte) => byte.repeat(32)),
  binding: "8b".repeat(32),
  contributions: ["33", "d4", "6f", "12"].map((byte) => byte.repeat(32)),
  void: 0,
  left_out: [],
  previous: "",
  terms: "4e".repeat(32),
  secret_hash: "b7".repeat(32),
  key: "6c".repeat(32),
  signature: "f1".repeat(64),
};
