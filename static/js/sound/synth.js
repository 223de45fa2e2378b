/**
 * Plays notes in an audio context, live or offline.
 *
 * @import { Note } from "./voices.js"
 */
const ATTACK_S = 0.003;
const SILENCE = 0.0001;
const NOISE_S = 0.2;

/** @type {WeakMap<BaseAudioContext, AudioBuffer>} */
const noises = new WeakMap();

/**
 * @param {BaseAudioContext} context
 * @param {readonly Note[]} notes
 * @param {number} loud 0..1
 */
export function sound(context, notes, loud) {
  for (const note of notes) playNote(context, note, loud);
}

/** @param {BaseAudioContext} context @param {Note} note @param {number} loud */
function playNote(context, { wave, pitch, to = pitch, at, lasts, loud: own }, loud) {
  const start = context.currentTime + at;
  const end = start + lasts;
  const gain = context.createGain();
  gain.gain.value = SILENCE; // a source may start one sample before its time
  gain.gain.setValueAtTime(SILENCE, start);
  gain.gain.exponentialRampToValueAtTime(Math.max(own * loud, SILENCE), start + ATTACK_S);
  gain.gain.exponentialRampToValueAtTime(SILENCE, end);
  gain.connect(context.destination);
  const source = wave === "noise" ? burst(context, pitch, gain) : context.createOscillator();
  if (source instanceof OscillatorNode && wave !== "noise") {
    source.type = wave;
    source.frequency.setValueAtTime(pitch, start);
    if (to !== pitch) source.frequency.exponentialRampToValueAtTime(to, end);
    source.connect(gain);
  }
  source.start(start);
  source.stop(end);
}

/** Noise around a pitch. @param {BaseAudioContext} context @param {number} pitch @param {AudioNode} into */
export function burst(context, pitch, into) {
  const source = context.createBufferSource();
  source.buffer = noises.get(context) ?? noise(context);
  const filter = context.createBiquadFilter();
  filter.type = "bandpass";
  filter.frequency.value = pitch;
  filter.Q.value = 1.2;
  source.connect(filter).connect(into);
  return source;
}

/** @param {BaseAudioContext} context */
function noise(context) {
  const buffer = context.createBuffer(1, context.sampleRate * NOISE_S, context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let at = 0; at < samples.length; at += 1) samples[at] = Math.random() * 2 - 1;
  noises.set(context, buffer);
  return buffer;
}
