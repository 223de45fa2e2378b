/**
 * Sorts the legal actions by how the reader chooses them: by a tile of the hand or by a button.
 * Pure; offers nothing that is not in the list.
 *
 * @import { Action, View } from "./types.js"
 *
 * @typedef {object} Choices
 * @property {Action[]} discards
 * @property {Action[]} riichi
 * @property {Action[]} buttons everything that is a button, in the order shown
 * @property {Action | null} confirm
 * @property {Action | null} stop ends the game, for a leading dealer
 */

const BUTTONS = ["hora", "ryukyoku", "kita", "ankan", "kakan", "daiminkan", "pon", "chi", "tenpai", "none"];

/** @param {readonly Action[]} legal @returns {Choices} */
export function choices(legal) {
  /** @param {string} type */
  const of = (type) => legal.filter((action) => action.type === type);
  return {
    discards: of("dahai"),
    riichi: of("reach"),
    buttons: BUTTONS.flatMap(of),
    confirm: of("confirm")[0] ?? null,
    stop: of("stop")[0] ?? null,
  };
}

/**
 * The action that discards this tile of the hand, if there is one.
 * @param {readonly Action[]} actions discards, or riichi declarations
 * @param {string} pai
 * @param {boolean} isDrawn whether it is the tile set apart
 * @returns {Action | null}
 */
export function discardOf(actions, pai, isDrawn) {
  return actions.find((action) => action.pai === pai && action.tsumogiri === isDrawn) ?? null;
}

/** The id of an action's word in this phase. @param {string} type @param {View["phase"]} phase */
export function callOf(type, phase) {
  if (type === "hora") return phase === "turn" ? "tsumo" : "ron";
  return type === "none" && phase === "showing" ? "closed" : type;
}

/**
 * The tiles to draw on the button of a call: those it takes from the hand.
 * @param {Action} action
 * @returns {string[]}
 */
export function tilesOf(action) {
  if (action.type === "kita") return ["N"];
  if (action.consumed !== undefined) return action.consumed;
  return action.type === "kakan" && action.pai !== undefined ? [action.pai] : [];
}

/** @param {Action} action @returns {string} the same text for equal actions */
export const actionKey = (action) =>
  [action.type, action.pai, action.tsumogiri, ...(action.consumed ?? [])]
    .filter((part) => part !== undefined)
    .join(" ");
