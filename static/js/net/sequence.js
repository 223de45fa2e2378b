/**
 * Decide by the sequence numbers what to do with a frame of events.
 *
 * @param {number} known number of the last event known
 * @param {number} seq number of the last event of the frame
 * @param {number} count events in the frame
 * @returns {"apply" | "old" | "gap"}
 */
export function checkSequence(known, seq, count) {
  if (seq - count === known) return "apply";
  return seq <= known ? "old" : "gap";
}
