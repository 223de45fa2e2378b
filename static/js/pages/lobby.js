/**
 * Keeps a page of the lobby up to date: its socket sends the parts that have changed, asks now
 * and then whether somebody is there, and says when there is a table to go to.
 */
import { retryDelayMs } from "../net/backoff.js";

const FINAL = new Set([4400, 4404]);

/** @param {string} html @returns {DocumentFragment} */
function parsed(html) {
  const page = new DOMParser().parseFromString(html, "text/html");
  const fragment = document.createDocumentFragment();
  fragment.append(...page.body.childNodes);
  return fragment;
}

/** What a link or a button is known by when it is made anew. @param {Element | null} node */
function nameOf(node) {
  if (node instanceof HTMLAnchorElement) return `a[href="${node.getAttribute("href")}"]`;
  if (node instanceof HTMLButtonElement) return `button[value="${node.value}"]`;
  return "";
}

/** @param {Element} part @param {string} html */
function renew(part, html) {
  const fresh = document.createElement("div");
  fresh.append(parsed(html));
  if (fresh.innerHTML.trim() === part.innerHTML.trim()) return;
  const focused = part.contains(document.activeElement) ? nameOf(document.activeElement) : "";
  part.replaceChildren(...fresh.childNodes);
  if (focused === "") return;
  const again = part.querySelector(focused);
  if (again instanceof HTMLElement) again.focus();
}

class LivePage {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.attempt = 0;
    /** Of the server's clock before this one. */
    this.ahead = 0;
  }

  start() {
    this.connect();
    setInterval(() => this.count(), 1000);
  }

  get address() {
    const { ws = "", was = "", token = "" } = this.root.dataset;
    const query = new URLSearchParams({ language: document.documentElement.lang, was, token });
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    return `${scheme}//${location.host}${ws}?${query}`;
  }

  connect() {
    const socket = new WebSocket(this.address);
    socket.onopen = () => {
      this.attempt = 0;
    };
    socket.onmessage = ({ data }) => this.hear(socket, JSON.parse(data));
    socket.onclose = ({ code }) => {
      if (code === 4404) location.reload();
      if (FINAL.has(code)) return;
      setTimeout(() => this.connect(), retryDelayMs(this.attempt, Math.random));
      this.attempt += 1;
    };
  }

  /** @param {WebSocket} socket @param {any} message */
  hear(socket, message) {
    if (message.t === "ask") {
      this.ahead = message.now - Date.now();
      socket.send('{"t":"here"}');
    } else if (message.t === "parts") {
      for (const part of this.root.querySelectorAll("[data-part]")) {
        const html = message.parts[part.getAttribute("data-part") ?? ""];
        if (html !== undefined) renew(part, html);
      }
      this.count();
    } else if (message.t === "go") location.assign(message.path);
  }

  /** Say how long one has waited. */
  count() {
    for (const node of this.root.querySelectorAll("time[data-since]")) {
      const since = Number(node.getAttribute("data-since"));
      const seconds = Math.max(0, Math.round((Date.now() + this.ahead - since) / 1000));
      const rest = String(seconds % 60).padStart(2, "0");
      node.textContent = `${Math.floor(seconds / 60)}:${rest}`;
    }
  }
}

/** @param {HTMLElement} root */
function letCopy(root) {
  const button = root.querySelector("[data-copy]");
  const field = root.querySelector(".invite input");
  if (!(button instanceof HTMLButtonElement) || !(field instanceof HTMLInputElement)) return;
  button.hidden = false;
  button.addEventListener("click", () => {
    field.select();
    navigator.clipboard?.writeText(field.value).catch(() => undefined);
  });
}

const root = document.getElementById("live-page");
if (root !== null) {
  new LivePage(root).start();
  letCopy(root);
}
