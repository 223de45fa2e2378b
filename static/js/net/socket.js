/**
 * The connection of one table page: connects and reconnects, keeps the numbers of
 * `docs/protocol.md`, answers each question once, and measures the server's clock.
 *
 * It knows no mahjong: views, events and actions pass through it unread, in their short forms. What it needs of
 * the browser is handed in, so that it runs in a test without one.
 *
 * @import { EventsFrame, Frame, SyncFrame } from "./frames.js"
 *
 * @typedef {object} Surroundings
 * @property {(url: string) => WebSocket} open
 * @property {() => number} now
 * @property {() => number} random
 * @property {(call: () => void, ms: number) => number} later
 * @property {(timer: number) => void} cancel
 * @property {() => boolean} seen whether the reader has the page in view
 *
 * @typedef {object} Listener
 * @property {(frame: SyncFrame) => void} sync a whole picture
 * @property {(frame: EventsFrame) => void} events what has happened since
 * @property {(status: Status) => void} status
 * @property {() => void} outbox an answer was sent, done, or refused
 * @property {() => void} missed an answer was still here when its question was over
 * @property {(ms: number) => void} trip how long the way to the server and back takes
 * @property {(count: number) => void} windows how many windows the reader has open at this seat
 * @property {(count: number) => void} watchers how many watch the table
 * @property {(frame: import("./frames.js").ChatFrame) => void} chat
 * @property {() => void} reported the moderators have been told of a line
 * @property {(frame: import("./frames.js").StudyFrame) => void} study what the rules say of the reader's hand
 * @property {(error: {code: string, reason?: string, text: string}) => void} error
 *
 * `reconnecting`: the connection has ended, as when a web server is restarted, and the page may
 * soon be back. `offline`: the network is gone, the line is dead, or nobody has answered for
 * `RESTART_MS`.
 *
 * @typedef {"connecting" | "online" | "reconnecting" | "offline" | "refused" | "closed" | "missing" | "outdated"} Status
 */
import { retryDelayMs } from "./backoff.js";
import { ServerClock } from "./clock.js";
import { gate } from "./gate.js";
import { Outbox } from "./outbox.js";

const CHECK_MS = 4_000;
/** After so long without a frame, or up to a beat less, the line is tried. */
const QUIET_MS = 8_000;
/** After so long, or so many events, the server is told what has been read. */
const PING_MS = 16_000;
const PING_EVENTS = 100;
/** How long a connection may take to open, and a ping to be answered. */
const REPLY_MS = 8_000;
/** The same when the page comes back into view: the connection may have died meanwhile. */
const WAKE_REPLY_MS = 3_000;
const RESEND_MS = 4_000;
/** How long a connection that was closed may take to come back before it is called lost: a web
 * server is replaced within it. */
const RESTART_MS = 20_000;

/** The version of the protocol that this client speaks. */
export const PROTOCOL_VERSION = 2;

/** Close codes after which trying again is pointless. @type {Record<number, Status>} */
const FINAL = { 4400: "refused", 4403: "closed", 4404: "missing", 4413: "refused", 4426: "outdated" };

export class TableSocket {
  /**
   * @param {string} url
   * @param {Surroundings} surroundings
   * @param {Listener} listener
   */
  constructor(url, surroundings, listener) {
    this._url = url;
    this._around = surroundings;
    this._listener = listener;
    this.clock = new ServerClock(surroundings.now);
    this.outbox = new Outbox(
      `${surroundings.now().toString(36)}${Math.floor(surroundings.random() * 1e6).toString(36)}`,
    );
    this.seq = 0;
    /** @type {WebSocket | null} */
    this._socket = null;
    this._attempt = 0;
    this._inStep = false;
    /** When the page was in step for the last time; null while it is, and before it first was.
     * @type {number | null} */
    this._awaySince = null;
    this._isLost = false;
    /** Frames received over this connection. */
    this._frameCount = 0;
    /** How long it is since the last frame, and since the last ping; as of the last beat. */
    this._quietMs = 0;
    this._sincePingMs = 0;
    /** What the last ping said. */
    this._pingedSeq = 0;
    /** @type {Set<number>} */
    this._timers = new Set();
    /** @type {number | undefined} */
    this._resend = undefined;
  }

