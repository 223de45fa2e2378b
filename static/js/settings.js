/**
 * The reader's settings in this browser: checked values over `localStorage`. Without a store, or
 * for a value that is not valid, the default holds; only values that differ from it are written.
 *
 *     settings.get("volume")                      0.6
 *     settings.set("volume", 0.3)                 throws on a value that is not valid
 *     const stop = settings.subscribe((key, value) => ...)   also for changes of other tabs
 *
 * @typedef {object} Values
 * @property {"plain" | "contrast" | "four_colour"} tiles how the faces are drawn; by default with
 *   contrast for readers who ask the system for more of it
 * @property {"some" | "always" | "never"} tile_numbers numbers over the faces; `some`: against
 *   beginner bots, in the guided game, and on tiles with high contrast
 * @property {boolean} dim_tsumogiri whether tiles discarded as drawn are darker
 * @property {"on" | "off"} motion `prefers-reduced-motion` counts as off, whatever is set
 * @property {boolean} same_tiles light up all copies of the tile that the reader points to
 * @property {"translated" | "romaji" | "both"} yaku_names how yaku are named in results
 * @property {boolean} seat_draw show the seats and the break of the wall as the game begins
 * @property {number} volume of everything, 0..1
 * @property {number} volume_tiles of a kind of sound, as a share of `volume`
 * @property {number} volume_calls
 * @property {number} volume_alerts
 * @property {number} volume_chat
 * @property {"spoken" | "voice" | "tones"} call_sounds spoken: by a recorded voice; voice: by a
 *   Japanese voice of the browser, or else the recorded one
 * @property {boolean} muted
 * @property {boolean} notify show a system notification on the reader's turn
 * @property {"auto" | "click" | "double"} discard_by `auto`: one click, or two taps of a finger
 * @property {boolean} letter_keys whether keys with a sign on them do anything
 * @property {boolean} right_click_passes
 * @property {boolean} double_click_discards on the table: discards the drawn tile
 * @property {boolean} auto_sort the automatics as a hand begins with them
 * @property {boolean} auto_win
 * @property {boolean} auto_no_calls
 * @property {boolean} auto_tsumogiri
 * @property {boolean} auto_kita
 * @property {boolean} hint_waits waits, with the tiles left
 * @property {boolean} hint_furiten why the hand is furiten
 * @property {boolean} hint_no_yaku that the hand waits, but has no yaku
 * @property {boolean} hint_kuikae why a tile cannot be discarded after a call
 * @property {boolean} hint_shanten how far from tenpai, and which tiles help
 * @property {boolean} hint_score what the hand would be worth
 * @property {boolean} hint_beginners all help against bots for beginners
 * @property {boolean} wall_receipt save a receipt of the wall before each game
 *
 * @typedef {keyof Values} Key
 * @typedef {Pick<Storage, "getItem" | "setItem">} Store
 * @typedef {(key: Key, value: any) => void} Subscriber
 */

/** Whether the reader has asked the system for more contrast. */
const hasMoreContrast = globalThis.matchMedia?.("(prefers-contrast: more)").matches === true;

/** @type {Readonly<Values>} */
export const DEFAULTS = Object.freeze({
  tiles: hasMoreContrast ? "contrast" : "plain",
  tile_numbers: "some",
  dim_tsumogiri: false,
  motion: "on",
  same_tiles: true,
  yaku_names: "translated",
  seat_draw: true,
  volume: 0.6,
  volume_tiles: 1,
  volume_calls: 1,
  volume_alerts: 1,
  volume_chat: 1,
  call_sounds: "spoken",
  muted: false,
  notify: false,
  discard_by: "auto",
  letter_keys: true,
  right_click_passes: true,
  double_click_discards: true,
  auto_sort: true,
  auto_win: false,
  auto_no_calls: false,
  auto_tsumogiri: false,
  auto_kita: false,
  hint_waits: true,
  hint_furiten: true,
  hint_no_yaku: true,
  hint_kuikae: true,
  hint_shanten: false,
  hint_score: false,
  hint_beginners: true,
  wall_receipt: false,
});

/** The values of settings with a few choices. @type {Readonly<Partial<Record<Key, readonly string[]>>>} */
export const CHOICES = Object.freeze({
  tiles: ["plain", "contrast", "four_colour"],
  tile_numbers: ["some", "always", "never"],
  motion: ["on", "off"],
  discard_by: ["auto", "click", "double"],
  yaku_names: ["translated", "romaji", "both"],
  call_sounds: ["spoken", "voice", "tones"],
});

export const STORED_AS = "table-settings";
const KEYS = /** @type {Key[]} */ (Object.keys(DEFAULTS));

/** @param {string} key @param {unknown} value */
export function isValid(key, value) {
  if (!Object.hasOwn(DEFAULTS, key)) return false;
  const known = /** @type {Key} */ (key);
  const words = CHOICES[known];
  if (words !== undefined) return words.includes(/** @type {string} */ (value));
  if (typeof DEFAULTS[known] === "boolean") return typeof value === "boolean";
  return typeof value === "number" && value >= 0 && value <= 1;
}

export class Settings {
  /** @type {Values} */
  #values = { ...DEFAULTS };
  /** @type {Set<Subscriber>} */
  #subscribers = new Set();
  #store;

  /** @param {Store | null} store null where nothing can be stored */
  constructor(store) {
    this.#store = store;
    this.reload();
  }

  /** @template {Key} K @param {K} key @returns {Values[K]} */
  get(key) {
    return this.#values[key];
  }

  /** @returns {Readonly<Values>} */
  all() {
    return { ...this.#values };
  }

  /** The values that differ from the defaults. @returns {Partial<Values>} */
  changed() {
    const keys = KEYS.filter((key) => this.#values[key] !== DEFAULTS[key]);
    return Object.fromEntries(keys.map((key) => [key, this.#values[key]]));
  }

  /**
   * @template {Key} K
   * @param {K} key
   * @param {Values[K]} value
   */
  set(key, value) {
    if (!isValid(key, value)) throw new TypeError(`${key} cannot be ${value}`);
    this.#apply({ ...this.#read(), [key]: value });
    this.#write();
  }

  /** @param {Subscriber} subscriber called with every change @returns {() => void} unsubscribes */
  subscribe(subscriber) {
    this.#subscribers.add(subscriber);
    return () => this.#subscribers.delete(subscriber);
  }

  /** Read the store again, since another tab may have written. */
  reload() {
    this.#apply(this.#read());
  }

  /** @param {Values} values */
  #apply(values) {
    const changed = KEYS.filter((key) => values[key] !== this.#values[key]);
    this.#values = values;
    for (const key of changed) for (const subscriber of this.#subscribers) subscriber(key, values[key]);
  }

  /** @returns {Values} the stored values, or the current ones without a store */
  #read() {
    if (this.#store === null) return this.#values;
    try {
      const stored = JSON.parse(this.#store.getItem(STORED_AS) ?? "{}");
      const valid = Object.entries(stored ?? {}).filter(([key, value]) => isValid(key, value));
      return { ...DEFAULTS, ...Object.fromEntries(valid) };
    } catch {
      return { ...DEFAULTS };
    }
  }

  #write() {
    try {
      this.#store?.setItem(STORED_AS, JSON.stringify(this.changed()));
    } catch {
      this.#store = null; // full or forbidden: changes then last as long as the page
    }
  }
}

/** @returns {Store | null} */
function browserStore() {
  try {
    return globalThis.localStorage ?? null;
  } catch {
    return null;
  }
}

/** The settings of this browser. */
export const settings = new Settings(browserStore());
globalThis.addEventListener?.("storage", () => settings.reload());
