/** The table page: wires connection, widgets and input, and draws everything from one state. */
import { followAccount } from "./account.js";
import { Controls } from "./controls.js";
import { Help } from "./help.js";
import { Connection } from "./connection.js";
import { Effects } from "./effects.js";
import { LookBack } from "./look_back.js";
import { Opening } from "./opening.js";
import { choices, actionKey } from "./table/choices.js";
import { display } from "./table/display.js";
import { words } from "./table/names.js";
import { INITIAL_STATE, applyEvent, applyEvents, applySync, turnTime } from "./table/page_state.js";
import { fullEvent } from "./table/short_forms.js";
import { changeText, connectionText, question, spoken } from "./table/announcements.js";
import { Board } from "./ui/board.js";
import { Chat } from "./ui/chat.js";
import { button, hide } from "./ui/dom.js";
import { loadKanji } from "./ui/kanji.js";
import { Loading } from "./ui/loading.js";
import { styleSheet } from "./ui/style_sheet.js";

/**
 * @import { PageState } from "./table/page_state.js"
 * @import { Action, View } from "./table/types.js"
 */

const HIDDEN_MS = 250;
/** When the panel of results is loaded, which no hand needs at first. */
const OUTCOME_AFTER_MS = 8_000;
const OUTCOME_RETRY_MS = 2_000;
/** How long a warning about the wall is shown; the button of the wall keeps showing it. */
const WARNING_MS = 20_000;
/** Final statuses, which end the display of loading. */
const LOADING_ENDS = ["refused", "closed", "missing", "outdated"];

class TablePage {
  /**
   * @param {HTMLElement} root
   * @param {import("./table/names.js").Words} say
   * @param {Loading} loading
   * @param {() => WebSocket | null} takeFirstSocket
   */
  constructor(root, say, loading, takeFirstSocket) {
    this.say = say;
    this.loading = loading;
    /** @type {PageState} */
    this.state = INITIAL_STATE;
    this.isDrawing = false;

    this.board = new Board(root, this.say);
    this.effects = new Effects(root, this.say, this.board);
    this.opening = new Opening(root, this.board.felt, this.say);
    /** Of results and the final ranking. @type {import("./ui/outcome_panel.js").OutcomePanel | null} */
    this.outcome = null;
    /** @type {Promise<import("./ui/outcome_panel.js").OutcomePanel> | null} */
    this.outcomeLoad = null;
    this.nextSeatButton = button("button button--quiet turn-table", () => this.lookFromNextSeat(), say.turnTable);
    this.nextSeatButton.hidden = true;
    root.append(this.nextSeatButton);
    this.connection = new Connection(root, say, this.board, this.listener(), takeFirstSocket);
    for (const widget of [this.board.clock, this.board.announcer, this.board.centre]) widget.now = this.connection.now;
    this.controls = new Controls(root, say, {
      answer: (q, action) => this.answer(q, action),
      redraw: () => this.drawSoon(),
      read: (part) => this.read(part),
      options: () => (root.dataset.game === "" ? [] : [this.connection.requests.options]),
    });
    this.connection.requests.options.addEventListener("click", ({ target }) => {
      if (target instanceof HTMLButtonElement) this.controls.sheets.settings.close();
    });
    for (const sheet of Object.values(this.controls.sheets)) sheet.clock.now = this.connection.now;
    this.help = new Help(root, say, this.board.felt, {
      requestStudy: (q) => this.connection.socket.send({ t: "study", q }),
      redraw: () => this.drawSoon(),
    });
    this.chat = new Chat(
      root,
      this.controls.tools,
      say,
      (message) => this.connection.socket.send(message),
      (seat, words) => {
        this.board.speak(this.board.placeOf(seat), words, this.state.view?.avatars?.[seat]);
        if (seat !== this.state.you) this.effects.sound.play("chat");
      },
      root.dataset.phrases,
    );
    // Tell the other players: their pages show the wish, and a button to join.
    document
      .getElementById("rematch")
      ?.addEventListener("submit", () => this.connection.socket.send({ t: "say", phrase: "rematch" }));
    this.root = root;
    this.lookBack = new LookBack(root, say, (event) => this.showLookBack(event));
    /** For spectators. @type {Promise<import("./ui/event_bar.js").EventBar> | null} */
    this.eventBar = null;
    /** The wall, for a game with a draw. @type {Promise<import("./wall/table.js").TableWall> | null} */
    this.wall = null;
    /** For keys that read to a screen reader. @type {Promise<import("./ui/reader.js").Reader> | null} */
    this.reader = null;
    /** The guide of a staged hand. @type {import("./guided/guide_panel.js").Guide | null} */
    this.guide = null;
    const panel = document.getElementById("guide");
    if (panel !== null) void this.loadGuide(panel);
    /** For the first game with three players. @type {import("./guided/three_hints.js").ThreeHints | null} */
    this.threeHints = null;
    const hints = document.getElementById("three-hints");
    if (hints !== null) void this.loadThreePlayerHints(hints);
  }

