/**
 * Changes hands that are written as text, such as `123m40p <312m #1111z`: the concealed tiles, then
 * open sets with `<` and closed kans with `#`. Pure.
 */

/** @param {string} group */
const ranksOf = (group) => group.replace(/\D/g, "");

/** @param {string} group a group of tiles of one or more suits @param {string} tile */
function joined(group, tile) {
  return group.endsWith(tile[1]) ? group.slice(0, -1) + tile : group + tile;
}

/** Whether one more tile belongs to an open set. @param {string} group @param {string} tile */
function takes(group, tile) {
  const ranks = ranksOf(group);
  if (!group.startsWith("<") || !group.endsWith(tile[1])) return false;
  const isKan = ranks.length === 3 && [...ranks, tile[0]].every((rank) => (rank === "0" ? "5" : rank) === same(ranks));
  return ranks.length < 3 || isKan;
}

/** @param {string} ranks @returns {string} the rank of the first tile, a red five as a five */
const same = (ranks) => (ranks[0] === "0" ? "5" : ranks[0]);

/**
 * The text with one tile more.
 * @param {string} text
 * @param {string} tile such as `5p`; `0p` is red
 * @param {string} sign "" adds it to the concealed tiles, `<` to an open set; `#` adds a closed kan
 */
export function withTile(text, tile, sign) {
  const groups = text.split(/\s+/).filter((group) => group !== "");
  const [rank, suit] = tile;
  if (sign === "#") return [...groups, `#${rank === "0" ? "0555" : rank.repeat(4)}${suit}`].join(" ");
  const last = groups.length - 1;
  if (sign === "<") {
    if (last >= 0 && takes(groups[last], tile)) groups[last] = joined(groups[last], tile);
    else groups.push(`<${tile}`);
    return groups.join(" ");
  }
  const place = groups.findLastIndex((group) => /^\d/.test(group));
  if (place >= 0) groups[place] = joined(groups[place], tile);
  else groups.unshift(tile);
  return groups.join(" ");
}

/**
 * The text without the last tile that was added in the same way; a closed kan goes whole.
 * @param {string} text
 * @param {string} sign as in `withTile`
 */
export function withoutLast(text, sign) {
  const groups = text.split(/\s+/).filter((group) => group !== "");
  const place = groups.findLastIndex((group) => group.replace(/\d.*/, "") === sign);
  if (place < 0) return text;
  const left = groups[place].replace(/(\d)([mpsz])$/, "$2").replace(/(?<!\d)[mpsz]$/, "");
  if (sign === "#" || !/\d/.test(left)) groups.splice(place, 1);
  else groups[place] = left;
  return groups.join(" ");
}
