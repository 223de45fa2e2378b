/**
 * The connection of one table page: connects and reconnects, keeps the sequence numbers of
 * `docs/protocol.md`, answers each question once, and measures the server's clock. It passes
 * views, events and actions on unread.
 *
 * @import { EventsFrame, Frame, SyncFrame } from "./frames.js"
 *
 * @typedef {object} Environment
 * @property {(url: string) => WebSocket} open a socket; one that is open already has said hello
 * @property {() => number} now
 * @property {() => number} random
 * @property {(call: () => void, ms: number) => number} later
 * @property {(timer: number) => void} cancel
 * @property {() => boolean} seen whether the page is visible
 *
 * @typedef {object} Listener
 * @property {(frame: SyncFrame) => void} sync the whole table
 * @property {(frame: EventsFrame) => void} events
 * @property {(status: Status) => void} status
 * @property {() => void} outbox an answer was sent, done, or refused
 * @property {() => void} missed a pending action was dropped, since its question is over
 * @property {(ms: number) => void} trip round trip to the server
 * @property {(count: number) => void} windows how many windows the reader has open at this seat
 * @property {(count: number) => void} spectators how many there are
 * @property {(seats: boolean[]) => void} absent by seat, whether its player has no connection
 * @property {(frame: import("./frames.js").ChatFrame) => void} chat
 * @property {() => void} reported a line was reported to the moderators
 * @property {(frame: import("./frames.js").StudyFrame) => void} study help with the reader's hand
 * @property {(error: {code: string, reason?: string, text: string}) => void} error
 *
 * `reconnecting`: the connection was closed, as when a web server restarts. `offline`: there is no
 * network, the connection is dead, or no server has answered for `RESTART_MS`.
 *
 * @typedef {"connecting" | "online" | "reconnecting" | "offline" | "refused" | "closed" | "missing" | "outdated"}
 *   Status
 */
import { retryDelayMs } from "./backoff.js";
import { ServerClock } from "./server_clock.js";
import { checkSequence } from "./sequence.js";
import { Outbox } from "./outbox.js";

const CHECK_MS = 4_000;
/** Send a ping after this time without a frame, give or take one check. */
const QUIET_MS = 8_000;
/** Send a ping at least after this time or number of events, since it tells the server what was read. */
const PING_MS = 16_000;
const PING_EVENTS = 100;
/** How long to wait for a connection to open, and for the answer to a ping. */
const REPLY_MS = 8_000;
/** How long to wait for that answer after the page was hidden: the connection may be dead. */
const WAKE_REPLY_MS = 3_000;
const RESEND_MS = 4_000;
/** After this time a closed connection counts as lost; a web server restarts sooner. */
const RESTART_MS = 20_000;

/** The version of the protocol that this client speaks. */
export const PROTOCOL_VERSION = 3;

/** The address of the socket of the page's table. */
export function tableAddress() {
  const { ws = "" } = document.getElementById("table")?.dataset ?? {};
  const url = new URL(ws, location.href);
  url.protocol = location.protocol === "https:" ? "wss:" : "ws:";
  return url.href;
}

/** Close codes after which trying again is pointless. @type {Record<number, Status>} */
const FINAL = { 4400: "refused", 4403: "closed", 4404: "missing", 4413: "refused", 4426: "outdated" };

export class TableSocket {
  /**
   * @param {string} url
   * @param {Environment} environment
   * @param {Listener} listener
   */
  constructor(url, environment, listener) {
    this._url = url;
    this._environment = environment;
    this._listener = listener;
    this.clock = new ServerClock(environment.now);
    this.outbox = new Outbox(`${environment.now().toString(36)}${Math.floor(environment.random() * 1e6).toString(36)}`);
    this.seq = 0;
    /** @type {WebSocket | null} */
    this._socket = null;
    this._attempt = 0;
    this._isSynced = false;
    /** When the connection was lost; null while it is open or was never open. @type {number | null} */
    this._lostSince = null;
    this._isLost = false;
    /** Frames received over this connection. */
    this._frameCount = 0;
    /** Time since the last frame and since the last ping, as of the last check. */
    this._quietMs = 0;
    this._sincePingMs = 0;
    /** The `seq` of the last ping. */
    this._pingedSeq = 0;
    /** @type {Set<number>} */
    this._timers = new Set();
    /** @type {number | undefined} */
    this._resend = undefined;
  }

  /** Open the connection; it reconnects by itself. */
  connect() {
    this._forgetTimers();
    if (this._attempt === 0) this._listener.status("connecting");
    // A new address each time, so that a load balancer may choose another server.
    const again = this._attempt > 0 ? `&again=${this._attempt}` : "";
    const socket = this._environment.open(`${this._url}?v=${PROTOCOL_VERSION}${again}`);
    this._socket = socket;
    this._isSynced = false;
    this._frameCount = 0;
    this._expectFrame(REPLY_MS);
    socket.onopen = () => this._isCurrent(socket) && this._onOpen();
    socket.onmessage = (message) => this._isCurrent(socket) && this._onMessage(message.data);
    socket.onclose = (event) => this._isCurrent(socket) && this._onClose(event.code);
    if (socket.readyState === 1) this._watchConnection();
  }

  /** Reconnect or ping at once, since the page is visible or the network is back. */
  wake() {
    if (this._socket === null) {
      if (this._attempt > 0) this.connect();
    } else if (this._isSynced) this._ping(WAKE_REPLY_MS);
  }

