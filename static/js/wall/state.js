/**
 * The draw of the wall as everybody at the table sees it, and where the reader's own page stands in
 * it. Pure.
 *
 * @typedef {object} Wall
 * @property {number} draw the number of the draw, from 1
 * @property {"commit" | "reveal" | "fixed" | "none"} state `none`: fixed without any page's bytes
 * @property {number[]} seats whose pages are asked
 * @property {string[]} commitments by seat, in hexadecimal; empty for none
 * @property {string} binding the server's hash; empty before it is published
 * @property {string[]} contributions by seat, as revealed
 * @property {number} void how many draws were void
 *
 * @typedef {{type: "wall_draw", number: number, seats: number[]}} WallDrawBegun
 * @typedef {{type: "wall_commit", actor: number, commitment: string}} WallCommitted
 * @typedef {{type: "wall_bind", commitments: string[], binding: string}} WallBound
 * @typedef {{type: "wall_reveal", actor: number, contribution: string}} WallRevealed
 * @typedef {{type: "wall_void", left_out: number[]}} WallVoid
 * @typedef {{type: "wall_seed", pages: number[]}} WallSeed
 * @typedef {WallDrawBegun | WallCommitted | WallBound | WallRevealed | WallVoid | WallSeed} WallEvent
 *
 * @typedef {object} OwnDraw what this browser keeps of a draw in which it took part
 * @property {string} contribution
 * @property {string} commitment
 * @property {string} [binding] as published when the contribution was revealed
 * @property {string[]} [commitments]
 * @property {boolean} [fixed] whether the wall was fixed with it, as this page was shown
 *
 * @typedef {"none" | "asked" | "in" | "late" | "left_out" | "other" | "changed" | "dropped"} Standing
 */

/** The standings of a page that was excluded, by the server or by the network. */
export const EXCLUDED = Object.freeze(["late", "left_out", "changed", "dropped"]);

const NOBODY = Object.freeze(["", "", "", ""]);

/** The wall after an event of the table. @param {Wall | null} wall @param {{type: string}} event @returns {Wall | null} */
export function reduceWall(wall, event) {
  const change = /** @type {WallEvent} */ (event);
  if (change.type === "wall_draw") {
    const { number, seats } = change;
    const empty = { commitments: [...NOBODY], binding: "", contributions: [...NOBODY] };
    return { draw: number, state: "commit", seats, ...empty, void: wall?.void ?? 0 };
  }
  if (wall === null) return wall;
  switch (change.type) {
    case "wall_commit":
      return { ...wall, commitments: wall.commitments.with(change.actor, change.commitment) };
    case "wall_bind":
      return { ...wall, state: "reveal", commitments: [...change.commitments], binding: change.binding };
    case "wall_reveal":
      return { ...wall, contributions: wall.contributions.with(change.actor, change.contribution) };
    case "wall_void":
      return { ...wall, void: wall.void + 1 };
    case "wall_seed":
      return { ...wall, state: change.pages.length > 0 ? "fixed" : "none" };
  }
  return wall;
}

/** How many pages take part, or took part. @param {Wall} wall */
export const pagesOf = ({ state, commitments, contributions }) =>
  (state === "fixed" ? contributions : commitments).filter((hash) => hash !== "").length;

/**
 * Where the reader's page stands.
 * @param {Wall} wall
 * @param {number | null} you null for a spectator
 * @param {Record<number, OwnDraw>} kept what this browser keeps of the draws of this table
 * @returns {Standing}
 */
export function standing(wall, you, kept) {
  if (you === null) return "none";
  const own = kept[wall.draw];
  const commitment = wall.commitments[you];
  const wasIn = Object.keys(kept).some((draw) => Number(draw) < wall.draw);
  if (wall.state === "none" && own === undefined) return wasIn ? "left_out" : "none";
  if (!wall.seats.includes(you)) return wasIn ? "left_out" : "none";
  // Bytes that were revealed once are known to the server: they must not count again.
  if (wall.state === "commit" && own?.binding !== undefined) return "changed";
  if (commitment === "") {
    if (wall.state === "commit") return "asked";
    return own === undefined && !wasIn ? "none" : "late";
  }
  if (own === undefined || own.commitment !== commitment) return "other";
  if (own.binding !== undefined && wall.binding !== "" && hasChanged(wall, own)) return "changed";
  const given = wall.contributions[you];
  const isMissing = wall.state === "fixed" ? given !== own.contribution : given !== "" && given !== own.contribution;
  return isMissing ? "dropped" : "in";
}

/** Whether the server has published something else since this page revealed. @param {Wall} wall @param {OwnDraw} own */
const hasChanged = (wall, own) =>
  own.binding !== wall.binding || own.commitments?.join() !== wall.commitments.join();
