/**
 * Lists what the reader can press: tiles of the hand and call buttons. Pure; uses only the legal
 * list.
 *
 * @import { Action, View } from "./types.js"
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
 * @property {Action | null} action null for a button that only leads to others
 * @property {string | null} chooses the call that such a button chooses, empty for the way back
 * @property {string[]} tiles
 * @property {boolean} more whether it is another way to make the call of the button before it
 *
 * @typedef {object} Offer
 * @property {HandTile[]} tiles
 * @property {CallButton[]} buttons
 * @property {boolean} choosingRiichi the next tile clicked declares riichi
 * @property {boolean} choosingTiles each button is one way to make the chosen call
 */
import { callOf, choices, discardOf, tilesOf } from "./choices.js";

/** @type {Record<string, string>} */
export const LETTERS = {
  tsumo: "t",
  ron: "t",
  reach: "r",
  cancel: "x",
  ankan: "k",
  kakan: "k",
  daiminkan: "k",
  pon: "p",
  chi: "c",
  kita: "b",
  ryukyoku: "y",
  tenpai: "t",
  none: "n",
  closed: "n",
};

/** Room of the row, in tiles. If the calls need more, each call gets one button for all its ways. */
const ROOM = 12;
const WORD = 2;

/**
 * A button that chooses a call, or with an empty `chooses` takes the choice back.
 * @param {string} call
 * @param {string} chooses
 * @returns {CallButton}
 */
const choiceButton = (call, chooses) => ({
  call,
  letter: LETTERS[call],
  action: null,
  chooses,
  tiles: [],
  more: false,
});
const BACK = choiceButton("cancel", "");

/**
 * @param {readonly string[]} hand concealed tiles
 * @param {string | null} drawn
 * @param {readonly Action[]} legal
 * @param {View["phase"]} phase
 * @param {string | null} chosen the call that the reader has pressed and that leaves a choice:
 *   the tile to declare riichi with, or one of several ways to call
 * @returns {Offer}
 */
export function offer(hand, drawn, legal, phase, chosen) {
  const { discards, riichi, buttons } = choices(legal);
  const choosingRiichi = chosen === "reach" && riichi.length > 0;
  const clickable = choosingRiichi ? riichi : discards;
  /** @type {Map<string, number>} */
  const copies = new Map();
  const tiles = hand.map((pai) => {
    const copy = copies.get(pai) ?? 0;
    copies.set(pai, copy + 1);
    return handTile(`${pai}#${copy}`, pai, false, clickable);
  });
  if (drawn !== null) tiles.push(handTile(`drawn#${drawn}`, drawn, true, clickable));
  const ways = buttons.filter(({ type }) => kindOfCall(type) === chosen);
  if (ways.length > 1) {
    return {
      tiles,
      buttons: [...ways.map((way) => callButton(way, phase)), BACK],
      choosingRiichi,
      choosingTiles: true,
    };
  }
  return { tiles, buttons: callButtons(buttons, riichi, phase, choosingRiichi), choosingRiichi, choosingTiles: false };
}

/**
 * @param {string} key
 * @param {string} pai
 * @param {boolean} drawn
 * @param {readonly Action[]} clickable
 */
function handTile(key, pai, drawn, clickable) {
  const action = discardOf(clickable, pai, drawn);
  return { key, pai, drawn, action, dim: action === null && clickable.length > 0 };
}

/** @param {Action} action @param {View["phase"]} phase @returns {CallButton} */
function callButton(action, phase) {
  const call = callOf(action.type, phase);
  return { call, letter: LETTERS[call], action, chooses: null, tiles: tilesOf(action), more: false };
}

/** All kans have the same word, and are ways of one call. @param {string} type */
const kindOfCall = (type) => (type === "kakan" ? "ankan" : type);

/**
 * One button for each way to make a call while there is room; else one for each call, which
 * offers its ways when it is pressed.
 * @param {readonly Action[]} actions
 * @param {readonly Action[]} riichi
 * @param {View["phase"]} phase
 * @param {boolean} choosingRiichi
 */
function callButtons(actions, riichi, phase, choosingRiichi) {
  const types = [...new Set(actions.map(({ type }) => kindOfCall(type)))];
  const words = (types.length + Math.min(riichi.length, 1)) * WORD;
  const hasRoom = words + actions.flatMap(tilesOf).length <= ROOM;
  const pressed = types.flatMap((type) => {
    const ways = actions.filter((action) => kindOfCall(action.type) === type);
    if (ways.length > 1 && !hasRoom) return [choiceButton(type, type)];
    return ways.map((way, at) => ({ ...callButton(way, phase), more: at > 0 }));
  });
  if (riichi.length === 0) return pressed;
  const wins = pressed.filter(({ action }) => action?.type === "hora");
  return [...wins, choosingRiichi ? BACK : choiceButton("reach", "reach"), ...pressed.slice(wins.length)];
}
