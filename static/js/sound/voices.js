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

/** The greatest loudness of notes that sound together, so that full volume is not distorted. */
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

/** A tile laid beside a called one, and a bell. @param {...number} pitches @returns {Note[]} */
const call = (...pitches) => [
  ...tile(0, 0.7),
  ...tile(0.09, 0.5),
  ...pitches.flatMap((pitch, step) => bell(pitch, 0.02 + step * 0.1, 0.18, 0.25)),
];

/** @param {number} every seconds between the notes @param {...number} pitches @returns {Note[]} */
const chime = (every, ...pitches) => pitches.flatMap((pitch, step) => bell(pitch, step * every, 0.7, 0.3));

/** The notes of each sound; of a call, for readers who do not want it spoken. @type {Readonly<Record<Cue, Note[]>>} */
export const VOICES = {
  deal: [0, 0.07, 0.15, 0.22].flatMap((at) => tile(at, 0.3)),
  discard: tile(0, 0.7),
  chi: call(587),
  pon: call(523),
  kan: call(440, 440),
  kita: call(494, 587),
  riichi: [...bell(587, 0, 0.25, 0.35), ...bell(880, 0.11, 0.45, 0.35)],
  stick: [{ wave: "noise", pitch: 1800, at: 0, lasts: 0.03, loud: 0.4 }, ...tile(0.06, 0.35)],
  ron: chime(0.09, 523, 659, 784),
  tsumo: chime(0.09, 659, 784, 1047),
  win: chime(0.09, 523, 659, 784, 1047),
  limit: [392, 523, 659, 784, 1047, 1319].flatMap((pitch, step) => bell(pitch, step * 0.09, 0.5, 0.22)),
  yakuman: [
    ...bell(131, 0, 1.15, 0.25),
    ...[262, 392, 523, 659, 784, 1047, 1319, 1568].flatMap((pitch, step) => bell(pitch, step * 0.09, 0.5, 0.19)),
  ],
  draw: [...bell(440, 0, 0.4, 0.28), ...bell(349, 0.16, 0.6, 0.28)],
  turn: bell(740, 0, 0.16, 0.22),
  choice: [...bell(784, 0, 0.14, 0.32), ...bell(988, 0.1, 0.22, 0.32)],
  chat: bell(988, 0, 0.12, 0.2),
  tick: [{ wave: "square", pitch: 1100, at: 0, lasts: 0.035, loud: 0.16 }],
};
