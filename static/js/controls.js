/**
 * The reader's controls: offered actions, automatics, the order of the hand, and the sheets of
 * settings and keys. Passes answers on. Its only state of the game is a call that was pressed and
 * leaves a choice.
 *
 * @import { Auto, Autos } from "./table/autos.js"
 * @import { Words } from "./table/names.js"
 * @import { Offer } from "./table/offer.js"
 * @import { Action, View } from "./table/types.js"
 *
 * @typedef {object} Situation
 * @property {View} view
 * @property {boolean} seated
 * @property {string[]} tiles the concealed tiles of the seat at the bottom
 * @property {string | null} drawn
 * @property {Action[]} legal
 * @property {number} q
 * @property {boolean} enabled whether the question can be answered
 */
import { Autopilot } from "./input/autopilot.js";
import { lowerTile } from "./input/hand_tiles.js";
import { listen } from "./input.js";
import { settings } from "./settings.js";
import { keepOrder, moveTile } from "./table/arrange.js";
import { automatic, canTrust } from "./table/autos.js";
import { offer } from "./table/offer.js";
import { AutosWidget } from "./ui/auto_switches.js";
import { button, el, hide } from "./ui/dom.js";
import { Sheet } from "./ui/sheet.js";
import { isTouch } from "./ui/touch.js";
import { YakuSheet } from "./ui/yaku_sheet.js";

export class Controls {
  /** @type {string | null} the call that has been pressed and that leaves a choice */
  chosen = null;
  /** @type {Situation | null} */
  #now = null;
  /** @type {string[] | null} the hand as the reader has put it, null while it is sorted */
  #order = null;
  #hand = "";
  #q = -1;
  #autos = autosAtFirst();

