/**
 * Choose what an automatic does for the reader: a legal action, or nothing. Pure.
 *
 * `win` takes a win; without it the reader is asked, whatever else is on. `no_calls` passes on
 * open tiles, but never on a win or on showing a hand. `tsumogiri` discards the drawn tile while
 * only discards are legal. `kita` sets norths aside, but not from a hand that may become thirteen
 * orphans. With rules that allow false declarations nothing is automatic, since
 * the legal list then has wins that are not true.
 *
 * @import { Action, View } from "./types.js"
 *
 * @typedef {object} Autos
 * @property {boolean} sort sorts the hand; answers nothing
 * @property {boolean} win
 * @property {boolean} no_calls
 * @property {boolean} tsumogiri
 * @property {boolean} kita
 *
 * @typedef {keyof Autos} Auto
 */

/** @type {readonly Auto[]} in the order of their buttons */
export const AUTOS = ["sort", "win", "no_calls", "tsumogiri", "kita"];

/** Of so many kinds of terminals and honours a hand keeps its norths. */
const MANY_ORPHANS = 9;
const REFUSABLE = ["chi", "pon", "daiminkan", "none"];

/**
 * @param {Pick<View, "phase" | "drawn" | "rules">} view
 * @param {readonly Action[]} legal what the server lists for the reader
 * @param {Autos} autos
 * @param {readonly string[]} held the tiles of the reader's hand, the drawn one too
 * @returns {Action | null} one of `legal`
 */
export function automatic(view, legal, autos, held) {
  if (!canTrust(view)) return null;
  const win = legal.find(({ type }) => type === "hora");
  if (win !== undefined) return autos.win ? win : null;
  if (view.phase === "claims" && autos.no_calls) return refusal(legal);
  const kita = legal.find(({ type }) => type === "kita");
  if (kita !== undefined && autos.kita && orphanKinds(held) < MANY_ORPHANS) return kita;
  if (view.phase === "turn" && autos.tsumogiri) return drawnDiscard(legal, view.drawn);
  return null;
}

/** Whether every listed declaration is true. @param {Pick<View, "rules">} view */
export const canTrust = (view) => view.rules.false_declarations !== true;

/** How many kinds of terminals and honours there are. @param {readonly string[]} held */
const orphanKinds = (held) => new Set(held.filter((pai) => /^[19ESWNPFC]/.test(pai))).size;

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
