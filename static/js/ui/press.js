/**
 * How an element carries what pressing it means: the action itself and the question it
 * answers, so that a click on something drawn for an older question is known as such.
 *
 * @typedef {import("../table/types.js").Action} Action
 */

/**
 * @param {HTMLButtonElement} button
 * @param {Action | null} action
 * @param {number} q
 * @param {boolean} enabled
 */
export function offerOn(button, action, q, enabled) {
  button.type = "button";
  button.disabled = action === null || !enabled;
  if (action === null) {
    delete button.dataset.action;
    delete button.dataset.q;
  } else {
    button.dataset.action = JSON.stringify(action);
    button.dataset.q = String(q);
  }
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
