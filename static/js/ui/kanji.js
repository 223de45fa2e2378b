/**
 * Kanji of calls and of a yakuman, which are drawn as pictures: readers may have no Japanese font. They
 * are loaded after the table, so a call in its first seconds is shown without them.
 */
import { svg } from "./dom.js";

/** @type {Readonly<Record<string, string>>} */
let outlines = {};

export async function loadKanji() {
  outlines = (await import("./kanji_outlines.js")).KANJI;
}

/** @param {string} name of a call, or `yakuman` @returns {SVGElement | null} null without kanji */
export function kanji(name) {
  const path = outlines[name];
  if (path === undefined) return null;
  const width = name === "ron" ? 1_000 : 2_000;
  return svg("svg", { class: "kanji", viewBox: `0 0 ${width} 1000` }, svg("path", { d: path }));
}
