/**
 * The notes of each sound. A note is a wave or a burst of noise that fades. Times in seconds,
 * pitches in hertz.
 *
 * @import { Cue } from "./cues.js"
 *
 * @typedef {object} Note
 * @property {"sine" | "triangle" | "square" | "noise"} wave
 * @property {number} pitch for noise the middle of its band
 * @property {number} [to] the pitch it slides to
 * @property {number} at
 * @property {number} lasts
 * @property {number} loud 0..1
 */

/** The most for notes that sound together, so that full volume is not distorted. */
export const LOUDEST = 0.6;

/**
 * A tile set down on wood: a click, and the body of the table under it.
 * @param {number} at
 * @param {number} loud
 * @returns {Note[]}
 */
const tile = (at, loud) => [
  { wave: "noise", pitch: 3200, at, lasts: 0.035, loud },
  { wave: "sine", pitch: 620, to: 240, at, lasts: 0.05, loud: loud * 0.6 },
];

/** @param {number} pitch @param {number} at @param {number} lasts @param {number} loud @returns {Note[]} */
const bell = (pitch, at, lasts, loud) => [
  { wave: "sine", pitch, at, lasts, loud },
  { wave: "triangle", pitch: pitch * 2, at, lasts: lasts * 0.5, loud: loud * 0.25 },
];

/** @type {Readonly<Record<Cue, Note[]>>} */
export const VOICES = {
  deal: [0, 0.07, 0.15, 0.22].flatMap((at) => tile(at, 0.3)),
  discard: tile(0, 0.7),
  call: [...tile(0, 0.8), ...tile(0.09, 0.6), ...bell(523, 0, 0.18, 0.25)],
  riichi: [...bell(587, 0, 0.25, 0.35), ...bell(880, 0.11, 0.45, 0.35)],
  stick: [{ wave: "noise", pitch: 1800, at: 0, lasts: 0.03, loud: 0.4 }, ...tile(0.06, 0.35)],
  win: [523, 659, 784, 1047].flatMap((pitch, step) => bell(pitch, step * 0.09, 0.7, 0.32)),
  draw: [...bell(440, 0, 0.4, 0.28), ...bell(349, 0.16, 0.6, 0.28)],
  turn: bell(740, 0, 0.16, 0.22),
  ask: [...bell(784, 0, 0.14, 0.32), ...bell(988, 0.1, 0.22, 0.32)],
  tick: [{ wave: "square", pitch: 1100, at: 0, lasts: 0.035, loud: 0.16 }],
};
