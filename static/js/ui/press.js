/**
 * Stores in an element the action and the question that a press answers, so that a click on an
 * element of an older question is recognized.
 *
 * @import { Action } from "../table/types.js"
 */

import { setAttribute } from "./dom.js";

/**
 * Offer an action on a button. It is never `disabled`, which would drop the focus, but marked for
 * `isPressable`.
 * @param {HTMLButtonElement} button
 * @param {Action | null} action
 * @param {number} q
 * @param {boolean} enabled
 */
export function setAction(button, action, q, enabled) {
  setPressable(button, action !== null && enabled);
  setAttribute(button, "data-action", action && JSON.stringify(action));
  setAttribute(button, "data-q", action && String(q));
}

/**
 * Let a button choose a call.
 * @param {HTMLButtonElement} button
 * @param {string} call empty for the way back
 * @param {boolean} enabled
 */
export function setChoice(button, call, enabled) {
  setPressable(button, enabled);
  setAttribute(button, "data-chooses", call);
}

/** @param {HTMLElement} node */
export const isPressable = (node) =>
  ("action" in node.dataset || "chooses" in node.dataset) && !node.hasAttribute("aria-disabled");

/** @param {HTMLButtonElement} button @param {boolean} pressable */
function setPressable(button, pressable) {
  setAttribute(button, "type", "button");
  setAttribute(button, "aria-disabled", pressable ? null : "true");
}

/**
 * What pressing this element answers, or null.
 * @param {HTMLElement} node
 * @returns {{q: number, action: Action} | null}
 */
export function answerOf(node) {
  const { action, q } = node.dataset;
  return action === undefined ? null : { q: Number(q), action: JSON.parse(action) };
}
