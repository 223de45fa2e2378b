/**
 * The connection of the table page and its display: the status, a pending answer, other windows at
 * the same seat, pauses and votes, and the question before leaving a game.
 *
 * @import { Words } from "./table/names.js"
 * @import { Action, Clock } from "./table/types.js"
 *
 * @typedef {import("./net/socket.js").Listener} Listener
 * @typedef {Pick<Listener, "sync" | "events" | "study" | "chat" | "status" | "absent"> & {redraw: () => void}} Page
 */
import { mayReload } from "./net/reload.js";
import { PROTOCOL_VERSION, TableSocket, tableAddress } from "./net/socket.js";
import { RequestsPanel } from "./ui/requests.js";
import { LeaveQuestion } from "./ui/leave_question.js";
import { markPending } from "./ui/pending.js";
import { remainingSeconds, roundText } from "./table/time.js";

/** Final statuses in which the page may be left without a question. */
const WITHOUT_TABLE = ["missing", "outdated", "refused"];
const NOTICE_MS = 5_000;
/** The round trip from which it is shown: players notice it then. */
const LONG_TRIP_MS = 400;
/** How long a text says that the seat is open in another window; after that only a sign does. */
const WINDOWS_MS = 12_000;
/** Show a pending answer or a reconnection only if it lasts longer. */
const SLOW_MS = 1_500;
/** How often to draw the clock of the round, and the time left while the connection is lost. */
const SECOND_MS = 1_000;

export class Connection {
  #status = "connecting";
  #statusSince = 0;
  #trip = "";
  #windows = 1;
  #spectators = 0;
  /** Delay of the view after the end of a hand or the game; 0 for a live view. */
  #delayS = 0;
  /** @type {"" | "hand" | "game"} what has to be over before spectators see a hand */
  #opensAfter = "";
  /** @type {import("./net/frames.js").RoundClock | null} */
  #round = null;
  #isNothingShown = false;
  #notice = "";
  #answeredAt = 0;