  /** Read a part of the table to a screen reader. @param {import("./table/keys.js").ReadPart} part */
  async read(part) {
    this.reader ??= import("./ui/reader.js").then(
      ({ Reader, waitsText }) => new Reader(this.board, () => waitsText(this.help.lines, this.say)),
    );
    (await this.reader).read(part);
  }

  start() {
    this.connection.start();
    this.drawSoon();
    setTimeout(() => this.loadOutcome(), OUTCOME_AFTER_MS);
  }

  /** @returns {import("./connection.js").Page} */
  listener() {
    return {
      sync: (frame) => {
        this.loading.end();
        this.effects.reset();
        const { view: before } = this.state;
        if (before !== null) this.board.announcer.add(changeText(before, frame.view, frame.you, this.say));
        this.update(applySync(this.state, frame));
        if (frame.you === null) this.keep(null, frame.view);
        if (frame.view.phase === "idle") this.opening.prepare();
        this.followWall(true);
      },
      events: (frame) => {
        for (const event of frame.e) this.apply(fullEvent(event));
        this.update(applyEvents(this.state, frame));
        this.followWall(false);
      },
      study: (frame) => this.help.receive(frame),
      chat: (frame) => {
        this.chat.receive(frame);
        if (!frame.all) this.outcome?.showRematchWishes(frame.lines, this.state.you);
      },
      absent: (seats) => {
        const text = connectionText(this.state.absent, seats, this.state.view?.names ?? [], this.say);
        this.board.announcer.add(text);
        this.update({ absent: seats });
      },
      redraw: () => this.drawSoon(),
      status: (status) => (LOADING_ENDS.includes(status) ? this.loading.end() : this.loading.reach(status)),
    };
  }

  /** @param {import("./table/types.js").TableEvent} event */
  apply(event) {
    const { view: before, you } = this.state;
    this.state = applyEvent(this.state, event, this.connection.now());
    const { view } = this.state;
    if (before === null || view === null) return;
    if (you === null) this.keep(event, view);
    if (!this.lookBack.isLive) return; // the spectator is looking at an earlier position
    this.effects.apply(before, view, event, this.bottom);
    this.opening.apply(event, view, this.bottom);
    this.board.announcer.add(spoken(event, view, you, this.say));
    if (event.type === "away" && event.away && event.actor === you) this.connection.comeBack();
  }

  /**
   * Keep the view for looking back, and list the event in the bar of events.
   * @param {import("./table/types.js").TableEvent | null} event null for the view of a `sync`
   * @param {View} view
   */
  async keep(event, view) {
    const at = this.lookBack.keep(event, view);
    this.eventBar ??= import("./ui/event_bar.js").then(
      ({ EventBar }) => new EventBar(this.root, this.say, (wanted) => this.lookBack.goTo(wanted)),
    );
    const bar = await this.eventBar;
    if (event !== null) bar.add(event, view, at);
  }

  /**
   * @param {number} q
   * @param {Action} action
   * @returns {boolean} whether it has been sent
   */
  answer(q, action) {
    const isLegal = this.state.legal.some((offered) => actionKey(offered) === actionKey(action));
    return q === this.state.q && isLegal && this.connection.answer(q, action);
  }

