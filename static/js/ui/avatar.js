/**
 * Avatars: a tile on a coloured ground, as `game/results/avatars.py` writes them: `5mr-blue`.
 */
import { el } from "./dom.js";
import { face } from "./tile.js";

const WRITTEN = /^([0-9a-zA-Z]{1,3})-([a-z]+)$/;

/** @param {string | undefined} text @returns {{pai: string, colour: string} | null} */
export function parseAvatar(text) {
  const [, pai, colour] = WRITTEN.exec(text ?? "") ?? [];
  return pai === undefined ? null : { pai, colour };
}

/** @param {string | undefined} text @returns {HTMLElement | null} null for a seat without one */
export function avatar(text) {
  const parsed = parseAvatar(text);
  if (parsed === null) return null;
  const { pai, colour } = parsed;
  const picture = el("span", "avatar-tile");
  picture.append(face(pai));
  const node = el("span", `avatar avatar-${colour}`, picture);
  node.setAttribute("aria-hidden", "true");
  return node;
}
