/** The help sheet: every key and what it does. */
import { KEY_GROUPS } from "../table/keys.js";
import { el } from "./dom.js";

/**
 * @param {import("../table/names.js").Words} say
 * @returns {HTMLElement[]}
 */
export function keyTables(say) {
  return [
    el("p", "sheet-note", say.pointerHelp),
    ...KEY_GROUPS.map(({ title, lines }) => {
      const list = el(
        "dl",
        "keys",
        ...lines.map(({ id, keys }) =>
          el(
            "div",
            "keys-line",
            el("dt", "", ...keys.map((key) => el("kbd", "", say.keyNames[key] ?? key))),
            el("dd", "", say.keys[id]),
          ),
        ),
      );
      return el("section", "sheet-part", el("h3", "", say.keyGroups[title]), list);
    }),
  ];
}
