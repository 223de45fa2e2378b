/** Computes the order of a hand that the reader arranges. Pure. */

/**
 * Keep the order of the tiles still held and put new ones last.
 * @param {readonly string[]} before
 * @param {readonly string[]} tiles what is held now, in any order
 * @returns {string[]}
 */
export function keepOrder(before, tiles) {
  const fresh = [...tiles];
  const kept = before.filter((pai) => {
    const place = fresh.indexOf(pai);
    if (place >= 0) fresh.splice(place, 1);
    return place >= 0;
  });
  return [...kept, ...fresh];
}

/**
 * @param {readonly string[]} tiles
 * @param {number} from
 * @param {number} to the place it has afterwards
 * @returns {string[]}
 */
export function moveTile(tiles, from, to) {
  const rest = tiles.filter((_, place) => place !== from);
  rest.splice(to, 0, tiles[from]);
  return rest;
}

/**
 * The place of a tile dropped at (x, y): before the first box of the nearest row whose middle is
 * farther right.
 * @param {readonly {left: number, top: number, width: number, height: number}[]} boxes of the
 *   other tiles, in order
 * @param {number} x
 * @param {number} y
 * @returns {number}
 */
export function dropPlace(boxes, x, y) {
  const distance = (/** @type {typeof boxes[number]} */ { top, height }) => Math.abs(top + height / 2 - y);
  const nearest = Math.min(...boxes.map(distance));
  const row = boxes.flatMap((box, place) => (distance(box) < nearest + box.height / 2 ? [place] : []));
  const before = row.find((place) => boxes[place].left + boxes[place].width / 2 > x);
  return before ?? (row.length === 0 ? 0 : row[row.length - 1] + 1);
}