  /** Reconnect as a page that was just opened. */
  reopen() {
    const socket = this._socket;
    this._attempt = 0;
    this.connect();
    socket?.close();
  }

  /** The browser reports that there is no network. */
  goOffline() {
    this._isLost = true;
    if (this._socket !== null) this._abandon();
    else if (this._attempt > 0) this._listener.status("offline");
  }

  /**
   * Answer question `q`, once.
   * @param {number} q
   * @param {{type: string}} action
   * @returns {boolean} false if it has been answered already
   */
  answer(q, action) {
    if (!this.outbox.put(q, action)) return false;
    this._listener.outbox();
    this._sendPending();
    return true;
  }

  /** Send a message that is not an answer; it is lost without a connection. @param {object} message */
  send(message) {
    if (this._isSynced) this._send(message);
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
        if (this.outbox.refuse(frame.cid)) this._listener.missed();
        return this._listener.outbox();
      case "error":
        // A server that was unavailable gets the answer again later, with the same id.
        if (frame.code !== "unavailable") this.outbox.refuse(frame.cid);
        this._listener.outbox();
        return this._listener.error({ code: frame.code, reason: frame.reason, text: frame.text });
      case "pong":
        this.clock.sample(frame.at, frame.now);
        return this._listener.trip(this._environment.now() - frame.at);
      case "seat_sockets":
        return this._listener.windows(frame.count);
      case "chat":
        return this._listener.chat(frame);
      case "reported":
        return this._listener.reported();
      case "spectators":
        return this._listener.spectators(frame.count);
      case "absent":
        return this._listener.absent(frame.seats);
      case "study":
        return this._listener.study(frame);
    }
  }

  /** @param {SyncFrame} frame */
  _onSync(frame) {
    if (frame.v !== PROTOCOL_VERSION) return this._closeForGood("outdated");
    const isFirst = !this._isSynced;
    this.seq = frame.seq;
    this._attempt = 0;
    this._isSynced = true;
    this._lostSince = null;
    this._isLost = false;
    this.clock.setEstimate(frame.now);
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
    if (!this._isSynced) return;
    switch (checkSequence(this.seq, frame.seq, frame.e.length)) {
      case "apply":
        this.seq = frame.seq;
        if (this.seq - this._pingedSeq >= PING_EVENTS) this._ping();
        return this._listener.events(frame);
      case "gap":
        this._isSynced = false;
        return this._send({ t: "hello", seq: this.seq });
    }
  }

  /** @param {number} code */
  _onClose(code) {
    this._forgetTimers();
    this._socket = null;
    this._isSynced = false;
    this.clock.reset();
    const final = FINAL[code];
    if (final !== undefined) return this._listener.status(final);
    this._lostSince ??= this._environment.now();
    if (this._environment.now() - this._lostSince >= RESTART_MS) this._isLost = true;
    this._listener.status(this._isLost ? "offline" : "reconnecting");
    this._later(() => this.connect(), retryDelayMs(this._attempt, this._environment.random));
    this._attempt += 1;
  }

  /** Close the connection for good. @param {Status} status */
  _closeForGood(status) {
    const socket = this._socket;
    this._forgetTimers();
    this._socket = null;
    this._isSynced = false;
    this._listener.status(status);
    socket?.close();
  }

  /** Ping only while no frames come: a frame shows that the connection is alive. */
  _watchConnection() {
    const since = this._environment.now();
    this._later(() => {
      // Timers of a hidden page are late, and the clock may have been set.
      const passed = Math.max(CHECK_MS, this._environment.now() - since);
      this._quietMs += passed;
      this._sincePingMs += passed;
      if (this._quietMs >= QUIET_MS || this._sincePingMs >= PING_MS) this._ping();
      this._watchConnection();
    }, CHECK_MS);
  }

  /**
   * Abandon the connection unless a frame comes in that time. It compares counts of frames, not
   * times: a hidden page gets its timers late, but not its frames.
   * @param {number} ms
   */
  _expectFrame(ms) {
    const { _frameCount, _socket } = this;
    this._later(() => {
      if (this._socket === _socket && this._frameCount === _frameCount) this._abandon();
    }, ms);
  }

  /** Treat the connection as closed, although no close event came. */
  _abandon() {
    const socket = this._socket;
    if (this._isSynced) this._isLost = true;
    this._onClose(1006);
    socket?.close();
  }

  _ping(patience = REPLY_MS) {
    const { now, seen } = this._environment;
    this._send({ t: "ping", seq: this.seq, at: Math.round(now()), seen: seen() });
    this._quietMs = this._sincePingMs = 0;
    this._pingedSeq = this.seq;
    this._expectFrame(patience);
  }

  _sendPending() {
    const { pending } = this.outbox;
    if (pending === null || !this._isSynced) return;
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
    const timer = this._environment.later(() => {
      this._timers.delete(timer);
      call();
    }, ms);
    this._timers.add(timer);
    return timer;
  }

  /** @param {number | undefined} timer */
  _cancel(timer) {
    if (timer === undefined) return;
    this._environment.cancel(timer);
    this._timers.delete(timer);
  }

  _forgetTimers() {
    for (const timer of this._timers) this._environment.cancel(timer);
    this._timers.clear();
  }
}
