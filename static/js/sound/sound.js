/**
 * Plays cues, the same ones at most once in a moment, and speaks calls if the reader wants it.
 * Browsers allow sound only after the reader has used the page.
 *
 * @import { Call, Cue, Kind } from "./cues.js"
 * @typedef {Pick<import("../settings.js").Settings, "get">} Settings
 */
import { CALLS, kindOf } from "./cues.js";
import { sound } from "./synth.js";
import { LOUDEST, VOICES } from "./voices.js";

const SAME_MS = 40;
/** The calls with which tiles are laid down. */
const WITH_TILES = new Set(["chi", "pon", "kan"]);

export class Sound {
  /** @type {AudioContext | null} */
  #context = null;
  /** @type {Map<Cue, number>} when each was last played */
  #playedAt = new Map();
  /** @type {typeof import("./speech.js") | null} loaded with the first sound */
  #speech = null;
  /** @type {Map<Call, AudioBuffer>} */
  #recordings = new Map();

  /** @param {Settings} settings */
  constructor(settings) {
    this.settings = settings;
    const wake = () => this.#wake();
    for (const touch of ["pointerdown", "keydown"]) addEventListener(touch, wake, { passive: true });
  }

  /** @param {Cue | null} cue */
  play(cue) {
    if (cue === null) return;
    const loud = loudness(this.settings, kindOf(cue));
    const context = this.#context;
    if (loud === 0 || context?.state !== "running") return;
    const now = performance.now();
    if (now - (this.#playedAt.get(cue) ?? -Infinity) < SAME_MS) return;
    this.#playedAt.set(cue, now);
    if (CALLS.has(cue) && this.#speak(context, /** @type {Call} */ (cue), loud)) return;
    sound(context, VOICES[cue], loud);
  }

  /** @param {AudioContext} context @param {Call} call @param {number} loud @returns {boolean} whether it can */
  #speak(context, call, loud) {
    const how = this.settings.get("call_sounds");
    const recording = this.#recordings.get(call);
    if (how === "tones" || this.#speech === null) return false;
    const isVoiced = how === "voice" && this.#speech.speakWithVoice(call, loud / LOUDEST);
    if (!isVoiced) {
      if (recording === undefined) return false;
      this.#speech.speak(context, recording, loud);
    }
    if (WITH_TILES.has(call)) sound(context, VOICES.discard, loudness(this.settings, "tiles"));
    return true;
  }

  /** Without it calls are tones. @param {AudioContext} context */
  async #load(context) {
    try {
      this.#speech = await import("./speech.js");
      this.#recordings = await this.#speech.recordings(context);
    } catch {
      // The script cannot be loaded, or the browser plays no MP3.
    }
  }

  #wake() {
    if (this.#context === null && "AudioContext" in globalThis) {
      this.#context = new AudioContext();
      void this.#load(this.#context);
    }
    if (this.#context?.state === "suspended") void this.#context.resume();
  }
}

/**
 * The volume for the audio context, 0..1, squared so that half sounds half as loud.
 * @param {Settings} settings
 * @param {Kind} kind
 */
export function loudness(settings, kind) {
  const volume = settings.get("muted") ? 0 : settings.get("volume") * settings.get(`volume_${kind}`);
  return volume * volume * LOUDEST;
}
