/**
 * The words of the table in the reader's language. Languages are files in `names/`; one
 * that lacks a word speaks it in English.
 *
 * @typedef {import("./names/en.js").Words} Words
 */
import { en } from "./names/en.js";

/** @type {Record<string, Partial<Words>>} */
const LANGUAGES = { en };

/**
 * @param {string} language as in `<html lang>`, for example `fr` or `fr-CA`
 * @returns {Words}
 */
export function words(language) {
  const known = LANGUAGES[language.toLowerCase().split("-")[0]] ?? en;
  return { ...en, ...known };
}
