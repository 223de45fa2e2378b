/**
 * The steps of the guided first game. The step follows from the table alone. Pure. The tiles
 * are those of `game/tables/guided_hands.py`, the texts those of `templates/game/guide.html`.
 *
 * @import { Action, View } from "../table/types.js"
 *
 * @typedef {object} Step
 * @property {string} text the id of the text
 * @property {string} [tile] to be discarded
 * @property {string} [call] the button to press
 *
 * @typedef {object} Moment
 * @property {View} view
 * @property {number} you
 * @property {Action[]} legal
 * @property {string | null} chosen the call that has been pressed
 */

/** @type {Step} the learner has left the script */
const OFF = { text: "off" };

/** The tiles to discard in each hand. Those of one list may be discarded in any order. */
const PON_DISCARDS = ["N", "9p"];
const RIICHI_FIRST = "9s";
const RIICHI_HONOURS = ["N", "W"];

/** @type {Record<string, (moment: Moment) => Step>} */
const HANDS = { pon: ponStep, riichi: riichiStep };

/** @param {string} hand its name @param {Moment} moment @returns {Step} */
export function stepOf(hand, moment) {
  const { view, you } = moment;
  if (view.phase === "result" || view.phase === "ended") {
    const [result] = view.results;
    return result?.type === "hora" && result.actor === you ? { text: "won" } : OFF;
  }
  return view.phase === "idle" ? { text: "watch" } : HANDS[hand](moment);
}

/** @param {Moment} moment @returns {Step} */
function ponStep({ view, you, legal }) {
  const { river, melds } = view.hands[you];
  const discards = river.map(({ pai }) => pai);
  const left = PON_DISCARDS.find((pai) => !discards.includes(pai));
  const isOff = discards.some((pai) => !PON_DISCARDS.includes(pai)) || new Set(discards).size < discards.length;
  const canWin = legal.some(({ type }) => type === "hora");
  if (isOff || melds.length > 1) return OFF;
  if (melds.length === 0) {
    if (discards.length === 0) return { text: "discard", tile: left };
    if (legal.some(({ type }) => type === "pon")) return { text: "pon", call: "pon" };
    return isTurn(legal) ? OFF : { text: "watch" };
  }
  if (discards.length === 1) return { text: "after_pon", tile: left };
  if (canWin) return { text: "tsumo", call: "tsumo" };
  return isTurn(legal) ? OFF : { text: "wait" };
}

/** @param {Moment} moment @returns {Step} */
function riichiStep({ view, you, legal, chosen }) {
  const { river, melds, riichi } = view.hands[you];
  const discards = river.map(({ pai }) => pai);
  const [first, ...later] = discards;
  const left = RIICHI_HONOURS.find((pai) => !later.includes(pai));
  const isOff = later.some((pai) => !RIICHI_HONOURS.includes(pai)) || new Set(discards).size < discards.length;
  if (melds.length > 0 || isOff || (first !== undefined && first !== RIICHI_FIRST)) return OFF;
  if (discards.length === 0) return { text: "discard", tile: RIICHI_FIRST };
  if (discards.length === 3) {
    if (riichi === "none") return OFF;
    return legal.some(({ type }) => type === "hora") ? { text: "tsumo", call: "tsumo" } : { text: "furiten" };
  }
  if (legal.length > 0 && !isTurn(legal)) return { text: "pass", call: "none" };
  if (!isTurn(legal)) return { text: "watch" };
  if (discards.length === 1) return { text: "honour", tile: left };
  if (!legal.some(({ type }) => type === "reach")) return OFF;
  return chosen === "reach" ? { text: "riichi_tile", tile: left } : { text: "riichi", call: "reach" };
}

/** Whether the reader is to discard. @param {Action[]} legal */
const isTurn = (legal) => legal.some(({ type }) => type === "dahai");
