/**
 * Lays out a meld from left to right as its owner sees it. The claimed tile is turned and its
 * place shows which seat it came from; the fourth tile of an added kan lies on it; the outer
 * tiles of a closed kan are face down.
 *
 * @import { Meld } from "./types.js"
 *
 * @typedef {object} MeldTile
 * @property {string} pai `?` for a tile on its face
 * @property {boolean} turned
 * @property {string | null} added the tile that lies on this one
 */
import { isRed, without } from "./tiles.js";

/** @param {string} pai @returns {MeldTile} */
export const upright = (pai) => ({ pai, turned: false, added: null });

/**
 * @param {Meld} meld
 * @param {number} owner
 * @param {number} players
 * @returns {MeldTile[]}
 */
export function meldTiles(meld, owner, players) {
  if (meld.type === "ankan" || meld.called === null) return closedKan(meld);
  const gone = meld.added === null ? [meld.called] : [meld.called, meld.added];
  const own = without(meld.tiles, gone).map(upright);
  own.splice(turnedPlace((meld.target - owner + players) % players, players, own.length), 0, {
    pai: meld.called,
    turned: true,
    added: meld.added,
  });
  return own;
}

/**
 * @param {number} from how many seats after the owner's
 * @param {number} players
 * @param {number} own how many of its tiles the owner had
 */
function turnedPlace(from, players, own) {
  if (from === players - 1) return 0;
  return from === 1 ? own : 1;
}

/** @param {Meld} meld */
function closedKan(meld) {
  const inside = [...meld.tiles].sort((a, b) => Number(isRed(b)) - Number(isRed(a))).slice(0, 2);
  return ["?", ...inside, "?"].map(upright);
}
