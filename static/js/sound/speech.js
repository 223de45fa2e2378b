/**
 * Speaks the calls: with the recordings of `spoken_calls.js`, or with a Japanese voice of this machine. Loaded with the
 * first sound.
 *
 * @import { Call } from "./cues.js"
 */
import { SPOKEN } from "./spoken_calls.js";

/** What a voice of the browser says. @type {Readonly<Record<Call, string>>} */
const KANA = { chi: "チー", pon: "ポン", kan: "カン", kita: "ペー", riichi: "リーチ", ron: "ロン", tsumo: "ツモ" };

/** The recordings, ready to play. @param {BaseAudioContext} context @returns {Promise<Map<Call, AudioBuffer>>} */
export async function recordings(context) {
  const calls = /** @type {Call[]} */ (Object.keys(SPOKEN));
  const ready = calls.map(async (call) => {
    const bytes = Uint8Array.from(atob(SPOKEN[call]), (sign) => sign.charCodeAt(0));
    return /** @type {const} */ ([call, await context.decodeAudioData(bytes.buffer)]);
  });
  return new Map(await Promise.all(ready));
}

/** @param {BaseAudioContext} context @param {AudioBuffer} recording @param {number} loud 0..1 */
export function speak(context, recording, loud) {
  const source = context.createBufferSource();
  source.buffer = recording;
  const gain = context.createGain();
  gain.gain.value = loud;
  source.connect(gain).connect(context.destination);
  source.start();
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