  /**
   * @param {HTMLElement} root
   * @param {Words} say
   * @param {{answer: (q: number, action: Action) => boolean, redraw: () => void,
   *   read: (part: import("./table/keys.js").ReadPart) => void, options?: () => HTMLElement[]}} table
   *   `options`: what stands above the settings
   */
  constructor(root, say, table) {
    this.root = root;
    this.say = say;
    this.table = table;
    this.yaku = new YakuSheet(say, root.dataset.yaku ?? "");
    const isSeated = () => this.#now?.seated !== false;
    this.sheets = {
      settings: new Sheet(root, say, say.settingsTitle, async () => {
        const { languageChoice, preferences } = await import("./ui/sheet_contents.js");
        return [...(table.options?.() ?? []), ...preferences(settings, say), ...languageChoice(say)];
      }),
      help: new Sheet(root, say, isTouch() ? say.touchTableHelp : say.tableHelp, async () => {
        const { gestures, keyTables } = await import("./ui/sheet_contents.js");
        return [gestures(say, isSeated()), ...keyTables(say, isSeated(), this.yaku.isEmpty), this.yaku.node];
      }),
    };
    this.switches = new AutosWidget(say);
    this.switches.toggle = (auto) => this.toggle(auto);
    this.autopilot = new Autopilot({
      answer: (q, action) => this.#isFree() && table.answer(q, action),
      later: (call, ms) => setTimeout(call, ms),
      cancel: (timer) => clearTimeout(timer),
    });
    this.tools = el("div", "tools", this.#opener("help", "?"), this.#opener("settings", "\u2699"));
    root.append(this.switches, this.tools);
    this.drag = listen(root, this.#intents());
  }

  /**
   * Take over the situation, and return what to draw; `isAutomatic` if an automatic is going to answer.
   *
   * @param {Situation} now
   */
  update(now) {
    this.#dropEarlierChoices(now);
    const isAutomatic = this.#plan();
    const { view, drawn, legal, enabled } = now;
    const shown = offer(this.#handOrder(now), drawn, legal, view.phase, this.chosen);
    const isPassing = isAutomatic && view.phase === "claims";
    const isTurn = enabled && legal.length > 0 && !isAutomatic;
    for (const sheet of Object.values(this.sheets)) sheet.showTurn(isTurn);
    hide(this.switches, !now.seated);
    this.switches.show({ ...this.#autos, usable: canTrust(view), hasNorths: view.rules.norths === true });
    return {
      offer: isPassing ? { ...shown, buttons: [], choosingTiles: false } : shown,
      hint: isPassing ? "" : this.#hint(shown, view),
      isAutomatic,
    };
  }

  /** @param {import("./table/types.js").Clock | null} clock of the reader's open question */
  showClock(clock) {
    for (const sheet of Object.values(this.sheets)) sheet.showClock(clock);
  }

  /** @param {Auto} auto */
  toggle(auto) {
    this.#autos = { ...this.#autos, [auto]: !this.#autos[auto] };
    if (auto === "sort") this.#order = null;
    this.table.redraw();
    return true;
  }

  /** Drop the pressed call of an older question, and the automatics of an older hand. @param {Situation} now */
  #dropEarlierChoices(now) {
    const { view, q } = now;
    const hand = `${view.history.length}`;
    if (hand !== this.#hand) {
      this.#autos = autosAtFirst();
      this.#order = null;
    }
    if (q !== this.#q) this.chosen = null;
    if (q !== this.#q && view.phase === "result") lowerTile(this.root);
    this.#hand = hand;
    this.#q = q;
    this.#now = now;
  }

  /** Plan what an automatic does. @returns {boolean} whether one is going to answer */
  #plan() {
    const now = this.#now;
    if (now === null || !now.seated || !now.enabled || !this.#isFree()) return this.autopilot.setPlan(null);
    const held = now.drawn === null ? now.tiles : [...now.tiles, now.drawn];
    const action = automatic(now.view, now.legal, this.#autos, held);
    return this.autopilot.setPlan(action === null ? null : { q: now.q, action });
  }

  /** Whether the reader is not about to choose. */
  #isFree() {
    return this.chosen === null && !this.drag.isDragging;
  }

  /** @param {Situation} now @returns {string[]} */
  #handOrder({ view, seated, tiles }) {
    if (!seated || this.#autos.sort || view.phase === "result" || view.phase === "ended") return tiles;
    this.#order = keepOrder(this.#order ?? [], tiles);
    return this.#order;
  }

  /** @param {Offer} shown @param {View} view */
  #hint({ choosingRiichi, choosingTiles }, view) {
    if (choosingRiichi) return this.say.chooseRiichi;
    if (choosingTiles) return this.say.chooseTiles;
    const isShowing = view.phase === "showing" && (this.#now?.legal.length ?? 0) > 0;
    return isShowing ? this.say.showOrNot : "";
  }

  /** @param {"settings" | "help"} name */
  #open(name) {
    this.sheets[name].open();
    this.table.redraw(); // shows its clock
    if (name === "help") void this.yaku.load();
  }

  /** @param {"settings" | "help"} name @param {string} sign */
  #opener(name, sign) {
    const opener = button(`tool tool--${name}`, () => this.#open(name), sign);
    opener.title = this.sheets[name].title;
    opener.setAttribute("aria-label", opener.title);
    return opener;
  }

  /** @returns {import("./input.js").Intents} */
  #intents() {
    return {
      answer: (q, action) => this.table.answer(q, action),
      choose: (call) => {
        this.chosen = call;
        this.table.redraw();
      },
      arrange: (from, to) => {
        if (this.#order !== null) this.#order = moveTile(this.#order, from, to);
        this.table.redraw();
      },
      isArranging: () => this.#order !== null,
      toggle: (auto) => this.#now?.seated === true && this.toggle(auto),
      open: (sheet) => {
        this.#open(sheet);
        return true;
      },
      read: (part) => {
        this.table.read(part);
        return true;
      },
      redraw: () => this.table.redraw(),
    };
  }
}

/** @returns {Autos} the automatics at the start of a hand */
function autosAtFirst() {
  return {
    sort: settings.get("auto_sort"),
    win: settings.get("auto_win"),
    no_calls: settings.get("auto_no_calls"),
    tsumogiri: settings.get("auto_tsumogiri"),
    kita: settings.get("auto_kita"),
  };
}