  /** Open the connection; from then on it looks after itself. */
  connect() {
    this._forgetTimers();
    if (this._attempt === 0) this._listener.status("connecting");
    // Another address each time, which may lead to another server: this one may hang.
    const again = this._attempt > 0 ? `&again=${this._attempt}` : "";
    const socket = this._around.open(`${this._url}?v=${PROTOCOL_VERSION}${again}`);
    this._socket = socket;
    this._inStep = false;
    this._frameCount = 0;
    this._expectFrame(REPLY_MS);
    socket.onopen = () => this._isCurrent(socket) && this._onOpen();
    socket.onmessage = (message) => this._isCurrent(socket) && this._onMessage(message.data);
    socket.onclose = (event) => this._isCurrent(socket) && this._onClose(event.code);
  }

  /** The page is back in view or the network is: do not wait for the next attempt. */
  wake() {
    if (this._socket === null) {
      if (this._attempt > 0) this.connect();
    } else if (this._inStep) this._ping(WAKE_REPLY_MS);
  }

  /** Come again, as somebody who has just opened the page. */
  renew() {
    const socket = this._socket;
    this._attempt = 0;
    this.connect();
    socket?.close();
  }

  /** The network is gone, as far as the browser knows. */
  lose() {
    this._isLost = true;
    if (this._socket !== null) this._abandon();
    else if (this._attempt > 0) this._listener.status("offline");
  }

  /**
   * Answer question `q`, once.
   * @param {number} q
   * @param {object} action
   * @returns {boolean} false if it has been answered already
   */
  answer(q, action) {
    if (!this.outbox.put(q, action)) return false;
    this._listener.outbox();
    this._sendPending();
    return true;
  }

  /** Ask what the rules say of the reader's hand. @param {number} q */
  study(q) {
    if (this._inStep) this._send({ t: "study", q });
  }

  /** Say or report something. @param {object} message */
  send(message) {
    if (this._inStep) this._send(message);
  }

  /** @param {WebSocket} socket */
  _isCurrent(socket) {
    return this._socket === socket;
  }

  _onOpen() {
    this._send({ t: "hello", seq: this.seq });
    this._watchConnection();
  }

  /** @param {string} data */
  _onMessage(data) {
    this._frameCount += 1;
    this._quietMs = 0;
    const frame = /** @type {Frame} */ (JSON.parse(data));
    switch (frame.t) {
      case "sync":
        return this._onSync(frame);
      case "ev":
        return this._onEvents(frame);
      case "ack":
        this.outbox.acknowledge(frame.cid);
        return this._listener.outbox();
      case "stale":
        this.outbox.refuse(frame.cid);
        return this._listener.outbox();
      case "error":
        // What the server could not do just now is sent again, with the same id, in a while.
        if (frame.code !== "unavailable") this.outbox.refuse(frame.cid);
        this._listener.outbox();
        return this._listener.error({ code: frame.code, reason: frame.reason, text: frame.text });
      case "pong":
        this.clock.sample(frame.at, frame.now);
        return this._listener.trip(this._around.now() - frame.at);
      case "windows":
        return this._listener.windows(frame.count);
      case "said":
        return this._listener.chat(frame);
      case "reported":
        return this._listener.reported();
      case "watchers":
        return this._listener.watchers(frame.count);
      case "study":
        return this._listener.study(frame);
    }
  }

  /** @param {SyncFrame} frame */
  _onSync(frame) {
    if (frame.v !== PROTOCOL_VERSION) return this._closeForGood("outdated");
    const isFirst = !this._inStep;
    this.seq = frame.seq;
    this._attempt = 0;
    this._inStep = true;
    this._awaySince = null;
    this._isLost = false;
    this.clock.guess(frame.now);
    const isMissed = this.outbox.reconcile(frame.q);
    if (isFirst) this._listener.windows(1);
    this._listener.sync(frame);
    if (isMissed) this._listener.missed();
    if (isFirst) {
      this._listener.status("online");
      this._ping();
    }
    this._sendPending();
  }

