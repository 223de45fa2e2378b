/**
 * Shifts and rotations in the coordinates of one side of the table, since sides are rotated. Pure.
 *
 * @typedef {{left: number, top: number, width: number, height: number}} Box
 * @import { Place } from "../table/display.js"
 */

/** How far each side is turned. @type {Record<Place, number>} */
export const TURNS = { bottom: 0, right: -90, top: 180, left: 90 };

/**
 * The shift, in the element's own directions, and the scale that show an element at `to` as if it
 * were at `from`. A `from` without size keeps the element's scale.
 * @param {Box} from
 * @param {Box} to
 * @param {number} turn of the side that the element lies in, in degrees
 * @returns {{x: number, y: number, scale: number}}
 */
export function transformFrom(from, to, turn) {
  const dx = from.left + from.width / 2 - (to.left + to.width / 2);
  const dy = from.top + from.height / 2 - (to.top + to.height / 2);
  const angle = (turn * Math.PI) / 180;
  const [sine, cosine] = [Math.sin(angle), Math.cos(angle)];
  const [was, is] = [Math.max(from.width, from.height), Math.max(to.width, to.height)];
  return {
    x: Math.round(dx * cosine + dy * sine),
    y: Math.round(dy * cosine - dx * sine),
    scale: was === 0 || is === 0 ? 1 : Math.min(Math.max(was / is, 0.5), 2),
  };
}

/**
 * The shorter rotation from one direction to another, in degrees.
 * @param {number} from
 * @param {number} to
 */
export const shorterRotation = (from, to) => ((from - to + 540) % 360) - 180;
