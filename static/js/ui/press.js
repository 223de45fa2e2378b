/**
 * Stores in an element the action and the question that a press answers, so that a click on an
 * element of an older question is recognized.
 *
 * @import { Action } from "../table/types.js"
 */

import { mark } from "./dom.js";

/**
 * Offer an action on a button. It is never `disabled`, which would drop the focus, but marked for
 * `isPressable`.
 * @param {HTMLButtonElement} button
 * @param {Action | null} action
 * @param {number} q
 * @param {boolean} enabled
 */
export function offerOn(button, action, q, enabled) {
  setPressable(button, action !== null && enabled);
  mark(button, "data-action", action && JSON.stringify(action));
  mark(button, "data-q", action && String(q));
}

/**
 * Let a button choose a call.
 * @param {HTMLButtonElement} button
 * @param {string} call empty for the way back
 * @param {boolean} enabled
 */
export function leadOn(button, call, enabled) {
  setPressable(button, enabled);
  mark(button, "data-chooses", call);
}

/** @param {HTMLElement} node */
export const isPressable = (node) =>
  ("action" in node.dataset || "chooses" in node.dataset) && !node.hasAttribute("aria-disabled");

/** @param {HTMLButtonElement} button @param {boolean} pressable */
function setPressable(button, pressable) {
  mark(button, "type", "button");
  mark(button, "aria-disabled", pressable ? null : "true");
}

/**
 * What pressing this element answers, or null.
 * @param {HTMLElement} node
 * @returns {{q: number, action: Action} | null}
 */
export function offeredBy(node) {
  const { action, q } = node.dataset;
  return action === undefined ? null : { q: Number(q), action: JSON.parse(action) };
}
