/**
 * The tier of a win, and how long it is displayed. Pure.
 *
 * @import { Win } from "./types.js"
 *
 * @typedef {0 | 1 | 2 | 3 | 4} Tier below mangan; mangan; haneman; baiman and sanbaiman; yakuman
 */

/** @type {Record<string, Tier>} */
const OF_LIMITS = { mangan: 1, haneman: 2, baiman: 3, sanbaiman: 3, kazoe_yakuman: 4, yakuman: 4 };

/** Time from the win to its result, by tier. The server waits much longer for the players to confirm. */
const LENGTHS_MS = [1_200, 1_900, 2_400, 3_000, 4_200];

/** @param {{limit: string, yakuman: number}} win @returns {Tier} */
export const tierOf = ({ limit, yakuman }) => (yakuman > 0 ? 4 : (OF_LIMITS[limit] ?? 0));

/**
 * The greatest of the wins on one tile.
 * @param {Win[]} wins at least one
 */
export const greatest = (wins) => wins.reduce((best, win) => (win.points > best.points ? win : best));

/** @param {Tier} tier @returns {number} milliseconds */
export const lengthOf = (tier) => LENGTHS_MS[tier];
