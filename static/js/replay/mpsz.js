/**
 * Writes tiles as text that other programs read: `123m0p77z`. Winds and dragons are 1z to 7z, red
 * fives are 0. Pure.
 *
 * @import { Hand } from "../table/types.js"
 */
import { HIDDEN, isRed, sorted } from "../table/tiles.js";

const HONOURS = "ESWNPFC";

/** @param {string} pai @returns {[string, string]} rank and suit */
function parts(pai) {
  const honour = HONOURS.indexOf(pai);
  if (honour >= 0) return [`${honour + 1}`, "z"];
  return [isRed(pai) ? "0" : pai[0], pai[1]];
}

/** @param {readonly string[]} pais hidden tiles are left out @returns {string} */
export function mpsz(pais) {
  let text = "";
  let suit = "";
  for (const pai of sorted(pais.filter((text) => text !== HIDDEN))) {
    const [rank, own] = parts(pai);
    if (own !== suit) text += suit;
    suit = own;
    text += rank;
  }
  return text + suit;
}

/**
 * A hand with its drawn tile and its melds, with spaces between them.
 * @param {Hand} hand
 * @param {string | null} drawn
 */
export function handText({ tiles, melds }, drawn) {
  const groups = [tiles, drawn === null ? [] : [drawn], ...melds.map((meld) => meld.tiles)];
  return groups
    .map(mpsz)
    .filter((text) => text !== "")
    .join(" ");
}
