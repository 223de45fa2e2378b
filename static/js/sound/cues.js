/**
 * Chooses the sound of an event or a question. Pure; the sounds are in `voices.js`.
 *
 * @import { TableEvent } from "../table/types.js"
 * @typedef {"chi" | "pon" | "kan" | "kita" | "riichi" | "ron" | "tsumo"} Call
 * @typedef {"deal" | "discard" | "stick" | "draw" | Call | "turn" | "choice" | "tick" | "win" | "limit" | "yakuman" |
 *   "chat"} Cue
 * @typedef {"tiles" | "calls" | "alerts" | "chat"} Kind what has a volume of its own
 */
import { tierOf } from "../table/win_tiers.js";

/** The calls, which can be spoken. @type {ReadonlySet<Cue>} */
export const CALLS = new Set(["chi", "pon", "kan", "kita", "riichi", "ron", "tsumo"]);
/** @type {ReadonlySet<Cue>} */
const ALERTS = new Set(["turn", "choice", "tick", "win"]);

/** @type {Record<string, Cue>} */
const OF_EVENTS = {
  start_kyoku: "deal",
  dahai: "discard",
  chi: "chi",
  pon: "pon",
  daiminkan: "kan",
  ankan: "kan",
  kakan: "kan",
  kita: "kita",
  reach: "riichi",
  reach_accepted: "stick",
  ryukyoku: "draw",
};

/** @param {TableEvent} event @returns {Cue | null} */
export function cueOf(event) {
  if (event.type === "hora") return event.actor === event.target ? "tsumo" : "ron";
  return OF_EVENTS[event.type] ?? null;
}

/**
 * The sound of a great win, after its call.
 * @param {{limit: string, yakuman: number}} win
 * @returns {Cue | null}
 */
export function cueOfWin(win) {
  const tier = tierOf(win);
  return tier === 0 ? null : tier < 4 ? "limit" : "yakuman";
}

/** @param {Cue} cue @returns {Kind} */
export function kindOf(cue) {
  if (CALLS.has(cue)) return "calls";
  if (cue === "chat") return "chat";
  return ALERTS.has(cue) ? "alerts" : "tiles";
}

/**
 * The sound of a new question; an own turn is softer than a tile that can be called.
 * @param {{q: number, phase: string} | null} before the question that was open
 * @param {{q: number, phase: string} | null} now
 * @returns {Cue | null}
 */
export function cueOfQuestion(before, now) {
  if (now === null || now.q === before?.q) return null;
  if (now.phase === "turn") return "turn";
  return now.phase === "claims" || now.phase === "showing" ? "choice" : null;
}
