/**
 * What the automatics do for the reader: an action of the legal list, or nothing. Pure.
 *
 * They answer only where there is nothing to choose that the reader has not settled by
 * switching one on. A win is taken by `win` and by nothing else left out: whatever else is
 * on, a win on offer is asked. `no_calls` lets calls of open tiles go by, never a win, and
 * says nothing of showing a hand at the end. `tsumogiri` throws the drawn tile unless the
 * list has anything else than discards: riichi, a kan, nine terminals. Where the rules let
 * false wins be declared the list does not tell which are true, and nothing is done.
 *
 * @import { Action, View } from "./types.js"
 *
 * @typedef {object} Autos
 * @property {boolean} sort answers nothing: how the hand lies
 * @property {boolean} win
 * @property {boolean} no_calls
 * @property {boolean} tsumogiri
 *
 * @typedef {keyof Autos} Auto
 */

/** @type {readonly Auto[]} in the order of their buttons */
export const AUTOS = ["sort", "win", "no_calls", "tsumogiri"];

const REFUSABLE = ["chi", "pon", "daiminkan", "none"];

/**
 * @param {Pick<View, "phase" | "drawn" | "rules">} view
 * @param {readonly Action[]} legal what the server lists for the reader
 * @param {Autos} autos
 * @returns {Action | null} one of `legal`
 */
export function automatic(view, legal, autos) {
  if (!canTrust(view)) return null;
  const win = legal.find(({ type }) => type === "hora");
  if (win !== undefined) return autos.win ? win : null;
  if (view.phase === "claims" && autos.no_calls) return refusal(legal);
  if (view.phase === "turn" && autos.tsumogiri) return drawnDiscard(legal, view.drawn);
  return null;
}

/** Whether what is listed is what the hand bears out. @param {Pick<View, "rules">} view */
export const canTrust = (view) => view.rules.false_declarations !== true;

/** @param {readonly Action[]} legal */
function refusal(legal) {
  const isOnlyCalls = legal.every(({ type }) => REFUSABLE.includes(type));
  return (isOnlyCalls && legal.find(({ type }) => type === "none")) || null;
}

/** @param {readonly Action[]} legal @param {string | null} drawn */
function drawnDiscard(legal, drawn) {
  const isOnlyDiscards = legal.every(({ type }) => type === "dahai");
  const thrown = legal.find(({ tsumogiri, pai }) => tsumogiri === true && pai === drawn);
  return (isOnlyDiscards && thrown) || null;
}
