/**
 * Draws the small boards of the list of live tables: discards, riichi and dora indicators, as
 * spectators see them. The list comes with the data of each board and is replaced as it changes.
 */
import { face, useSprite } from "../ui/tile.js";

/**
 * `!` after a tile: it declared riichi. `~`: it was called.
 * @typedef {{rivers: string[][], riichi: boolean[], dora: string[]}} Board
 */

/**
 * The sides of the board by seat, from the bottom counter-clockwise; three players leave the side across
 * free.
 * @type {Record<number, number[]>}
 */
const SIDES = { 3: [0, 1, 3], 4: [0, 1, 2, 3] };

/** @param {string} kind @param {Node[]} [children] */
function node(kind, children = []) {
  const made = document.createElement("span");
  made.className = kind;
  made.append(...children);
  return made;
}

/** @param {string} text a tile with its marks */
function smallTile(text) {
  const made = node("live-tile", [face(text.replace(/[!~]/g, ""))]);
  made.classList.toggle("live-tile--riichi", text.includes("!"));
  made.classList.toggle("live-tile--called", text.includes("~"));
  return made;
}

/** @param {string[]} river @param {boolean} isRiichi @param {number} at */
function side(river, isRiichi, at) {
  const rows = [river.slice(0, 6), river.slice(6, 12), river.slice(12)];
  const made = node(
    `live-side live-side--${at}`,
    rows.map((row) => node("live-row", row.map(smallTile))),
  );
  if (isRiichi) made.prepend(node("live-stick"));
  return made;
}

/** Draw the boards that are not drawn yet. @param {HTMLElement} root */
export function drawBoards(root) {
  for (const place of root.querySelectorAll(".live-board[data-board]")) {
    if (!(place instanceof HTMLElement) || place.childElementCount > 0) continue;
    /** @type {Board} */
    const board = JSON.parse(place.dataset.board ?? "");
    const sides = SIDES[board.rivers.length];
    place.append(
      ...board.rivers.map((river, seat) => side(river, board.riichi[seat], sides[seat])),
      node("live-dora", board.dora.map(smallTile)),
    );
  }
}

const root = document.getElementById("live-page");
const list = root?.querySelector("[data-fragment]");
if (root !== null && list instanceof HTMLElement) {
  useSprite(root.dataset.sprite ?? "");
  drawBoards(list);
  new MutationObserver(() => drawBoards(list)).observe(list, { childList: true, subtree: true });
}
