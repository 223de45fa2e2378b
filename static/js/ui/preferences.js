/**
 * The controls of the settings sheet. Changes apply at once; changes made elsewhere are shown.
 *
 * @import { Key, Settings } from "../settings.js"
 * @import { Words } from "../table/names.js"
 * @typedef {{title: string, keys: Key[]}} Part
 */
import { CHOICES } from "../settings.js";
import { HINT_KEYS } from "../table/hints.js";
import { el } from "./dom.js";
import { isTouch } from "./touch.js";

/** @type {readonly Key[]} */
export const SOUND_KEYS = [
  "volume",
  "muted",
  "volume_tiles",
  "volume_calls",
  "call_sounds",
  "volume_alerts",
  "volume_chat",
];

/** @type {readonly Part[]} */
export const PARTS = [
  { title: "acting", keys: ["discard_by", "right_click_passes", "double_click_discards", "letter_keys"] },
  { title: "autos", keys: ["auto_sort", "auto_win", "auto_no_calls", "auto_tsumogiri", "auto_kita"] },
  {
    title: "hints",
    keys: [...HINT_KEYS, "hint_beginners"],
  },
  {
    title: "table",
    keys: ["tiles", "tile_numbers", "dim_tsumogiri", "same_tiles", "yaku_names", "seat_draw", "motion"],
  },
  { title: "sound", keys: [...SOUND_KEYS, "notify"] },
];

/** Settings of a mouse, which are not shown on touch screens. @type {readonly Key[]} */
const OF_MOUSE = ["right_click_passes", "double_click_discards"];

/** Settings with two words that are shown as a switch. @type {Partial<Record<Key, [any, any]>>} */
const SWITCHES = { motion: ["on", "off"] };

/**
 * @param {Settings} settings
 * @param {Words} say
 * @param {readonly Part[]} chosen the parts to show
 * @returns {HTMLElement[]}
 */
export function preferences(settings, say, chosen = PARTS) {
  /** @type {Map<Key, (value: any) => void>} */
  const shows = new Map();
  const parts = chosen.map(({ title, keys }) => {
    const rows = keys
      .filter((key) => !(isTouch() && OF_MOUSE.includes(key)))
      .map((key) => {
        const { node, show } = control(settings, key, say);
        show(settings.get(key));
        shows.set(key, show);
        return node;
      });
    const part = el("fieldset", "sheet-part", el("legend", "", say.settingParts[title]), ...rows);
    if (title === "hints") part.append(el("p", "sheet-note", say.hintsNote));
    return part;
  });
  settings.subscribe((key, value) => shows.get(key)?.(value));
  return parts;
}

/**
 * @param {Settings} settings
 * @param {Key} key
 * @param {Words} say
 * @returns {{node: HTMLElement, show: (value: any) => void}}
 */
function control(settings, key, say) {
  const words = CHOICES[key];
  if (words !== undefined && !(key in SWITCHES)) return menu(settings, key, words, say);
  return typeof settings.get(key) === "number" ? slider(settings, key, say) : toggle(settings, key, say);
}

/** @param {Settings} settings @param {Key} key @param {readonly string[]} words @param {Words} say */
function menu(settings, key, words, say) {
  const options = words.map((word) => {
    const option = el("option", "", say.settingChoices[word]);
    option.value = word;
    return option;
  });
  const select = el("select", "", ...options);
  select.addEventListener("change", () => settings.set(key, /** @type {any} */ (select.value)));
  return {
    node: row(key, select, say),
    show: (/** @type {string} */ value) => {
      select.value = value;
    },
  };
}

/** @param {Settings} settings @param {Key} key @param {Words} say */
function slider(settings, key, say) {
  const input = el("input", "");
  Object.assign(input, { type: "range", min: "0", max: "1", step: "0.05" });
  input.addEventListener("input", () => settings.set(key, /** @type {any} */ (Number(input.value))));
  return {
    node: row(key, input, say),
    show: (/** @type {number} */ value) => {
      input.value = String(value);
    },
  };
}

/** @param {Settings} settings @param {Key} key @param {Words} say */
function toggle(settings, key, say) {
  const [on, off] = SWITCHES[key] ?? [true, false];
  const input = el("input", "");
  input.type = "checkbox";
  input.addEventListener("change", () => settings.set(key, /** @type {any} */ (input.checked ? on : off)));
  return {
    node: row(key, input, say),
    show: (/** @type {unknown} */ value) => {
      input.checked = value === on;
    },
  };
}

/** @param {Key} key @param {HTMLElement} control @param {Words} say */
function row(key, control, say) {
  control.dataset.setting = key;
  return el("label", "sheet-row", el("span", "", say.settings[key]), control);
}
