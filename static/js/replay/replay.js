/**
 * The page of a replay: the table's board with steps instead of answers.
 *
 * It talks to other modules of the page by events on `document`: it dispatches `position` with
 * `{at, hand, step, seat, open}` at each change and when asked by `ask-position`, and goes to the position
 * of a `goto` with `{at, seat, open}`.
 *
 * @import { Words } from "../table/names.js"
 * @import { View } from "../table/types.js"
 * @import { Command } from "./bar.js"
 * @import { Copy, Toggle } from "./panel.js"
 * @import { Script } from "./steps.js"
 */
import { followAccount } from "../account.js";
import { Effects } from "../effects.js";
import { spoken } from "../table/announcements.js";
import { display, windOf } from "../table/display.js";
import { words } from "../table/names.js";
import { offer } from "../table/offer.js";
import { scoreChart } from "../table/outcome.js";
import { Board } from "../ui/board.js";
import { el, hide, setText } from "../ui/dom.js";
import { loadKanji } from "../ui/kanji.js";
import { OutcomePanel } from "../ui/outcome_panel.js";
import { WinMoment } from "../ui/win_moment.js";
import { START, placeOf, queryOf } from "./address.js";
import { Bar } from "./bar.js";
import { listen } from "./navigation.js";
import { handText } from "./mpsz.js";
import { Panel } from "./panel.js";
import { asSeenBy, withNames } from "./shown_view.js";
import { Steps } from "./steps.js";
import { Timeline } from "./timeline.js";
import { WaitsWidget } from "./waits.js";

/** How long autoplay shows a step, at normal speed. */
const STEP_MS = 1_000;
/** How long autoplay shows the result of a hand, at normal speed. */
const RESULT_MS = 4_000;
/** The display of a win takes this share of its time at a running table. */
const MOMENT_PACE = 0.6;
/** Delay of the address bar, since browsers refuse more than about three changes a second. */
const ADDRESS_MS = 400;
/** The fragment of an address that opens the review. */
const REVIEW = "#review";

class ReplayPage {
  #at = 0;
  #timer = 0;
  #addressTimer = 0;
  /** @type {Promise<ReturnType<typeof import("./sheets.js").sheetsOf>> | null} */
  #sheets = null;

