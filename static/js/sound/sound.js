/**
 * Plays the cues. A browser lets a page sound only after it has been touched, so nothing is
 * made before. What happens at the same moment sounds once.
 *
 * @typedef {import("./cues.js").Cue} Cue
 * @typedef {import("./voices.js").Note} Note
 * @typedef {Pick<import("../settings.js").Settings, "get">} Settings
 */
import { ticks } from "./cues.js";
import { LOUDEST, VOICES } from "./voices.js";

const SAME_MS = 40;
const ATTACK_S = 0.003;
const SILENCE = 0.0001;

export class Sound {
  /** @type {AudioContext | null} */
  #context = null;
  /** @type {AudioBuffer | null} */
  #noise = null;
  /** @type {Map<Cue, number>} when it was last heard */
  #heard = new Map();
  /** @type {number[]} */
  #ticking = [];
  #deadline = 0;

  /** @param {Settings} settings */
  constructor(settings) {
    this.settings = settings;
    const wake = () => this.#wake();
    for (const touch of ["pointerdown", "keydown"]) addEventListener(touch, wake, { passive: true });
  }

  /** @param {Cue | null} cue */
  play(cue) {
    const loud = this.settings.get("muted") ? 0 : this.settings.get("volume");
    const context = this.#context;
    if (cue === null || loud === 0 || context?.state !== "running") return;
    const now = performance.now();
    if (now - (this.#heard.get(cue) ?? -Infinity) < SAME_MS) return;
    this.#heard.set(cue, now);
    for (const note of VOICES[cue]) this.#sound(context, note, loud * loud * LOUDEST);
  }

  /**
   * Let the last seconds of an open question be heard.
   * @param {import("../table/types.js").Clock | null} clock null if none is open
   * @param {() => number} now server time
   */
  countDown(clock, now) {
    if ((clock?.deadline ?? 0) === this.#deadline) return;
    this.#deadline = clock?.deadline ?? 0;
    for (const timer of this.#ticking) clearTimeout(timer);
    this.#ticking = [];
    if (clock === null) return;
    for (const wait of ticks(clock, now())) {
      this.#ticking.push(window.setTimeout(() => this.play("tick"), wait));
    }
  }

  #wake() {
    this.#context ??= "AudioContext" in globalThis ? new AudioContext() : null;
    if (this.#context?.state === "suspended") void this.#context.resume();
  }

  /** @param {AudioContext} context @param {Note} note @param {number} loud */
  #sound(context, { wave, pitch, to = pitch, at, lasts, loud: own }, loud) {
    const start = context.currentTime + at;
    const end = start + lasts;
    const gain = context.createGain();
    gain.gain.setValueAtTime(SILENCE, start);
    gain.gain.exponentialRampToValueAtTime(Math.max(own * loud, SILENCE), start + ATTACK_S);
    gain.gain.exponentialRampToValueAtTime(SILENCE, end);
    gain.connect(context.destination);
    const source = wave === "noise" ? this.#burst(context, pitch, gain) : context.createOscillator();
    if (source instanceof OscillatorNode && wave !== "noise") {
      source.type = wave;
      source.frequency.setValueAtTime(pitch, start);
      if (to !== pitch) source.frequency.exponentialRampToValueAtTime(to, end);
      source.connect(gain);
    }
    source.start(start);
    source.stop(end);
  }

  /** @param {AudioContext} context @param {number} pitch @param {AudioNode} into */
  #burst(context, pitch, into) {
    this.#noise ??= noise(context);
    const source = context.createBufferSource();
    source.buffer = this.#noise;
    const filter = context.createBiquadFilter();
    filter.type = "bandpass";
    filter.frequency.value = pitch;
    filter.Q.value = 1.2;
    source.connect(filter).connect(into);
    return source;
  }
}

/** @param {AudioContext} context a tenth of a second of noise */
function noise(context) {
  const buffer = context.createBuffer(1, context.sampleRate / 10, context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let at = 0; at < samples.length; at += 1) samples[at] = Math.random() * 2 - 1;
  return buffer;
}
