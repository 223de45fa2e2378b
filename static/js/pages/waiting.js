/**
 * Follows the reader's wait for a game on any page of the site. It keeps the place in the queue. When
 * the table is ready, it calls the reader by a bar, the title, a sound and, if the reader and the
 * browser allow it, a system notification. It opens the table by itself only from a practice game,
 * which is over then; elsewhere the reader may be in the middle of something.
 */
import { retryDelayMs } from "../net/backoff.js";
import { settings } from "../settings.js";
import { Attention } from "../sound/attention.js";
import { Sound } from "../sound/sound.js";
import { el, link, setText } from "../ui/dom.js";
import { styleSheet } from "../ui/style_sheet.js";
import { storeWait, storedWait } from "./stored_wait.js";
import { TableCall } from "./table_call.js";

const NO_RECONNECT = new Set([4400, 4404]);
/** Set the title again this often, since some pages change theirs. */
const TITLE_MS = 1_000;
const STYLE = "../../css/site/waiting.css";

/**
 * @typedef {{lobby?: string, searching?: string, seated?: string, ready?: string, go?: string, back?: string,
 *   opens?: string}} Texts `opens`: not empty if the page is left for the table that is ready
 */

/**
 * @param {string} path of the socket
 * @param {Texts} texts
 */
export function showWaiting(path, texts) {
  new Waiting(path, texts).connect();
}

class Waiting {
  #attempt = 0;
  #isReady = false;
  #text = el("span", "waiting-text");
  #link = link("waiting-link", "", "");
  #bar = el("aside", "waiting", this.#text, this.#link);

  /** @param {string} path @param {Texts} texts */
  constructor(path, texts) {
    this.path = path;
    this.texts = texts;
    this.attention = new Attention(settings);
    this.sound = new Sound(settings);
    this.#bar.setAttribute("role", "status");
    void styleSheet(new URL(STYLE, import.meta.url));
  }

  connect() {
    const language = document.documentElement.lang;
    const query = new URLSearchParams({ language, was: storedWait() });
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(`${scheme}//${location.host}${this.path}?${query}`);
    socket.onopen = () => {
      this.#attempt = 0;
    };
    socket.onmessage = ({ data }) => this.#receive(socket, JSON.parse(data));
    socket.onclose = ({ code }) => {
      if (NO_RECONNECT.has(code) || this.#isReady || storedWait() === "") return;
      setTimeout(() => this.connect(), retryDelayMs(this.#attempt, Math.random));
      this.#attempt += 1;
    };
  }

  /** @param {WebSocket} socket @param {any} message */
  #receive(socket, message) {
    if (message.t === "ask") socket.send('{"t":"here"}');
    else if (message.t === "go") {
      storeWait("");
      socket.close();
      this.#call(message.path);
    } else if (message.t === "parts" && message.parts.place !== undefined) {
      if (this.#isReady) return;
      storeWait(message.parts.place.trim());
      const isWaiting = storedWait() !== "";
      if (!isWaiting) socket.close();
      const { searching, seated, lobby, back } = this.texts;
      this.#show(isWaiting, storedWait() === "queue" ? searching : seated, lobby, back);
    }
  }

  /** @param {boolean} isShown @param {string} [text] @param {string} [href] @param {string} [linkText] */
  #show(isShown, text = "", href = "", linkText = "") {
    if (!isShown) return this.#bar.remove();
    setText(this.#text, text);
    setText(this.#link, linkText);
    this.#link.href = href;
    // Below the head of the page the bar covers nothing; a page of a table has no head.
    const head = document.querySelector("header.top");
    if (head === null) document.body.append(this.#bar);
    else head.after(this.#bar);
  }

  /** The table is ready. @param {string} path */
  #call(path) {
    if (path === location.pathname) return this.#bar.remove();
    this.#isReady = true;
    const { ready = "", go = "", opens = "" } = this.texts;
    this.#bar.classList.add("waiting--ready");
    this.#show(true, ready, path, go);
    if (opens !== "") return new TableCall(ready).callAndOpen(path);
    const showCall = () => this.attention.show(1, ready, path);
    showCall();
    setInterval(showCall, TITLE_MS);
    this.sound.play("win");
  }
}
