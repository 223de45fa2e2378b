/**
 * How an element carries what pressing it means: the action itself and the question it
 * answers, so that a click on something drawn for an older question is known as such.
 *
 * @typedef {import("../table/types.js").Action} Action
 */

/**
 * Such a button is never `disabled`, which would take the focus away from whoever plays by
 * keys: it says that it cannot be pressed, and `isPressable` is asked before it is.
 * @param {HTMLButtonElement} button
 * @param {Action | null} action
 * @param {number} q
 * @param {boolean} enabled
 */
export function offerOn(button, action, q, enabled) {
  button.type = "button";
  setPressable(button, action !== null && enabled);
  if (action === null) {
    delete button.dataset.action;
    delete button.dataset.q;
  } else {
    button.dataset.action = JSON.stringify(action);
    button.dataset.q = String(q);
  }
}

/**
 * A button that leads to others: pressing it chooses a call.
 * @param {HTMLButtonElement} button
 * @param {string} call empty for the way back
 * @param {boolean} enabled
 */
export function leadOn(button, call, enabled) {
  button.type = "button";
  setPressable(button, enabled);
  button.dataset.chooses = call;
}

/** @param {HTMLElement} node */
export const isPressable = (node) =>
  ("action" in node.dataset || "chooses" in node.dataset) && !node.hasAttribute("aria-disabled");

/** @param {HTMLElement} node @param {boolean} pressable */
function setPressable(node, pressable) {
  if (pressable) node.removeAttribute("aria-disabled");
  else node.setAttribute("aria-disabled", "true");
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
