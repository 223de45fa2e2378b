/**
 * Shows that an answer is on its way, at the tile or the button that gave it. On a quick
 * connection nobody should see that, so that it takes a moment to show.
 *
 * @import { Action } from "../table/types.js"
 */

/**
 * @param {HTMLElement} root
 * @param {Action | null} action what has been answered and not been acknowledged
 */
export function markPending(root, action) {
  const wanted = action === null ? null : JSON.stringify(action);
  for (const node of root.querySelectorAll(".is-pending")) {
    if (/** @type {HTMLElement} */ (node).dataset.action !== wanted) unmark(node);
  }
  if (wanted === null) return;
  for (const node of root.querySelectorAll("button[data-action]")) {
    const button = /** @type {HTMLElement} */ (node);
    if (button.dataset.action !== wanted) continue;
    button.classList.add("is-pending");
    button.setAttribute("aria-busy", "true");
    return;
  }
}

/** @param {Element} node */
function unmark(node) {
  node.classList.remove("is-pending");
  node.removeAttribute("aria-busy");
}