  /**
   * @param {HTMLElement} root
   * @param {Words} say
   * @param {Pick<import("./ui/board.js").Board, "status" | "notices">} board
   * @param {Page} page
   * @param {() => WebSocket | null} takeFirstSocket of `first_socket.js`
   */
  constructor(root, say, { status, notices }, page, takeFirstSocket) {
    this.root = root;
    this.say = say;
    this.widget = status;
    this.page = page;
    const send = (/** @type {object} */ wish) => this.socket.send(wish);
    this.requests = new RequestsPanel(notices, say, send, () => this.socket.reopen());
    const { home = "/", game = "/" } = root.dataset;
    this.links = [
      { text: say.wholeGame, url: game },
      { text: say.backHome, url: home },
    ].filter(({ url }) => url !== "");
    this.leaveQuestion = new LeaveQuestion(root, say, root.querySelector("a.leave"), () => {
      // That would end a game with bots alone. Without it the seat is kept, as the question says.
      if (!this.requests.isAlone) this.socket.send({ t: "leave" });
    });
    this.socket = new TableSocket(tableAddress(), browserEnvironment(takeFirstSocket), this.#listener());
  }

  start() {
    this.socket.connect();
    const wake = () => !document.hidden && this.socket.wake();
    addEventListener("online", wake);
    addEventListener("pageshow", wake);
    addEventListener("offline", () => this.socket.goOffline());
    document.addEventListener("visibilitychange", wake);
    this.#renewSeatProof();
    setInterval(() => (this.#round?.ends_at || this.#isLost) && this.page.redraw(), SECOND_MS);
  }

  /** Renew the seat proof, a cookie that opens a player's socket while the database is unavailable. */
  #renewSeatProof() {
    const { proof, proofEveryS } = this.root.dataset;
    if (proof === undefined) return;
    const renew = () => fetch(proof, { cache: "no-store" }).catch(() => undefined);
    setInterval(renew, Number(proofEveryS) * 1_000);
  }

  /** Tell the server that the reader is present, so that they get their seat back from the stand-in. */
  comeBack() {
    if (!document.hidden) this.socket.wake();
  }

  /** The server's time. */
  now = () => this.socket.clock.now();

  /** @param {number} q @param {Action} action @returns {boolean} false if it has been answered */
  answer(q, action) {
    const isTaken = this.socket.answer(q, action);
    if (isTaken) {
      this.#answeredAt = Date.now();
      setTimeout(this.page.redraw, SLOW_MS + 50);
    }
    return isTaken;
  }

  /** @param {string} notice shown for a while @param {number} [ms] */
  showNotice(notice, ms = NOTICE_MS) {
    this.#notice = notice;
    this.page.redraw();
    setTimeout(() => {
      if (this.#notice !== notice) return;
      this.#notice = "";
      this.page.redraw();
    }, ms);
  }

  /**
   * @param {boolean} isPlaying whether the reader has a seat in a running game
   * @param {Clock | null} clock of the reader's open question
   */
  draw(isPlaying, clock) {
    const { say } = this;
    this.widget.show({
      status: this.#status,
      text: this.#isJustLost() ? "" : say.status[this.#status],
      lost: this.#isLost && !this.#isJustLost() ? this.#lostTexts(isPlaying, clock) : null,
      trip: this.#trip,
      windows: this.#windows > 1 ? say.windows : "",
      behind: this.#delayText(),
      watching: this.#spectators > 0 ? say.watchers(this.#spectators) : "",
      round: roundText(this.#round, this.now(), say),
      notices: [this.#pendingText(), this.#emptyViewText(), this.#notice].filter(Boolean),
      links: this.#linksOf(),
    });
    this.leaveQuestion.setNeeded(isPlaying && !WITHOUT_TABLE.includes(this.#status));
  }

  /** Links for a reader whose page has no table. */
  #linksOf() {
    if (this.#status === "missing") return this.links;
    const mayHelp = this.#status === "outdated" || this.#status === "refused";
    return mayHelp ? [{ text: this.say.reload, url: location.href }] : [];
  }

  /** Mark the tile or button of a pending answer; call it after everything else is drawn. */
  markPending() {
    const { pending } = this.socket.outbox;
    markPending(this.root, pending === null ? null : /** @type {Action} */ (pending.a));
  }

  /** Load the page of the server's version, without the question before leaving. */
  #reload() {
    this.leaveQuestion.setNeeded(false);
    location.reload();
  }

  /** The text about the delay of the view; empty for a live view. */
  #delayText() {
    const minutes = Math.round(this.#delayS / 60);
    if (this.#opensAfter === "") return "";
    return this.#opensAfter === "hand" ? this.say.behind(minutes) : this.say.behindGame(minutes);
  }

  /** The text for a delayed view while it has nothing to show. */
  #emptyViewText() {
    if (!this.#isNothingShown || this.#opensAfter === "") return "";
    return this.say.notYet[this.#opensAfter];
  }

  /** Whether the page has no connection and tries to get one. */
  get #isLost() {
    return this.#status === "reconnecting" || this.#status === "offline";
  }

  /** The texts of the banner about a lost connection. @param {boolean} isPlaying @param {Clock | null} clock */
  #lostTexts(isPlaying, clock) {
    if (!isPlaying) return { seat: "", left: "" };
    const { base, bank } = clock === null ? { base: Infinity, bank: 0 } : remainingSeconds(clock, this.now());
    const seconds = base + bank;
    if (seconds === 0) return { seat: this.say.lost.over, left: "" };
    return { seat: this.say.lost.seat, left: Number.isFinite(seconds) ? this.say.secondsLeft(seconds) : "" };
  }

  /** Whether the connection was lost so recently that it is not shown yet. */
  #isJustLost() {
    return this.#status === "reconnecting" && Date.now() - this.#statusSince < SLOW_MS;
  }

  /** The text about a pending answer. */
  #pendingText() {
    if (this.socket.outbox.pending === null) return "";
    if (!["online", "reconnecting"].includes(this.#status)) return this.say.unsent;
    return Date.now() - this.#answeredAt > SLOW_MS ? this.say.sending : "";
  }

  /** @returns {Listener} */
  #listener() {
    const { page, say } = this;
    return {
      sync: (frame) => {
        this.#delayS = frame.behind_s;
        this.#opensAfter = frame.opens_after;
        this.#round = frame.requests.round ?? null;
        this.#isNothingShown = frame.view.phase === "idle";
        page.sync(frame);
      },
      events: (frame) => {
        this.#isNothingShown = false;
        page.events(frame);
      },
      study: page.study,
      outbox: page.redraw,
      status: (status) => {
        if (status !== this.#status) this.#statusSince = Date.now();
        this.#status = status;
        page.status(status);
        if (status === "outdated" && mayReload(PROTOCOL_VERSION, sessionStore())) return this.#reload();
        if (this.#isJustLost()) setTimeout(page.redraw, SLOW_MS + 50);
        page.redraw();
      },
      trip: (ms) => {
        this.#trip = ms < LONG_TRIP_MS ? "" : say.trip(ms);
        page.redraw();
      },
      windows: (count) => {
        if (count > this.#windows) this.showNotice(say.windows, WINDOWS_MS);
        if (count === 1 && this.#notice === say.windows) this.#notice = "";
        this.#windows = count;
        page.redraw();
      },
      chat: page.chat,
      reported: () => this.showNotice(say.reported),
      spectators: (count) => {
        this.#spectators = count;
        page.redraw();
      },
      absent: page.absent,
      missed: () => this.showNotice(say.missed),
      error: (error) => this.showNotice(say.refusal(error)),
    };
  }
}

/** @returns {Storage | null} null where the browser keeps nothing */
function sessionStore() {
  try {
    return sessionStorage;
  } catch {
    return null;
  }
}

/** @param {() => WebSocket | null} takeFirstSocket @returns {import("./net/socket.js").Environment} */
function browserEnvironment(takeFirstSocket) {
  return {
    open: (url) => takeFirstSocket() ?? new WebSocket(url),
    now: () => Date.now(),
    random: Math.random,
    later: (call, ms) => setTimeout(call, ms),
    cancel: (timer) => clearTimeout(timer),
    seen: () => !document.hidden,
  };
}
