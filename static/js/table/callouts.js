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

/** @type {Record<string, "riichi" | "win">} */
const WEIGHTS = { reach: "riichi", hora: "win" };

/**
 * The words a seat calls out with this event, and how much they weigh.
 * @param {TableEvent} event
 * @returns {{seat: number, call: string, weight: "call" | "riichi" | "win"} | null}
 */
export function callout(event) {
  const call = CALLS[event.type];
  if (call === undefined) return null;
  return { seat: event.actor, call: call(event), weight: WEIGHTS[event.type] ?? "call" };
}
