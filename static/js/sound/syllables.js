/**
 * Speaks the calls: a buzzing source through three filters, as vowels are made, and noise for the
 * consonants. Loaded with the first sound.
 *
 * @import { Call } from "./cues.js"
 *
 * @typedef {keyof typeof FORMANTS} Sound
 * @typedef {[at: number, sound: Sound, loud: number]} Point in seconds; the voice glides between points
 * @typedef {{at: number, lasts: number, pitch: number, loud: number}} Hiss
 * @typedef {{voice: Point[], hisses: Hiss[]}} Word
 */
import { burst } from "./synth.js";

/** The resonances of vowels and nasals, in hertz. */
export const FORMANTS = {
  a: [780, 1250, 2550],
  i: [310, 2250, 3050],
  u: [340, 1300, 2350],
  o: [480, 860, 2450],
  n: [280, 1500, 2300],
  m: [250, 1000, 2200],
};
/** How loud each resonance is, and how wide, in hertz. */
const LEVELS = [1, 0.6, 0.3];
const WIDTHS = [90, 110, 160];
/** The pitch of the voice at its start, at its highest point and at its end, in hertz. */
const PITCHES = [205, 235, 160];
const PEAK_S = 0.08;
const GAIN = 2.4;
const SILENCE = 0.0001;

/** Each word lasts less than 0.7 seconds. @type {Readonly<Record<Call, Word>>} */
export const WORDS = {
  chi: {
    voice: [
      [0.08, "i", 0],
      [0.12, "i", 1],
      [0.36, "i", 0.8],
      [0.46, "i", 0],
    ],
    hisses: [{ at: 0, lasts: 0.11, pitch: 3600, loud: 0.5 }],
  },
  pon: {
    voice: [
      [0.015, "o", 0],
      [0.04, "o", 1],
      [0.2, "o", 1],
      [0.27, "n", 0.6],
      [0.42, "n", 0],
    ],
    hisses: [{ at: 0, lasts: 0.03, pitch: 800, loud: 0.7 }],
  },
  kan: {
    voice: [
      [0.03, "a", 0],
      [0.06, "a", 1],
      [0.2, "a", 1],
      [0.28, "n", 0.6],
      [0.44, "n", 0],
    ],
    hisses: [{ at: 0, lasts: 0.045, pitch: 1900, loud: 0.6 }],
  },
  kita: {
    voice: [
      [0.03, "i", 0],
      [0.05, "i", 0.9],
      [0.13, "i", 0.8],
      [0.16, "i", 0],
      [0.25, "a", 0],
      [0.27, "a", 1],
      [0.42, "a", 0.9],
      [0.54, "a", 0],
    ],
    hisses: [
      { at: 0, lasts: 0.045, pitch: 2600, loud: 0.6 },
      { at: 0.23, lasts: 0.03, pitch: 4200, loud: 0.6 },
    ],
  },
  riichi: {
    voice: [
      [0, "i", 0],
      [0.03, "i", 0.4],
      [0.05, "i", 0.1],
      [0.08, "i", 1],
      [0.24, "i", 0.9],
      [0.28, "i", 0],
      [0.39, "i", 0],
      [0.43, "i", 1],
      [0.54, "i", 0.8],
      [0.64, "i", 0],
    ],
    hisses: [{ at: 0.31, lasts: 0.11, pitch: 3600, loud: 0.5 }],
  },
  ron: {
    voice: [
      [0, "o", 0],
      [0.03, "o", 0.4],
      [0.05, "u", 0.1],
      [0.09, "o", 1],
      [0.24, "o", 1],
      [0.31, "n", 0.6],
      [0.48, "n", 0],
    ],
    hisses: [],
  },
  tsumo: {
    voice: [
      [0.07, "u", 0],
      [0.1, "u", 0.9],
      [0.18, "u", 0.8],
      [0.22, "m", 0.4],
      [0.28, "m", 0.4],
      [0.32, "o", 1],
      [0.46, "o", 0.9],
      [0.58, "o", 0],
    ],
    hisses: [{ at: 0, lasts: 0.1, pitch: 5800, loud: 0.5 }],
  },
};

