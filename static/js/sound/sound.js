/**
 * Plays cues, the same ones at most once in a moment. Browsers allow sound only after the reader
 * has used the page.
 *
 * @import { Cue } from "./cues.js"
 * @typedef {Pick<import("../settings.js").Settings, "get">} Settings
 */
import { sound } from "./synth.js";
import { LOUDEST, VOICES } from "./voices.js";

const SAME_MS = 40;

export class Sound {
  /** @type {AudioContext | null} */
  #context = null;
  /** @type {Map<Cue, number>} when each was last played */
  #playedAt = new Map();

  /** @param {Settings} settings */
  constructor(settings) {
    this.settings = settings;
    const wake = () => this.#wake();
    for (const touch of ["pointerdown", "keydown"]) addEventListener(touch, wake, { passive: true });
  }

  /** @param {Cue | null} cue */
  play(cue) {
    const loud = loudness(this.settings);
    const context = this.#context;
    if (cue === null || loud === 0 || context?.state !== "running") return;
    const now = performance.now();
    if (now - (this.#playedAt.get(cue) ?? -Infinity) < SAME_MS) return;
    this.#playedAt.set(cue, now);
    sound(context, VOICES[cue], loud);
  }

  #wake() {
    this.#context ??= "AudioContext" in globalThis ? new AudioContext() : null;
    if (this.#context?.state === "suspended") void this.#context.resume();
  }
}

/**
 * The volume for the audio context, 0..1, squared so that half sounds half as loud.
 * @param {Settings} settings
 */
export function loudness(settings) {
  const volume = settings.get("muted") ? 0 : settings.get("volume");
  return volume * volume * LOUDEST;
}
