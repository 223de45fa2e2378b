/**
 * Views, wins and draws for the gallery. They cover everything that can lie on a table and need
 * not be possible in one game.
 *
 * @import { Action, DrawnHand, Hand, Meld, View, Win } from "../table/types.js"
 */
import { emptyHand } from "../table/reduce.js";

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

/**
 * Yaku with their han: `riichi 1, tanyao 1`.
 * @param {string} text
 * @returns {[string, number][]}
 */
const yaku = (text) =>
  text.split(", ").map((part) => {
    const [id, han] = part.split(" ");
    return [id, Number(han)];
  });

/**
 * Parts of the fu, some with a tile: `base 20, tanki 2 9m`.
 * @param {string} text
 * @returns {[string, number, string | null][]}
 */
const fuParts = (text) =>
  text.split(", ").map((part) => {
    const [id, fu, pai = null] = part.split(" ");
    return [id, Number(fu), pai];
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
  hands: TURN.hands.map((hand, seat) => ({
    ...hand,
    tiles: seat === 0 ? ["7s"] : closed(1),
    melds: FOUR_MELDS,
    riichi: "accepted",
    furiten: seat === 0,
    river: river("N 9m 1s W 2p 8s 3m 9p* 1m 6s 1s 2s 3s 4s 5s 6s 7s 8s 9s 9s"),
  })),
};

/** Long rivers, and calls to choose from. @type {View} */
export const CROWDED = {
  ...CLAIMS,
  hands: CLAIMS.hands.map((hand) => ({
    ...hand,
    river: river("N 9m 1s W 2p 8s 3m 9p* 1m 6s 1s 2s 3s 4s 5s 6s 7s 8s 9s 9s 4p 4p"),
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
  yaku: yaku("riichi 1, ippatsu 1, tanyao 1, sanshoku 2, dora 1, aka 3, ura 2"),
  fan: 11,
  fu: 40,
  yakuman: 0,
  limit: "sanbaiman",
  points: 24000,
  liable: -1,
  deltas: [25600, 0, -24600, 0],
  scores: [50600, 31300, -6900, 25000],
  fu_parts: fuParts("base 20, closed_ron 10, kanchan 2 4s"),
};

/** @type {Win} */
const TSUMO = {
  ...RON,
  target: 0,
  pai: "9m",
  tehai: tiles("9m"),
  uradora_markers: [],
  yaku: yaku("toitoi 2, round_wind 1"),
  fan: 3,
  fu: 70,
  limit: "mangan",
  points: 8000,
  deltas: [9600, -2200, -4200, -2200],
  fu_parts: fuParts("base 20, tanki 2 9m, open_triplet 4 E, open_kan 16 9s, open_kan 16 1p, tsumo 2"),
};

/** The seat that let the third dragon be called is liable. @type {Win} */
const YAKUMAN = {
  ...RON,
  actor: 1,
  pai: "9p",
  tehai: tiles("2m 3m 4m 9p"),
  uradora_markers: [],
  yaku: yaku("daisangen 1"),
  fan: 0,
  fu: 0,
  yakuman: 1,
  limit: "yakuman",
  points: 32000,
  liable: 3,
  deltas: [0, 33600, -16000, -16600],
  fu_parts: [],
};

/** Kans and a liable seat: as wide as a hand can be. @type {Win} */
const KANS = {
  ...RON,
  actor: 3,
  target: 1,
  pai: "5s",
  tehai: tiles("5sr"),
  uradora_markers: [],
  yaku: yaku("suukantsu 1, daisangen 1"),
  fan: 0,
  fu: 0,
  yakuman: 2,
  limit: "yakuman",
  points: 64000,
  liable: 0,
  deltas: [-32600, -32000, 0, 65600],
  fu_parts: [],
};

/** Three of the ura indicators make tiles of the hand ura dora. @type {Win} */
const URA = {
  ...RON,
  actor: 2,
  target: 2,
  pai: "3m",
  tehai: tiles("1m 2m 7m 8m 9m 1p 1p 1p 7p 8p 9p N N"),
  uradora_markers: ["9p", "6m", "W"],
  yaku: yaku("riichi 1, tsumo 1, chanta 2, ura 6"),
  fan: 10,
  fu: 40,
  limit: "baiman",
  points: 24000,
  deltas: [-8200, -8200, 25600, -8200],
  fu_parts: fuParts("base 20, penchan 2 3m, closed_triplet 8 1p, tsumo 2"),
};

/** The second of two who win on one tile: no counters and no sticks. @type {Win} */
const SECOND = {
  ...RON,
  actor: 1,
  tehai: tiles("2s 3s 3p 3p 6p 7p 8p"),
  uradora_markers: [],
  yaku: yaku("tanyao 1"),
  fan: 1,
  fu: 30,
  limit: "",
  points: 1000,
  deltas: [0, 1000, -1000, 0],
  scores: [50600, 32300, -7900, 25000],
  fu_parts: fuParts("base 20, open_pinfu 2"),
};

/** @type {Win} */
const HANEMAN = {
  ...RON,
  uradora_markers: ["E"],
  yaku: yaku("riichi 1, ippatsu 1, tanyao 1, aka 3"),
  fan: 6,
  limit: "haneman",
  points: 12000,
  deltas: [13600, 0, -12600, 0],
  scores: [38600, 31300, 5100, 25000],
};

const SINGLE_WAIT = tiles("2m 3m 4m 6m 7m 8m 2p 3p 4p 6s 7s 8s E");
const THREE_SIDED = tiles("1m 1m 1m 3s 4s 5s 9s 9s 2p 3p 4p 5p 6p");

/** @param {Partial<DrawnHand>} change @returns {DrawnHand} */
const draw = (change) => ({
  type: "ryukyoku",
  reason: "exhaustive",
  tehais: [SINGLE_WAIT, [], THREE_SIDED, tiles("2m 3m 4m 5m")],
  tenpais: [true, false, true, true],
  deltas: [1000, -3000, 1000, 1000],
  scores: [26000, 28300, 18700, 26000],
  actor: -1,
  nagashi: [],
  foul: "",
  offenders: [],
  waits: [["E"], [], ["1p", "4p", "7p"], ["2m", "5m"]],
  ...change,
});

const NO_DELTAS = { deltas: [0, 0, 0, 0], scores: TURN.scores, tenpais: [false, false, false, false] };
const FOUR_HANDS = [
  SINGLE_WAIT,
  tiles("1m 2m 3m 7m 8m 9m 2p 3p 4p E E 6s 7s"),
  tiles("2m 2m 4m 4m 6m 6m 8m 8m 3p 3p 5p 5p C"),
  tiles("1s 1s 1s 3s 4s 5s 9p 9p 9p N N P P"),
];

/** @type {Record<string, import("../table/types.js").Result[]>} */
export const RESULTS = {
  small: [{ ...SECOND, scores: [25000, 32300, 16700, 25000] }],
  haneman: [HANEMAN],
  ron: [RON],
  two: [RON, SECOND],
  tsumo: [TSUMO],
  ura: [URA],
  yakuman: [YAKUMAN],
  four_kans: [KANS],
  exhaustive: [draw({})],
  nobody: [draw({ tehais: [[], [], [], []], ...NO_DELTAS })],
  nagashi: [
    draw({
      reason: "nagashi_mangan",
      nagashi: [1],
      tehais: [[], [], THREE_SIDED, []],
      tenpais: [false, false, true, false],
      deltas: [-2000, 8000, -4000, -2000],
    }),
  ],
  kyushu: [
    draw({
      reason: "kyushu_kyuhai",
      actor: 0,
      tehais: [tiles("1m 9m 9m 3p 9p 1s 5sr 9s E S S N P C"), [], [], []],
      ...NO_DELTAS,
    }),
  ],
  sufon_renda: [draw({ reason: "sufon_renda", tehais: [[], [], [], []], ...NO_DELTAS })],
  sucha_riichi: [draw({ reason: "sucha_riichi", tehais: FOUR_HANDS, ...NO_DELTAS })],
  sukaikan: [draw({ reason: "sukaikan", tehais: [[], [], [], []], ...NO_DELTAS })],
  sanchaho: [draw({ reason: "sanchaho", tehais: [...FOUR_HANDS.slice(0, 3), []], ...NO_DELTAS })],
  chombo: [
    draw({
      reason: "chombo",
      foul: "false_win",
      offenders: [2],
      tehais: [[], [], THREE_SIDED, []],
      tenpais: [false, false, false, false],
      deltas: [4000, 4000, -12000, 4000],
    }),
  ],
};

const KAN_MELDS = [
  meld("kakan", "P P P P", "P", 2, "P"),
  meld("daiminkan", "F F F F", "F", 0),
  meld("daiminkan", "C C C C", "C", 0),
  meld("ankan", "9m 9m 9m 9m", null, 3),
];

/**
 * Seats whose hands differ from `TURN` in some of the results.
 * @type {Record<string, Record<number, Partial<Hand>>>}
 */
const OPEN_HANDS = {
  small: { 1: { melds: [meld("chi", "5m 6m 7m", "5m", 0), meld("chi", "2s 3s 4s", "2s", 0)] } },
  two: { 1: { melds: [meld("chi", "5m 6m 7m", "5m", 0), meld("chi", "2s 3s 4s", "2s", 0)] } },
  tsumo: { 0: { tiles: ["9m"], melds: FOUR_MELDS } },
  ura: { 2: { melds: [] } },
  yakuman: {
    1: { melds: [meld("pon", "P P P", "P", 0), meld("pon", "F F F", "F", 2), meld("pon", "C C C", "C", 3)] },
  },
  four_kans: { 3: { melds: KAN_MELDS } },
  nagashi: { 1: { river: river("9m 1p 9s N W E 1m 1s 9p P C N 1m 9p F S 1s") } },
  sufon_renda: {
    0: { river: river("W") },
    1: { river: river("W") },
    2: { river: river("W") },
    3: { river: river("W") },
  },
  sucha_riichi: { 0: { melds: [] }, 1: { melds: [] }, 2: { melds: [] }, 3: { melds: [] } },
  sukaikan: { 0: { melds: FOUR_MELDS }, 3: { melds: KAN_MELDS.slice(2) } },
  sanchaho: { 0: { melds: [] }, 1: { melds: [] }, 2: { melds: [] } },
};

/** @param {string} name of one of the results @returns {View} */
export function resultView(name) {
  const results = RESULTS[name];
  const hands = TURN.hands.map((hand, seat) => ({ ...hand, ...OPEN_HANDS[name]?.[seat] }));
  const before = hands.map(({ riichi }, seat) => {
    const change = results.reduce((sum, { deltas }) => sum + deltas[seat], 0);
    return results[results.length - 1].scores[seat] - change + (riichi === "accepted" ? 1000 : 0);
  });
  const { bakaze, kyoku, honba } = TURN;
  return { ...TURN, phase: "result", drawn: null, results, hands, history: [[bakaze, kyoku, honba, before]] };
}

/** @type {View} */
export const ENDED = {
  ...TURN,
  phase: "ended",
  drawn: null,
  scores: [25000, 31300, 17700, 26000],
  placement: [
    [3, -15],
    [1, 41],
    [4, -32],
    [2, 6],
  ],
  history: [
    ["E", 1, 0, [25000, 25000, 25000, 25000]],
    ["E", 2, 0, [33000, 21000, 24000, 22000]],
    ["E", 3, 0, [32000, 20000, 28000, 20000]],
    ["E", 3, 1, [30000, 16100, 35900, 18000]],
    ["E", 4, 0, [29000, 28100, 25900, 17000]],
    ["S", 1, 0, [24800, 26000, 23800, 25400]],
    ["S", 1, 1, [36800, 22000, 19800, 21400]],
    ["S", 2, 0, [36800, 30300, 11500, 21400]],
    ["S", 3, 0, [35500, 34200, 10200, 20100]],
    ["S", 4, 0, [34500, 33200, 9200, 23100]],
  ],
  bonus: [
    [-10, 0],
    [20, 20],
    [-20, 0],
    [10, 0],
  ],
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
    ...RON,
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