  /** @param {import("./table/types.js").TableEvent | null} event of the earlier position; null if live again */
  showLookBack(event) {
    const view = this.lookBack.shownView;
    this.effects.reset();
    if (event !== null && view !== null) this.board.announcer.add(spoken(event, view, null, this.say));
    if (event === null) this.board.announcer.add(this.say.lookBack.isLive);
    this.drawSoon();
  }

  /** @param {boolean} isNew after a `sync` */
  async followWall(isNew) {
    if (this.state.wall === null) return;
    this.wall ??= this.loadWall();
    const tableWall = await this.wall;
    const { wall, view, you } = this.state;
    if (wall === null || view === null) return;
    tableWall.follow({ wall, you, names: view.names, isOver: view.phase === "ended" }, isNew);
  }

  async loadWall() {
    const { TableWall } = await import("./wall/table.js");
    return new TableWall(this.root, this.say, {
      send: (message) => this.connection.socket.send(message),
      warn: (text) => this.connection.showNotice(text, WARNING_MS),
      announce: (text) => {
        this.board.announcer.read(text);
      },
      ranking: async () => (await this.loadOutcome()).ranking,
    });
  }

  /** Load the panel of results, once; if that fails, again every two seconds. */
  loadOutcome() {
    const load = async () => {
      const { home = "/", watch = "/", game = "/", review = "", results = "" } = this.root.dataset;
      const [{ OutcomePanel }, { WinMoment }] = await Promise.all([
        import("./ui/outcome_panel.js"),
        import("./ui/win_moment.js"),
        loadKanji(),
        styleSheet(new URL(results, location.href)),
      ]);
      const rematchForm = document.getElementById("rematch")?.id ?? "";
      this.outcome = new OutcomePanel(this.root, this.say, { home, watch, game, review, rematchForm });
      this.outcome.clock.now = this.connection.now;
      this.effects.winMoment = new WinMoment(this.root, this.say);
      this.drawSoon();
      return this.outcome;
    };
    /** @type {() => ReturnType<typeof load>} */
    const loadAgain = () =>
      load().catch(async () => {
        await new Promise((resolve) => setTimeout(resolve, OUTCOME_RETRY_MS));
        return loadAgain();
      });
    this.outcomeLoad ??= loadAgain();
    return this.outcomeLoad;
  }

  /** @param {HTMLElement} panel */
  async loadGuide(panel) {
    const { Guide } = await import("./guided/guide_panel.js");
    this.guide = new Guide(this.root, panel, panel.dataset.hand ?? "");
    this.drawSoon();
  }

  /** @param {HTMLElement} panel */
  async loadThreePlayerHints(panel) {
    const { ThreeHints } = await import("./guided/three_hints.js");
    this.threeHints = new ThreeHints(panel, this.board.notices, (text) => this.board.announcer.read(text));
    this.drawSoon();
  }

  lookFromNextSeat() {
    const players = this.state.view?.hands.length ?? 1;
    this.update({ watchedSeat: (this.state.watchedSeat + 1) % players });
  }

  /** Whether the reader has left the seat to a bot, here or in another window. */
  get hasLeft() {
    const { you, requests } = this.state;
    return you !== null && requests?.left[you] === true;
  }

  /** The seat at the bottom of the screen. */
  get bottom() {
    return this.state.you ?? this.state.watchedSeat;
  }

  /** @param {Partial<PageState>} change */
  update(change) {
    this.state = { ...this.state, ...change };
    this.drawSoon();
  }

