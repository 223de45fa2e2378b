/**
 * Chooses the sound of an event or a question. Pure; the sounds are in `voices.js`.
 *
 * @import { TableEvent } from "../table/types.js"
 * @typedef {"deal" | "discard" | "call" | "riichi" | "stick" | "win" | "draw" | "turn" | "ask" | "tick"} Cue
 */

/** @type {Record<string, Cue>} */
const OF_EVENTS = {
  start_kyoku: "deal",
  dahai: "discard",
  chi: "call",
  pon: "call",
  daiminkan: "call",
  ankan: "call",
  kakan: "call",
  reach: "riichi",
  reach_accepted: "stick",
  hora: "win",
  ryukyoku: "draw",
};

/** @param {TableEvent} event @returns {Cue | null} */
export const cueOf = (event) => OF_EVENTS[event.type] ?? null;

/**
 * The sound of a new question; an own turn is softer than a tile that can be called.
 * @param {{q: number, phase: string} | null} before the question that was open
 * @param {{q: number, phase: string} | null} now
 * @returns {Cue | null}
 */
export function cueOfQuestion(before, now) {
  if (now === null || now.q === before?.q) return null;
  if (now.phase === "turn") return "turn";
  return now.phase === "claims" || now.phase === "showing" ? "ask" : null;
}
