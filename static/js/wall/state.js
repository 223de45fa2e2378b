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
 * @property {number[]} left_out the seats whose pages the server says did not reveal before
 * @property {string} previous the server's hash of the draw before; empty in the first one
 * @property {string} terms the hash of the seats and the rules, from the binding on
 * @property {string} secret_hash
 * @property {string} key the public key with which the server has signed its hash
 * @property {string} signature
 *
 * @typedef {{type: "wall_draw", number: number, seats: number[]}} WallDrawBegun
 * @typedef {{type: "wall_commit", actor: number, commitment: string}} WallCommitted
 * @typedef {{type: "wall_bind", commitments: string[], binding: string, terms: string, secret_hash: string,
 *   key: string, signature: string}} WallBound
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
 * @property {string} [terms] as the server published it, like the next five
 * @property {string} [secret_hash]
 * @property {number[]} [left_out]
 * @property {string} [previous]
 * @property {string} [key]
 * @property {string} [signature]
 * @property {boolean} [fixed] whether the wall was fixed with it, as this page was shown
 *
 * @typedef {"none" | "asked" | "in" | "late" | "left_out" | "silenced" | "unsound" | "other" | "changed" | "dropped"}
 *   Participation
 */

/** The participation of a page that was excluded, by the server or by the network. */
export const EXCLUDED = Object.freeze(["late", "left_out", "silenced", "unsound", "changed", "dropped"]);

const NOBODY = Object.freeze(["", "", "", ""]);

/**
 * The wall after an event of the table.
 *
 * @param {Wall | null} wall
 * @param {{type: string}} event
 * @returns {Wall | null}
 */
export function reduceWall(wall, event) {
  const change = /** @type {WallEvent} */ (event);
  if (change.type === "wall_draw") {
    const { number, seats } = change;
    const empty = { commitments: [...NOBODY], binding: "", contributions: [...NOBODY] };
    const chain = { void: wall?.void ?? 0, left_out: wall?.left_out ?? [], previous: wall?.binding ?? "" };
    const unsigned = { terms: "", secret_hash: "", key: "", signature: "" };
    return { draw: number, state: "commit", seats, ...empty, ...chain, ...unsigned };
  }
  if (wall === null) return wall;
  switch (change.type) {
    case "wall_commit":
      return { ...wall, commitments: wall.commitments.with(change.actor, change.commitment) };
    case "wall_bind":
      return { ...wall, ...publishedIn(change), state: "reveal" };
    case "wall_reveal":
      return { ...wall, contributions: wall.contributions.with(change.actor, change.contribution) };
    case "wall_void":
      return { ...wall, void: wall.void + 1, left_out: [...(wall.left_out ?? []), ...change.left_out].sort() };
    case "wall_seed":
      return { ...wall, state: change.pages.length > 0 ? "fixed" : "none" };
  }
  return wall;
}

/** What the server fixes and signs before the pages reveal. @param {WallBound} bound */
const publishedIn = ({ commitments, binding, terms, secret_hash, key, signature }) => ({
  commitments: [...commitments],
  binding,
  terms,
  secret_hash,
  key,
  signature,
});

/** What a page keeps of a draw for which it reveals. @param {Wall} wall */
export const publishedOf = ({ commitments, binding, terms, secret_hash, left_out, previous, key, signature }) => ({
  commitments,
  binding,
  terms,
  secret_hash,
  left_out,
  previous,
  key,
  signature,
});

/** The last draw in which this browser took part; 0 for none. @param {Record<number, OwnDraw>} kept */
export const lastDraw = (kept) => Math.max(0, ...Object.keys(kept).map(Number));

/** How many pages take part, or took part. @param {Wall} wall */
export const pagesOf = ({ state, commitments, contributions }) =>
  (state === "fixed" ? contributions : commitments).filter((hash) => hash !== "").length;

/**
 * How the reader's page takes part in the draw of the wall.
 * @param {Wall} wall
 * @param {number | null} you null for a spectator
 * @param {Record<number, OwnDraw>} kept what this browser keeps of the draws of this table
 * @returns {Participation}
 */
export function participation(wall, you, kept) {
  if (you === null) return "none";
  const own = kept[wall.draw];
  // It did send its bytes for the last draw in which it took part.
  if (wall.left_out?.includes(you) && kept[lastDraw(kept)]?.binding !== undefined) return "silenced";
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
const hasChanged = (wall, own) => own.binding !== wall.binding || own.commitments?.join() !== wall.commitments.join();