  /** Draw with the next animation frame, or soon in a hidden page, which has none. */
  drawSoon() {
    if (this.isDrawing) return;
    this.isDrawing = true;
    const draw = () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
      this.isDrawing = false;
      this.draw();
    };
    const frame = requestAnimationFrame(draw);
    const timer = setTimeout(draw, HIDDEN_MS);
  }

  draw() {
    const { say } = this;
    const { you, q, requests, hasBeginners } = this.state;
    const view = this.lookBack.shownView ?? this.state.view;
    const isPlaying = you !== null && !this.hasLeft && view !== null && view.phase !== "ended";
    // A guided hand has no other players who would wait, so the learner may leave without a question.
    const mustConfirmLeaving = isPlaying && this.root.dataset.game !== "";
    this.connection.draw(mustConfirmLeaving, this.state.legal.length > 0 ? this.state.clock : null);
    if (view === null) return;
    this.connection.requests.show(view.phase === "ended" ? null : requests, you, view);
    const seated = you !== null;
    const time = view === this.state.view ? turnTime(this.state) : null;
    const model = display(view, this.bottom, this.state.absent, time);
    const { tiles, drawn } = model.seats[0];
    const legal = this.hasLeft ? [] : this.state.legal;
    const enabled = legal.length > 0 && this.connection.socket.outbox.isOpen(q) && requests?.paused !== true;
    const { offer, hint, isAutomatic } = this.controls.update({ view, seated, tiles, drawn, legal, q, enabled });
    const isMine = enabled && !isAutomatic;
    if (isMine && view.phase === "claims") this.opening.end();
    this.root.classList.toggle("is-watching", !seated);
    this.root.toggleAttribute("data-beginners", hasBeginners || this.guide !== null);
    hide(this.nextSeatButton, seated || view.phase === "idle");
    const { chosen } = this.controls;
    this.help.show({ view, you: this.state.hasHelp ? you : null, q, legal, chosen, hasBeginners });
    const { barred, isOn: hasHelp } = this.help;
    this.effects.motion.drawWithMotion(() =>
      this.board.show(model, offer, { q, enabled, hint, seated, hasHelp, barred, waiting: this.waitingText(view) }),
    );
    const clock = view.phase === "result" || !isMine ? null : this.state.clock;
    this.board.clock.show(clock);
    this.controls.showClock(clock);
    this.drawOutcome(view, legal, enabled);
    this.connection.markPending();
    this.board.announcer.show();
    this.board.announcer.showQuestion(q, isMine ? question(view, legal, say) : "", this.state.clock);
    this.effects.showQuestion(isMine ? { q, phase: view.phase } : null);
    if (you !== null) this.guide?.show({ view, you, legal, chosen });
    if (you !== null && hasHelp) this.threeHints?.show({ view, you, legal });
  }

  /** What the table waits for before its first hand, or nothing. @param {View} view */
  waitingText({ phase }) {
    if (phase !== "idle") return "";
    const isFixing = ["commit", "reveal"].includes(this.state.wall?.state ?? "");
    return isFixing ? this.say.wall.fixing : this.say.dealing;
  }

  /** @param {View} view @param {Action[]} legal @param {boolean} enabled */
  drawOutcome(view, legal, enabled) {
    const isOver = view.phase === "result" || view.phase === "ended";
    const { confirm, stop } = choices(legal);
    const { you, q, clock } = this.state;
    if (!isOver) return this.outcome?.show(null, null);
    if (this.outcome === null) return void this.loadOutcome();
    this.outcome.show(
      {
        view,
        you,
        confirm,
        stop,
        waiting: view.phase === "result" && you !== null && !this.hasLeft && !(confirm && enabled),
        enabled,
        q,
      },
      clock,
    );
  }
}

/** The module that runs in the page already. @returns {Promise<typeof import("./first_socket.js")>} */
function firstSocket() {
  const script = /** @type {HTMLScriptElement} */ (document.getElementById("first-socket"));
  return import(script.src);
}

/** @param {HTMLElement} root */
async function start(root) {
  const loading = new Loading();
  loading.reach("scripts");
  followAccount(root);
  const [say, { takeFirstSocket }] = await Promise.all([words(), firstSocket()]);
  loading.reach("words");
  new TablePage(root, say, loading, takeFirstSocket).start();
}

// The modules that are loaded later import this file's bundle, so it does not wait for them.
const root = document.getElementById("table");
if (root !== null) void start(root);
