/**
 * The keys of the table, for the keyboard and for the help sheet. Letters of calls are in
 * `offer.js`.
 *
 * @typedef {object} KeyLine
 * @property {string} id of its text in `keys` of the names
 * @property {string[]} keys as they are written on the key
 * @property {boolean} [letter] can be switched off, for readers who dictate to the browser
 */

/** The keys of the upper row by their places; each stands for a tile. */
const UPPER_ROW = [
  ...["1", "2", "3", "4", "5", "6", "7", "8", "9", "0"].map((digit) => `Digit${digit}`),
  "Minus",
  "Equal",
  "Backspace",
];

/** @type {readonly {title: string, lines: KeyLine[]}[]} */
export const KEY_GROUPS = [
  {
    title: "hand",
    lines: [
      { id: "along", keys: ["\u2190", "\u2192"] },
      { id: "between", keys: ["\u2191", "\u2193"] },
      { id: "ends", keys: ["Home", "End"] },
      { id: "press", keys: ["Enter"] },
      { id: "digits", keys: ["1", "2", "\u2026", "0", "-", "=", "\u232b"], letter: true },
      { id: "drawn", keys: ["D"], letter: true },
      { id: "arrange", keys: ["Shift", "\u2190", "\u2192"] },
    ],
  },
  {
    title: "calls",
    lines: [
      { id: "win", keys: ["T"], letter: true },
      { id: "riichi", keys: ["R"], letter: true },
      { id: "chi", keys: ["C"], letter: true },
      { id: "pon", keys: ["P"], letter: true },
      { id: "kan", keys: ["K"], letter: true },
      { id: "kita", keys: ["B"], letter: true },
      { id: "kyushu", keys: ["Y"], letter: true },
      { id: "pass", keys: ["N"], letter: true },
      { id: "confirm", keys: ["O", "Enter"] },
      { id: "back", keys: ["Esc"] },
    ],
  },
  {
    title: "mouse",
    lines: [
      { id: "rightClick", keys: ["rightClick"] },
      { id: "doubleClick", keys: ["doubleClick"] },
    ],
  },
  {
    title: "autos",
    lines: [
      { id: "sort", keys: ["S"], letter: true },
      { id: "auto_win", keys: ["W"], letter: true },
      { id: "no_calls", keys: ["L"], letter: true },
      { id: "tsumogiri", keys: ["G"], letter: true },
      { id: "auto_kita", keys: ["A"], letter: true },
    ],
  },
  {
    title: "reading",
    lines: [
      { id: "readRiver", keys: ["V"], letter: true },
      { id: "readScores", keys: ["E"], letter: true },
      { id: "readDora", keys: ["I"], letter: true },
      { id: "readWaits", keys: ["H"], letter: true },
      { id: "readMoves", keys: ["M"], letter: true },
    ],
  },
  {
    title: "sheets",
    lines: [
      { id: "settings", keys: [","], letter: true },
      { id: "help", keys: ["?"], letter: true },
    ],
  },
];

/** The keys of a spectator (`replay/look_back_bar.js`). @type {readonly {title: string, lines: KeyLine[]}[]} */
export const SPECTATOR_GROUPS = [
  {
    title: "lookBack",
    lines: [
      { id: "lookBackSteps", keys: ["\u2190", "\u2192"] },
      { id: "lookBackHands", keys: ["PageUp", "PageDown"] },
      { id: "lookBackStart", keys: ["Home"] },
      { id: "live", keys: ["End"] },
    ],
  },
  ...KEY_GROUPS.filter(({ title }) => title === "sheets" || title === "reading"),
];

/** @type {Record<string, import("./autos.js").Auto>} */
export const AUTO_LETTERS = { s: "sort", w: "win", l: "no_calls", g: "tsumogiri", a: "kita" };

/** @type {Record<string, "settings" | "help">} */
export const SHEET_KEYS = { ",": "settings", "?": "help" };

/** What can be read to screen readers. @typedef {"river" | "scores" | "dora" | "waits" | "moves"} ReadPart */

/** @type {Record<string, ReadPart>} */
export const READ_KEYS = { v: "river", e: "scores", i: "dora", h: "waits", m: "moves" };

export const DRAWN_LETTER = "d";

/**
 * The place of the tile that a key of the upper row or of the numeric keypad stands for.
 * @param {string} code the key's place, as in `KeyboardEvent.code`
 * @returns {number} its place from the left; -1 if the key is none of them
 */
export function placeOfKey(code) {
  return UPPER_ROW.indexOf(code.replace("Numpad", "Digit"));
}
