/**
 * Choose what an automatic does for the reader: a legal action, or nothing. Pure.
 *
 * `win` takes a win; without it the reader is asked, whatever else is on. `no_calls` passes on
 * open tiles, but never on a win or on showing a hand. `tsumogiri` discards the drawn tile while
 * only discards are legal. With rules that allow false declarations nothing is automatic, since
 * the legal list then has wins that are not true.
 *
 * @import { Action, View } from "./types.js"
 *
 * @typedef {object} Autos
 * @property {boolean} sort sorts the hand; answers nothing
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

/** Whether every listed declaration is true. @param {Pick<View, "rules">} view */
export const canTrust = (view) => view.rules.false_declarations !== true;

/** @param {readonly Action[]} legal */
function refusal(legal) {
  const isOnlyCalls = legal.every(({ type }) => REFUSABLE.includes(type));
  return (isOnlyCalls && legal.find(({ type }) => type === "none")) || null;
}

/** @param {readonly Action[]} legal @param {string | null} drawn */
function drawnDiscard(legal, drawn) {
  const isOnlyDiscards = legal.every(({ type }) => type === "dahai");
  const discard = legal.find(({ tsumogiri, pai }) => tsumogiri === true && pai === drawn);
  return (isOnlyDiscards && discard) || null;
}