/** What a voice of the browser says. @type {Readonly<Record<Call, string>>} */
const KANA = { chi: "チー", pon: "ポン", kan: "カン", kita: "ペー", riichi: "リーチ", ron: "ロン", tsumo: "ツモ" };

/**
 * @param {BaseAudioContext} context
 * @param {Call} call
 * @param {number} loud 0..1
 */
export function speak(context, call, loud) {
  const { voice, hisses } = WORDS[call];
  const now = context.currentTime;
  for (const { at, lasts, pitch, loud: own } of hisses) {
    const gain = faded(context, now + at, lasts, own * loud);
    const source = burst(context, pitch, gain);
    source.start(now + at);
    source.stop(now + at + lasts);
  }
  const [start, end] = [now + voice[0][0], now + voice[voice.length - 1][0]];
  const source = context.createOscillator();
  source.type = "sawtooth";
  source.frequency.setValueAtTime(PITCHES[0], start);
  source.frequency.linearRampToValueAtTime(PITCHES[1], start + PEAK_S);
  source.frequency.linearRampToValueAtTime(PITCHES[2], end);
  const gain = context.createGain();
  gain.gain.value = SILENCE; // a source may start one sample before its time
  gain.connect(context.destination);
  for (const [at, , own] of voice) {
    const level = Math.max(own * loud * GAIN, SILENCE);
    if (at === voice[0][0]) gain.gain.setValueAtTime(level, start);
    else gain.gain.linearRampToValueAtTime(level, now + at);
  }
  for (const [band, level] of LEVELS.entries()) resonance(context, voice, band, level, source, gain);
  source.start(start);
  source.stop(end);
}

/**
 * One resonance, which follows the sounds of a word.
 * @param {BaseAudioContext} context
 * @param {Point[]} voice
 * @param {number} band
 * @param {number} level
 * @param {AudioNode} from
 * @param {AudioNode} into
 */
function resonance(context, voice, band, level, from, into) {
  const filter = context.createBiquadFilter();
  filter.type = "bandpass";
  for (const [at, sound] of voice) {
    const pitch = FORMANTS[sound][band];
    const time = context.currentTime + at;
    const isFirst = at === voice[0][0];
    for (const [param, value] of /** @type {[AudioParam, number][]} */ ([
      [filter.frequency, pitch],
      [filter.Q, pitch / WIDTHS[band]],
    ])) {
      if (isFirst) param.setValueAtTime(value, time);
      else param.linearRampToValueAtTime(value, time);
    }
  }
  const gain = context.createGain();
  gain.gain.value = level;
  from.connect(filter).connect(gain).connect(into);
}

/**
 * A gain that rises at once and fades.
 * @param {BaseAudioContext} context
 * @param {number} start
 * @param {number} lasts
 * @param {number} loud
 */
function faded(context, start, lasts, loud) {
  const gain = context.createGain();
  gain.gain.value = SILENCE;
  gain.gain.setValueAtTime(SILENCE, start);
  gain.gain.exponentialRampToValueAtTime(Math.max(loud, SILENCE), start + lasts / 4);
  gain.gain.exponentialRampToValueAtTime(SILENCE, start + lasts);
  gain.connect(context.destination);
  return gain;
}

/**
 * Speak with a Japanese voice of this machine. Voices elsewhere are not used: they would be told
 * what happens at the table.
 * @param {Call} call
 * @param {number} loud 0..1
 * @returns {boolean} whether there is such a voice
 */
export function speakWithVoice(call, loud) {
  const synthesis = globalThis.speechSynthesis;
  const voice = synthesis?.getVoices().find(({ lang, localService }) => localService && /^ja\b/.test(lang));
  if (voice === undefined) return false;
  const utterance = new SpeechSynthesisUtterance(KANA[call]);
  Object.assign(utterance, { voice, lang: voice.lang, volume: loud, rate: 1.2 });
  synthesis.cancel();
  synthesis.speak(utterance);
  return true;
}
