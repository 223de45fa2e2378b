/**
 * Keeps a page of the lobby up to date. Its socket sends the fragments that have changed, asks for
 * heartbeats, and sends the page to a table when the game starts.
 */
import { retryDelayMs } from "../net/backoff.js";
import { startChat } from "./chat_form.js";
import { LiveFragments } from "./live_fragments.js";
import { TableCall } from "./table_call.js";
import { storeWait } from "./stored_wait.js";

const NO_RECONNECT = new Set([4400, 4404]);

class LivePage {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.fragments = new LiveFragments(root, () => this.showWaits());
    this.attempt = 0;
    /** Milliseconds by which the server's clock is ahead. */
    this.clockOffset = 0;
    const { ready = "" } = root.dataset;
    this.call = ready === "" ? null : new TableCall(ready);
  }

  start() {
    if (this.isWaitingPlace) storeWait(this.root.dataset.lastPlace ?? "");
    this.connect();
    setInterval(() => this.showWaits(), 1000);
  }

  /** Whether people wait for a game on this page. */
  get isWaitingPlace() {
    return this.root.dataset.waits !== undefined;
  }

  get address() {
    const { ws = "", lastPlace: was = "", token = "" } = this.root.dataset;
    const query = new URLSearchParams({ language: document.documentElement.lang, was, token });
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    return `${scheme}//${location.host}${ws}?${query}`;
  }

  connect() {
    const socket = new WebSocket(this.address);
    socket.onopen = () => {
      this.attempt = 0;
    };
    socket.onmessage = ({ data }) => this.receive(socket, JSON.parse(data));
    socket.onclose = ({ code }) => {
      if (code === 4404) location.reload();
      if (NO_RECONNECT.has(code)) return;
      setTimeout(() => this.connect(), retryDelayMs(this.attempt, Math.random));
      this.attempt += 1;
    };
  }

  /** @param {WebSocket} socket @param {any} message */
  receive(socket, message) {
    if (message.t === "ask") {
      this.clockOffset = message.now - Date.now();
      socket.send('{"t":"here"}');
    } else if (message.t === "parts") this.fragments.receive(message.parts);
    else if (message.t === "call") this.call?.callAndStay();
    else if (message.t === "go") this.openTable(message.path);
  }

  /**
   * Open the page of a game; call the reader first if the page is hidden or not the place of the wait.
   *
   * @param {string} path
   */
  openTable(path) {
    if (this.isWaitingPlace) storeWait("");
    const isSeen = this.isWaitingPlace && !document.hidden;
    if (this.call === null || isSeen) location.assign(path);
    else this.call.callAndOpen(path);
  }

  /** Show how long each player has waited, the remaining time of rounds, and hours of the day. */
  showWaits() {
    for (const node of this.root.querySelectorAll("time[data-since]")) {
      const since = Number(node.getAttribute("data-since"));
      node.textContent = minutes(Date.now() + this.clockOffset - since);
    }
    for (const node of this.root.querySelectorAll("time[data-until]")) {
      const until = Number(node.getAttribute("data-until"));
      node.textContent = minutes(until - Date.now() - this.clockOffset);
    }
    for (const node of this.root.querySelectorAll("time[data-left]")) {
      node.textContent = minutes(Number(node.getAttribute("data-left")));
    }
    for (const node of this.root.querySelectorAll("time[data-hour]")) {
      node.textContent = localHour(Number(node.getAttribute("data-hour")));
    }
    for (const zone of this.root.querySelectorAll("[data-zone]")) zone.remove();
  }
}

/** An hour of the day in UTC, in the reader's time zone, such as 21:00. @param {number} hour */
function localHour(hour) {
  const moment = new Date();
  moment.setUTCHours(hour, 0);
  return `${moment.getHours()}:${String(moment.getMinutes()).padStart(2, "0")}`;
}

/** Minutes and seconds, such as 4:05; 0:00 for a time that is over. @param {number} ms */
function minutes(ms) {
  const seconds = Math.max(0, Math.round(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

const root = document.getElementById("live-page");
if (root !== null) new LivePage(root).start();
startChat();
