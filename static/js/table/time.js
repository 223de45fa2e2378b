/**
 * Reads clocks: the remaining time as numbers and texts, and warnings. Pure.
 *
 * @import { RoundClock } from "../net/frames.js"
 * @import { Clock } from "./types.js"
 * @import { Words } from "./names.js"
 */
const URGENT_MS = 5_000;

/**
 * @param {Clock} clock
 * @param {number} now server time
 * @returns {{base: number, bank: number, urgent: boolean}} whole seconds
 */
export function remainingSeconds(clock, now) {
  const left = Math.max(0, clock.deadline - now);
  const base = Math.max(0, Math.min(left - clock.bank_ms, clock.base_ms));
  return {
    base: Math.ceil(base / 1000),
    bank: Math.ceil(Math.min(left, clock.bank_ms) / 1000),
    urgent: left < URGENT_MS,
  };
}

/**
 * The remaining share of the time for this decision, or then of the bank.
 * @param {Clock} clock
 * @param {number} now server time
 * @returns {number} 0..1
 */
export function remainingShare(clock, now) {
  const left = Math.max(0, clock.deadline - now);
  const base = left - clock.bank_ms;
  if (!Number.isFinite(clock.base_ms)) return 1;
  return base > 0 ? Math.min(1, base / clock.base_ms) : left / Math.max(1, clock.bank_ms);
}

/**
 * The time that the round of a tournament has left, in words; empty without a round.
 * @param {RoundClock | null} round
 * @param {number} now server time
 * @param {Words} say
 */
export function roundText(round, now, say) {
  if (round === null) return "";
  if (round.last_hand !== "") return say.lastHand[round.last_hand];
  const left = round.ends_at > 0 ? round.ends_at - now : round.left_ms;
  const seconds = Math.max(0, Math.ceil(left / 1000));
  const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  return round.ends_at > 0 ? say.roundTime(time) : say.roundStopped(time);
}

/** The seconds left at which the reader is warned, if the time was longer at first. */
export const WARNINGS_S = [10, 5];

/**
 * The warning that is due between two checks of the clock.
 * @param {number} before seconds left at the check before, or at first
 * @param {number} now seconds left
 * @returns {number | null}
 */
export const dueWarning = (before, now) =>
  WARNINGS_S.findLast((seconds) => before > seconds && now <= seconds && now > 0) ?? null;
