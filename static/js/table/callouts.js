/**
 * What is called out over the table, and what is read aloud, when something happens.
 *
 * @typedef {import("./types.js").View} View
 * @typedef {import("./types.js").TableEvent} TableEvent
 * @typedef {import("./names.js").Words} Words
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

/**
 * What a screen reader is told of this event; empty if nothing.
 * @param {TableEvent} event
 * @param {View} view after the event
 * @param {Words} say
 * @returns {string}
 */
export function spoken(event, view, say) {
  const called = callout(event);
  if (called !== null) return say.said(view.names[called.seat], say.calls[called.call]);
  switch (event.type) {
    case "dahai":
      return say.discarded(view.names[event.actor], event.pai);
    case "ryukyoku":
      return say.draws[event.reason];
    case "away":
      return (event.away ? say.isAway : say.isBack)(view.names[event.actor]);
    default:
      return "";
  }
}
