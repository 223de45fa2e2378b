/**
 * What is called out over the table when something happens.
 *
 * @typedef {import("./types.js").TableEvent} TableEvent
 */

/** @type {Record<string, (event: TableEvent) => string>} */
const CALLS = {
  chi: () => "chi",
  pon: () => "pon",
  daiminkan: () => "daiminkan",
  ankan: () => "ankan",
  kakan: () => "kakan",
  reach: () => "reach",
  hora: (event) => (event.actor === event.target ? "tsumo" : "ron"),
};

/**
 * The words a seat calls out with this event.
 * @param {TableEvent} event
 * @returns {{seat: number, call: string} | null}
 */
export function callout(event) {
  const call = CALLS[event.type];
  return call === undefined ? null : { seat: event.actor, call: call(event) };
}
