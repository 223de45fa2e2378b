/** Tiles by their mjai names: order, kinds, dora. */

export const HIDDEN = "?";

const RANKS = ["1", "2", "3", "4", "5", "5r", "6", "7", "8", "9"];

/** Every face in the order of a sorted hand. @type {readonly string[]} */
export const FACES = [
  ..."mps".split("").flatMap((suit) => RANKS.map((rank) => rank[0] + suit + rank.slice(1))),
  ..."ESWNPFC",
];

/** @type {Map<string, number>} */
const ORDER = new Map([...FACES, HIDDEN].map((pai, place) => [pai, place]));

/** @param {string} pai @returns {boolean} */
export const isRed = (pai) => pai.endsWith("r");

/** The tile without its red mark. @param {string} pai @returns {string} */
export const kindOf = (pai) => (isRed(pai) ? pai.slice(0, 2) : pai);

const CYCLES = [..."mps"].map((suit) => [..."123456789"].map((rank) => rank + suit));
CYCLES.push([..."ESWN"], [..."PFC"]);

/**
 * The kind that a dora indicator points to: the next of its suit, winds and dragons in turn. Three
 * players have no 2m to 8m, so that 9m follows on 1m.
 * @param {string} marker
 * @param {number} players
 * @returns {string}
 */
export function doraOf(marker, players) {
  const kind = kindOf(marker);
  if (players === 3 && kind === "1m") return "9m";
  const cycle = CYCLES.find((kinds) => kinds.includes(kind));
  return cycle === undefined ? "" : cycle[(cycle.indexOf(kind) + 1) % cycle.length];
}

/** @param {readonly string[]} tiles @returns {string[]} */
export function sorted(tiles) {
  return [...tiles].sort((a, b) => (ORDER.get(a) ?? 99) - (ORDER.get(b) ?? 99));
}

/**
 * Remove tiles; for one that is not there remove a hidden tile.
 * @param {readonly string[]} tiles
 * @param {readonly string[]} gone
 * @returns {string[]}
 */
export function without(tiles, gone) {
  const left = [...tiles];
  for (const pai of gone) {
    const found = left.indexOf(pai);
    const place = found >= 0 ? found : left.indexOf(HIDDEN);
    if (place >= 0) left.splice(place, 1);
  }
  return left;
}
