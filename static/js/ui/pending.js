/**
 * Marks the tile or button of the pending answer; of several with that action only the first.
 * The style sheet shows the mark after a moment, since most answers are acknowledged sooner.
 *
 * @param {HTMLElement} root
 * @param {import("../table/types.js").Action | null} action sent and not yet acknowledged
 */
export function markPending(root, action) {
  const wanted = JSON.stringify(action);
  const buttons = /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("button[data-action]"));
  const pending = [...buttons].find(({ dataset }) => dataset.action === wanted);
  for (const node of root.querySelectorAll(".is-pending")) {
    if (node === pending) return;
    node.classList.remove("is-pending");
    node.removeAttribute("aria-busy");
  }
  pending?.classList.add("is-pending");
  pending?.setAttribute("aria-busy", "true");
}
