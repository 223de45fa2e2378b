/**
 * What the reader can press now: the tiles of the hand that are buttons, and the call
 * buttons with their tiles. Pure; made of the legal list and of nothing else.
 *
 * @typedef {import("./types.js").Action} Action
 * @typedef {import("./types.js").View} View
 *
 * @typedef {object} HandTile
 * @property {string} key stays with the tile while it is in the hand
 * @property {string} pai
 * @property {boolean} drawn set apart
 * @property {Action | null} action what clicking it does
 * @property {boolean} dim it cannot be chosen while others can
 *
 * @typedef {object} CallButton
 * @property {string} call the word on it, by its id
 * @property {string} letter the key that presses it
 * @property {Action | null} action null for the two that only change what tiles do
 * @property {string[]} tiles
 *
 * @typedef {object} Offer
 * @property {HandTile[]} tiles
 * @property {CallButton[]} buttons
 * @property {boolean} aiming the next tile clicked declares riichi
 */
import { choices, discardOf, tilesOf } from "./choices.js";

/** @type {Record<string, string>} */
export const LETTERS = {
  tsumo: "t",
  ron: "t",
  reach: "r",
  cancel: "r",
  ankan: "k",
  kakan: "k",
  daiminkan: "k",
  pon: "p",
  chi: "c",
  ryukyoku: "y",
  none: "n",
};

/**
 * @param {readonly string[]} hand concealed tiles
 * @param {string | null} drawn
 * @param {readonly Action[]} legal
 * @param {View["phase"]} phase
 * @param {boolean} wantsRiichi the reader has pressed Riichi
 * @returns {Offer}
 */
export function offer(hand, drawn, legal, phase, wantsRiichi) {
  const { discards, riichi, buttons } = choices(legal);
  const aiming = wantsRiichi && riichi.length > 0;
  const clickable = aiming ? riichi : discards;
  /** @type {Map<string, number>} */
  const copies = new Map();
  const tiles = hand.map((pai) => {
    const copy = copies.get(pai) ?? 0;
    copies.set(pai, copy + 1);
    return handTile(`${pai}#${copy}`, pai, false, clickable);
  });
  if (drawn !== null) tiles.push(handTile(`drawn#${drawn}`, drawn, true, clickable));
  return { tiles, buttons: callButtons(buttons, riichi, phase, aiming), aiming };
}

/**
 * @param {string} key
 * @param {string} pai
 * @param {boolean} drawn
 * @param {readonly Action[]} clickable
 * @returns {HandTile}
 */
function handTile(key, pai, drawn, clickable) {
  const action = discardOf(clickable, pai, drawn);
  return { key, pai, drawn, action, dim: action === null && clickable.length > 0 };
}

/**
 * @param {readonly Action[]} actions
 * @param {readonly Action[]} riichi
 * @param {View["phase"]} phase
 * @param {boolean} aiming
 * @returns {CallButton[]}
 */
function callButtons(actions, riichi, phase, aiming) {
  /** @type {CallButton[]} */
  const pressed = actions.map((action) => {
    const call = action.type === "hora" ? (phase === "turn" ? "tsumo" : "ron") : action.type;
    return { call, letter: LETTERS[call], action, tiles: tilesOf(action) };
  });
  if (riichi.length === 0) return pressed;
  const call = aiming ? "cancel" : "reach";
  const toggle = { call, letter: LETTERS[call], action: null, tiles: [] };
  const wins = pressed.filter(({ action }) => action?.type === "hora");
  return [...wins, toggle, ...pressed.slice(wins.length)];
}