  /** @param {EventsFrame} frame */
  _onEvents(frame) {
    if (!this._inStep) return;
    switch (gate(this.seq, frame.seq, frame.e.length)) {
      case "apply":
        this.seq = frame.seq;
        if (this.seq - this._pingedSeq >= PING_EVENTS) this._ping();
        return this._listener.events(frame);
      case "gap":
        this._inStep = false;
        return this._send({ t: "hello", seq: this.seq });
    }
  }

  /** @param {number} code */
  _onClose(code) {
    this._forgetTimers();
    this._socket = null;
    this._inStep = false;
    this.clock.reset();
    const final = FINAL[code];
    if (final !== undefined) return this._listener.status(final);
    this._awaySince ??= this._around.now();
    if (this._around.now() - this._awaySince >= RESTART_MS) this._isLost = true;
    this._listener.status(this._isLost ? "offline" : "reconnecting");
    this._later(() => this.connect(), retryDelayMs(this._attempt, this._around.random));
    this._attempt += 1;
  }

  /** Close the connection for good. @param {Status} status */
  _closeForGood(status) {
    const socket = this._socket;
    this._forgetTimers();
    this._socket = null;
    this._inStep = false;
    this._listener.status(status);
    socket?.close();
  }

  /** Frames that come show that the line stands: it is tried only when there are none. */
  _watchConnection() {
    const since = this._around.now();
    this._later(() => {
      // Late, where the page is out of view; and the clock may have been set.
      const passed = Math.max(CHECK_MS, this._around.now() - since);
      this._quietMs += passed;
      this._sincePingMs += passed;
      if (this._quietMs >= QUIET_MS || this._sincePingMs >= PING_MS) this._ping();
      this._watchConnection();
    }, CHECK_MS);
  }

  /**
   * Give the connection up unless something is frameCount in that time. It is counted in frames
   * and not by the clock: a page out of view has its timers called late, but not its frames.
   * @param {number} ms
   */
  _expectFrame(ms) {
    const { _frameCount, _socket } = this;
    this._later(() => {
      if (this._socket === _socket && this._frameCount === _frameCount) this._abandon();
    }, ms);
  }

  /** The connection is dead without having said so. */
  _abandon() {
    const socket = this._socket;
    if (this._inStep) this._isLost = true;
    this._onClose(1006);
    socket?.close();
  }

  _ping(patience = REPLY_MS) {
    const { now, seen } = this._around;
    this._send({ t: "ping", seq: this.seq, at: Math.round(now()), seen: seen() });
    this._quietMs = this._sincePingMs = 0;
    this._pingedSeq = this.seq;
    this._expectFrame(patience);
  }

  _sendPending() {
    const { pending } = this.outbox;
    if (pending === null || !this._inStep) return;
    this._send({ t: "act", ...pending });
    this._cancel(this._resend);
    const frameCount = this._frameCount;
    this._resend = this._later(() => {
      if (this.outbox.pending !== pending) return;
      if (this._frameCount === frameCount) this._abandon();
      else this._sendPending();
    }, RESEND_MS);
  }

  /** @param {object} message */
  _send(message) {
    if (this._socket?.readyState === 1) this._socket.send(JSON.stringify(message));
  }

  /** @param {() => void} call @param {number} ms */
  _later(call, ms) {
    const timer = this._around.later(() => {
      this._timers.delete(timer);
      call();
    }, ms);
    this._timers.add(timer);
    return timer;
  }

  /** @param {number | undefined} timer */
  _cancel(timer) {
    if (timer === undefined) return;
    this._around.cancel(timer);
    this._timers.delete(timer);
  }

  _forgetTimers() {
    for (const timer of this._timers) this._around.cancel(timer);
    this._timers.clear();
  }
}
