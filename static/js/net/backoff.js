/**
 * How long to wait before the next attempt to connect: doubling, capped, with jitter so
 * that a restarted server is not met by everybody at once.
 *
 * @param {number} attempt 0 for the first retry
 * @param {() => number} random 0 (included) to 1
 * @returns {number} milliseconds
 */
export function retryDelayMs(attempt, random) {
  const ceiling = Math.min(8_000, 500 * 2 ** Math.min(attempt, 10));
  return Math.round(ceiling * (0.5 + random() / 2));
}
