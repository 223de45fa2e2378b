/** The tiles of the reader's own hand, as elements. */

/** @param {HTMLElement} root @returns {HTMLElement[]} from left to right, the drawn one last */
export const ownTiles = (root) => [
  .../** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll(".own mj-hand button.tile")),
];

/** @param {Element} node */
export const isOwnTile = (node) => node.matches(".own mj-hand button.tile");

/** Whether it is the drawn tile, which is set apart. @param {Element} node */
export const isDrawn = (node) => node.classList.contains("tile--drawn");

/** @param {HTMLElement} root @returns {HTMLElement[]} the call buttons */
export const callsOf = (root) => [.../** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("mj-prompt .call"))];

/** Lower the raised tile, if there is one. @param {HTMLElement} root */
export function lowerTile(root) {
  for (const node of root.querySelectorAll(".tile--raised")) node.classList.remove("tile--raised");
}
