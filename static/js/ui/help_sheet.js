/**
 * What the help sheet says about gestures, and every key and what it does. On a touch screen no key
 * is listed.
 *
 * @import { Words } from "../table/names.js"
 */
import { KEY_GROUPS, SPECTATOR_GROUPS } from "../table/keys.js";
import { el } from "./dom.js";
import { isTouch } from "./touch.js";

/** @param {Words} say @param {boolean} seated @returns {HTMLElement} */
export function gestures(say, seated) {
  const { pointers, touches } = seated ? say.gestures : say.lookBack;
  return el("p", "sheet-note", isTouch() ? touches : pointers);
}

/**
 * The keys under one heading, folded so that the yaku below are seen too.
 *
 * @param {Words} say
 * @param {boolean} seated
 * @param {boolean} isOpen
 * @returns {HTMLElement[]}
 */
export function keyTables(say, seated, isOpen) {
  if (isTouch()) return [];
  const tables = keySections(seated ? KEY_GROUPS : SPECTATOR_GROUPS, say);
  const folded = el("details", "ys", el("summary", "", say.keysTitle), ...tables);
  folded.open = isOpen;
  return [folded];
}

/** @param {typeof KEY_GROUPS} groups @param {Words} say */
export function keySections(groups, say) {
  return groups.map(({ title, lines }) => {
    const list = keyList(
      lines.map(({ id, keys }) => ({
        keys: keys.map((key) => say.keyNames[key] ?? key),
        text: say.keys[id],
      })),
    );
    return el("section", "sheet-part", el("h3", "", say.keyGroups[title]), list);
  });
}

/** @param {{keys: string[], text: string}[]} lines keys as they are written on the keyboard */
export function keyList(lines) {
  return el(
    "dl",
    "keys",
    ...lines.map(({ keys, text }) =>
      el("div", "keys-line", el("dt", "", ...keys.map((key) => el("kbd", "", key))), el("dd", "", text)),
    ),
  );
}