  /**
   * @param {HTMLElement} root
   * @param {HTMLElement} table
   * @param {Script} script
   * @param {Words} say
   */
  constructor(root, table, script, say) {
    this.say = say;
    this.root = root;
    this.steps = new Steps(script);
    this.script = script;
    this.board = new Board(table, say);
    this.effects = new Effects(table, say, this.board);
    this.winMoment = new WinMoment(table, say);
    this.winMoment.keepsKey = false;
    this.effects.winMoment = this.winMoment;
    void loadKanji();
    const { home = "/", game = "/" } = root.dataset;
    this.outcome = new OutcomePanel(table, say, { home, watch: home, game, review: "", rematchForm: "" });
    this.waits = new WaitsWidget(say);
    this.note = el("p", "replay-note");
    this.note.setAttribute("role", "status");
    /** For keys that read to a screen reader. @type {Promise<import("../ui/reader.js").Reader> | null} */
    this.reader = null;
    this.board.felt.after(this.waits, this.note);
    const press = (/** @type {Command} */ command) => this.press(command);
    const foot = /** @type {HTMLElement} */ (document.getElementById("replay-foot"));
    this.timeline = new Timeline(foot, say, script, (at) => this.goTo(at));
    this.bar = new Bar(foot, say, press, Boolean(document.getElementById("review")?.dataset.review));
    const panel = /** @type {HTMLElement} */ (document.getElementById("replay-panel"));
    const names = script.names.map((name, seat) => say.botName(name, script.levels?.[seat] ?? ""));
    this.panel = new Panel(
      panel,
      say,
      script,
      scoreChart(withNames(this.steps.view(this.steps.last), names)),
      {
        goTo: (at) => this.goTo(at),
        toggle: (toggle) => this.toggle(toggle),
        copy: (copy) => this.copy(copy),
      },
      this.bar.drawer,
      root.dataset.report,
    );
    const seat = Number(root.dataset.seat);
    this.place = placeOf(location.search, { ...START, seat: seat in script.names ? seat : 0 }, script.names.length);
    this.#at = this.steps.position(this.place.hand, this.place.step);
    listen(/** @type {HTMLElement} */ (table.parentElement), press, (part) => this.read(part));
    document.addEventListener("goto", (event) => this.#onGoto(event));
    addEventListener("popstate", () => {
      this.place = placeOf(location.search, this.place, script.names.length);
      this.goTo(this.steps.position(this.place.hand, this.place.step));
    });
  }

  start() {
    if (location.hash === REVIEW) this.panel.open("review", false);
    this.#draw();
    document.addEventListener("ask-position", () => this.#announcePosition());
    this.#announcePosition();
  }

  get isPlaying() {
    return this.#timer !== 0;
  }

  /** @param {Command} command */
  press(command) {
    const { steps } = this;
    const { seat } = this.place;
    const at = this.#at;
    switch (command) {
      case "play":
        return this.isPlaying ? this.stop() : this.play();
      case "seat":
        return this.#change({ seat: (seat + 1) % this.script.names.length });
      case "open":
        return this.toggle("open");
      case "drawer":
        return this.panel.toggleDrawer();
      case "review":
        return this.panel.open("review");
      case "settings":
      case "help":
        return this.openSheet(command);
      case "event":
        this.stop();
        return this.step();
      case "eventBack":
        return this.goTo(at - 1);
      case "turn":
        return this.goTo(steps.turn(at, seat, 1));
      case "turnBack":
        return this.goTo(steps.turn(at, seat, -1));
      case "hand":
        return this.goTo(steps.hand(at, 1));
      case "handBack":
        return this.goTo(steps.hand(at, -1));
      case "first":
        return this.goTo(steps.first);
      case "last":
        return this.goTo(steps.last);
    }
  }

  /** Read a part of the table to a screen reader. @param {import("../table/keys.js").ReadPart} part */
  async read(part) {
    this.reader ??= import("../ui/reader.js").then(({ Reader }) => new Reader(this.board, () => this.#waitsText()));
    (await this.reader).read(part);
  }

  /** The waits of the seats whose hands are open. */
  #waitsText() {
    const { seat, open } = this.place;
    const { say } = this;
    return this.#waitsShown(this.#shown(this.#at), seat, open)
      .map(({ wind, waits: { tiles, furiten } }) => {
        const who = say.replay.waitsOf.replace("{wind}", say.winds[wind]);
        return `${who}: ${[...tiles.map(say.tile), furiten && say.furiten].filter(Boolean).join(", ")}`;
      })
      .join(". ");
  }

  /** @param {"settings" | "help"} name */
  async openSheet(name) {
    this.stop();
    this.#sheets ??= import("./sheets.js").then(({ sheetsOf }) => sheetsOf(this.root, this.say));
    (await this.#sheets)[name].open();
  }

  /** One event forward, with its motion and sound. */
  step() {
    const next = this.#at + 1;
    if (next > this.steps.last) return;
    const before = this.#shown(this.#at);
    this.winMoment.reset();
    this.winMoment.pace = MOMENT_PACE / (this.isPlaying ? this.bar.speed : 1);
    this.#at = next;
    this.effects.apply(before, this.#shown(next), this.script.events[next], this.place.seat);
    this.#showPosition();
  }

  /** Show a position at once. @param {number} at */
  goTo(at) {
    this.stop();
    const to = this.steps.clamp(at);
    this.effects.reset();
    if (to === this.#at) return this.#draw();
    this.#at = to;
    this.#showPosition();
  }

  play() {
    if (this.#at === this.steps.last) this.goTo(this.steps.first);
    const next = () => {
      this.step();
      this.#timer = this.#at < this.steps.last ? window.setTimeout(next, this.#stepMs()) : 0;
      this.#draw();
    };
    this.#timer = window.setTimeout(next, STEP_MS / this.bar.speed);
    this.#draw();
  }

  /** How long autoplay shows this position. A win is shown for the length of its display. */
  #stepMs() {
    const { type } = this.script.events[this.#at];
    const wins = this.#shown(this.#at).results.filter((result) => result.type === "hora");
    if (type === "hora") return Math.max(STEP_MS / this.bar.speed, this.winMoment.lengthOf(wins));
    return (type === "end_kyoku" ? RESULT_MS : STEP_MS) / this.bar.speed;
  }

  stop() {
    if (!this.isPlaying) return;
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#draw();
  }

  /** @param {Toggle} toggle */
  toggle(toggle) {
    this.#change({ [toggle]: !this.place[toggle] });
  }

  /** @param {Copy} copy */
  async copy(copy) {
    const { say } = this;
    const view = this.#shown(this.#at);
    const { seat } = this.place;
    if (copy === "picture") return this.#savePicture(view);
    const drawn = view.turn === seat ? view.drawn : null;
    const text =
      copy === "link"
        ? new URL(queryOf(this.#placeNow()), location.href).href
        : handText(view.hands[seat], view.hands[seat].tiles.length % 3 === 1 ? drawn : null);
    try {
      await navigator.clipboard.writeText(text);
      this.panel.showMessage(say.replay.copied.replace("{text}", text));
    } catch {
      this.panel.showMessage(text);
    }
  }

  /** @param {View} view */
  async #savePicture(view) {
    const { picture } = await import("./picture.js");
    const { hand, step, seat } = this.#placeNow();
    const link = el("a", "");
    link.href = URL.createObjectURL(new Blob([picture(view, seat, this.say)], { type: "image/svg+xml" }));
    link.download = `${this.script.id ?? "replay"}-${hand + 1}-${step}.svg`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), STEP_MS);
  }

  /** @param {Event} event */
  #onGoto(event) {
    const {
      at,
      seat = this.place.seat,
      open = this.place.open,
    } = /** @type {CustomEvent<{at?: number, seat?: number, open?: boolean}>} */ (event).detail;
    const change = seat in this.script.names ? { seat, open } : {};
    if (at === undefined) return this.#change(change);
    this.place = { ...this.place, ...change };
    this.#at = this.steps.clamp(at);
    this.stop();
    this.effects.reset();
    this.#showPosition();
  }

  /** @param {Partial<import("./address.js").Place>} change */
  #change(change) {
    this.place = { ...this.place, ...change };
    this.effects.reset();
    this.#draw();
    this.#announcePosition();
  }

  /** Draw a new position, and announce its event to screen readers. */
  #showPosition() {
    this.#draw();
    this.board.announcer.add(this.#spokenText());
    this.board.announcer.show();
    this.#announcePosition();
  }

  #spokenText() {
    const event = this.script.events[this.#at];
    const view = this.#shown(this.#at);
    const { say } = this;
    if (event.type !== "tsumo") return spoken(event, view, null, say);
    const pai = view.drawn ?? event.pai;
    return say.replay.drew.replace("{name}", view.names[event.actor]).replace("{tile}", say.tile(pai));
  }

  #placeNow() {
    const hand = this.steps.handOf(this.#at);
    return { ...this.place, hand, step: this.#at - this.script.hands[hand].at };
  }

  /** Send the position to the address bar and to other modules of the page. */
  #announcePosition() {
    this.place = this.#placeNow();
    const { hand, step, seat, open } = this.place;
    const hands = this.script.hands.map(({ bakaze: wind, kyoku, honba }) => ({ wind, kyoku, honba }));
    const game = { names: this.names, hands };
    const detail = { at: this.#at, hand, step, seat, open, handNames: this.handNames, game };
    document.dispatchEvent(new CustomEvent("position", { detail }));
    clearTimeout(this.#addressTimer);
    const query = queryOf(this.place);
    this.panel.setReportQuery(query);
    this.#addressTimer = window.setTimeout(() => history.replaceState(null, "", query + location.hash), ADDRESS_MS);
  }

  /** The names of all hands of the game. */
  get handNames() {
    return this.script.hands.map(({ bakaze, kyoku, honba }) => this.say.handName(bakaze, kyoku, honba));
  }

  get names() {
    const { say } = this;
    if (this.place.names) return this.script.names;
    return this.script.names.map((_, seat) => say.replay.player.replace("{number}", `${seat + 1}`));
  }

  /** The view as it is shown. @param {number} at @returns {View} */
  #shown(at) {
    const { levels, avatars } = this.script;
    const view = { ...withNames(this.steps.view(at), this.names), levels, avatars: this.place.names ? avatars : [] };
    return this.place.open ? view : asSeenBy(view, this.place.seat);
  }

  #draw() {
    const view = this.#shown(this.#at);
    const { seat, open, waits } = this.place;
    const model = display(view, seat);
    const { tiles, drawn } = model.seats[0];
    const still = { q: -1, enabled: false, hint: "", seated: false };
    this.effects.motion.drawWithMotion(() => this.board.show(model, offer(tiles, drawn, [], view.phase, null), still));
    this.waits.show(waits ? this.#waitsShown(view, seat, open) : []);
    this.#drawOutcome(view, seat);
    this.#drawNote();
    this.bar.show({
      playing: this.isPlaying,
      open,
      isFirst: this.#at === this.steps.first,
      isLast: this.#at === this.steps.last,
    });
    const { hand, step } = this.#placeNow();
    this.timeline.show(this.#at, hand, step);
    this.panel.show({
      hand,
      names: this.names,
      open,
      waits,
      hasNames: this.place.names,
    });
  }

  /** @param {View} view @param {number} seat @param {boolean} open */
  #waitsShown(view, seat, open) {
    const found = this.steps.waits(this.#at);
    return found.flatMap((_, turn) => {
      const at = (seat + turn) % found.length;
      const waits = found[at];
      return waits !== null && (open || at === seat) ? [{ wind: windOf(view, at), waits }] : [];
    });
  }

  /** @param {View} view @param {number} seat */
  #drawOutcome(view, seat) {
    const isOver = view.phase === "result" || view.phase === "ended";
    if (!isOver) return this.outcome.show(null, null);
    this.outcome.show({ view, you: seat, confirm: null, stop: null, waiting: false, enabled: false, q: -1 }, null);
  }

  /** Where an imported record differs from the rules. */
  #drawNote() {
    const differences = this.script.differences.filter(({ at }) => at === this.#at);
    hide(this.note, differences.length === 0);
    setText(this.note, differences.map((difference) => difference.text ?? "").join(" "));
  }
}

/** The words with a question mark after all points of players. @param {Words} say @returns {Words} */
function withUncertainPoints(say) {
  return { ...say, points: (points) => `${say.points(points)}?` };
}

/** @param {HTMLElement} root */
async function start(root) {
  const table = /** @type {HTMLElement} */ (document.getElementById("table"));
  followAccount(root);
  const say = await words();
  const answer = await fetch(root.dataset.script ?? "");
  if (!answer.ok) throw new Error(`${root.dataset.script}: ${answer.status}`);
  /** @type {Script} */
  const script = await answer.json();
  new ReplayPage(root, table, script, script.has_points ? say : withUncertainPoints(say)).start();
  root.dataset.ready = "";
}

// The modules that are loaded later import this file's bundle, so it does not wait for them.
const root = document.getElementById("replay");
if (root !== null) void start(root);
