/**
 * The address of a position: hand and step, seat, and what is shown. Pure.
 *
 * @typedef {object} Place
 * @property {number} hand from 0
 * @property {number} step from 0: the deal
 * @property {number} seat at the bottom
 * @property {boolean} open whether all hands are open
 * @property {boolean} waits whether waits and furiten are shown
 * @property {boolean} names whether names are shown
 */

/** @type {Readonly<Place>} */
export const START = Object.freeze({ hand: 0, step: 0, seat: 0, open: true, waits: true, names: true });

/**
 * The place that the query of an address names; what is missing or no number is as in `start`.
 * @param {string} query
 * @param {Place} start
 * @param {number} players
 * @returns {Place}
 */
export function placeOf(query, start, players) {
  const given = new URLSearchParams(query);
  const number = (/** @type {string} */ name, /** @type {number} */ usual, /** @type {number} */ from) => {
    const text = given.get(name) ?? "";
    return /^\d{1,6}$/.test(text) && Number(text) >= from ? Number(text) - from : usual;
  };
  const flag = (/** @type {string} */ name, /** @type {boolean} */ usual) =>
    given.has(name) ? given.get(name) !== "0" : usual;
  const seat = number("seat", start.seat, 0);
  return {
    hand: number("hand", start.hand, 1),
    step: number("step", start.step, 0),
    seat: seat < players ? seat : start.seat,
    open: flag("open", start.open),
    waits: flag("waits", start.waits),
    names: flag("names", start.names),
  };
}

/** The query that names a place. @param {Place} place */
export function queryOf({ hand, step, seat, open, waits, names }) {
  const query = new URLSearchParams({
    hand: `${hand + 1}`,
    step: `${step}`,
    seat: `${seat}`,
    open: open ? "1" : "0",
  });
  if (!waits) query.set("waits", "0");
  if (!names) query.set("names", "0");
  return `?${query}`;
}
