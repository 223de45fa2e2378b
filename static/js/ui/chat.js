/**
 * Chat of a table: a button, and a drawer with lines, quick phrases and a field. Players can be
 * muted in this browser. Every line is shown as text, never as HTML.
 *
 * @import { ChatFrame } from "../net/frames.js"
 * @import { Words } from "../table/names.js"
 *
 * @typedef {{id: string, at: number, who: string, name: string, seat: number | null, text: string,
 *   phrase: string}} Line
 */
import { button, el, hide, svg } from "./dom.js";
import { styleSheet } from "./style_sheet.js";

/** The style sheet of the drawer. */
const SHEET = new URL("../../css/table/chat_drawer.css", import.meta.url);

const MAX_LINES = 200;
const MAX_MUTED = 200;
const MUTED_KEY = "talk.muted";

export class Chat {
  /** @type {Map<string, Line>} */
  #lines = new Map();
  #muted = loadMuted();
  #list = el("ol", "");
  #log = el("div", "chat-lines", this.#list);
  #row = el("div", "chat-phrases");
  #input = el("input", "");
  /** @type {HTMLButtonElement} */
  #unmuteButton;
  #drawer;
  #button;

  /**
   * @param {HTMLElement} root
   * @param {HTMLElement} tools row of buttons that gets the chat's
   * @param {Words} say
   * @param {(message: object) => void} send
   * @param {(seat: number, words: Node) => void} speak shows at the seat what its player has said
   * @param {string} pictures the address of the pictures of the phrases; empty for none
   */
  constructor(root, tools, say, send, speak, pictures = "") {
    this.say = say;
    this.send = send;
    this.#unmuteButton = button("button button--quiet", () => this.#unmute(), say.unmute);
    this.speak = speak;
    this.pictures = pictures;
    this.#log.setAttribute("role", "log");
    this.#log.setAttribute("aria-label", say.talk);
    this.#log.tabIndex = 0;
    this.#drawer = el("section", "chat", this.#log, this.#row, this.#form());
    this.#drawer.id = "chat";
    this.#drawer.hidden = true;
    this.#drawer.setAttribute("aria-label", say.talk);
    // The letters typed in the drawer are keys of the table elsewhere.
    for (const kind of ["keydown", "keyup"]) {
      this.#drawer.addEventListener(kind, (event) => {
        if (/** @type {KeyboardEvent} */ (event).key !== "Escape") event.stopPropagation();
      });
    }
    root.append(this.#drawer);
    const sign = el("span", "chat-sign", "\u2026");
    sign.setAttribute("aria-hidden", "true");
    this.#button = button("tool tool--chat", () => this.#show(!this.#isOpen), sign);
    this.#button.title = say.talk;
    this.#button.setAttribute("aria-label", say.talk);
    this.#button.setAttribute("aria-expanded", "false");
    this.#button.setAttribute("aria-controls", "chat");
    tools.prepend(this.#button);
    root.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && this.#isOpen) this.#show(false);
    });
  }

  get #isOpen() {
    return !this.#drawer.hidden;
  }

  /** @param {boolean} isOpen */
  async #show(isOpen) {
    // A table on which nobody chats does not need it.
    if (isOpen) await styleSheet(SHEET);
    this.#button.setAttribute("aria-expanded", `${isOpen}`);
    this.#button.classList.remove("has-news");
    this.#drawer.hidden = !isOpen;
    if (!isOpen) return this.#button.focus();
    if (this.#row.childElementCount === 0) this.#row.append(...this.#phrases());
    this.#log.scrollTop = this.#log.scrollHeight;
    this.#input.focus();
  }

  /** @param {ChatFrame} frame */
  receive({ all, lines }) {
    if (all) this.#lines.clear();
    for (const line of lines) this.#lines.set(line.id, line);
    for (const id of [...this.#lines.keys()].slice(0, -MAX_LINES)) this.#lines.delete(id);
    this.#draw();
    if (all) return;
    if (!this.#isOpen) this.#button.classList.add("has-news");
    for (const line of lines) {
      if (line.seat !== null && !this.#muted.has(line.who)) this.speak(line.seat, this.#words(line));
    }
  }

  #draw() {
    hide(this.#unmuteButton, this.#muted.size === 0);
    const { scrollTop, scrollHeight, clientHeight } = this.#log;
    const isAtEnd = scrollHeight - scrollTop - clientHeight < 40;
    const shown = [...this.#lines.values()].filter(({ who }) => !this.#muted.has(who));
    this.#list.replaceChildren(...shown.map((line) => this.#line(line)));
    if (isAtEnd) this.#log.scrollTop = this.#log.scrollHeight;
  }

  /** @param {Line} line */
  #line(line) {
    const { say } = this;
    const acts = el(
      "span",
      "chat-actions",
      button("button button--quiet", () => this.#mute(line.who), say.mute),
      button("button button--quiet", () => this.send({ t: "report", line: line.id }), say.report),
    );
    acts.hidden = true;
    const toggle = () => {
      acts.hidden = !acts.hidden;
      who.setAttribute("aria-expanded", `${!acts.hidden}`);
    };
    const who = button("chat-author", toggle, line.name || say.guest);
    who.title = say.talkAbout;
    who.setAttribute("aria-expanded", "false");
    return el("li", "chat-line", who, " ", this.#words(line), acts);
  }

  /** @param {Line} line */
  #words(line) {
    if (line.phrase) {
      return el("bdi", "chat-phrase", this.#picture(line.phrase), this.say.phrases[line.phrase] ?? "");
    }
    const text = el("bdi", "", line.text);
    text.lang = ""; // nobody knows the language that players write
    return text;
  }

  /** The picture of a phrase. @param {string} phrase */
  #picture(phrase) {
    if (this.pictures === "" || !(phrase in this.say.phrases)) return null;
    // Hidden from screen readers, since the words are beside it.
    const attributes = { class: "phrase-picture", viewBox: "0 0 50 46", "aria-hidden": "true" };
    return svg("svg", attributes, svg("use", { href: `${this.pictures}#p-${phrase}` }));
  }

  /** @param {string} who */
  #mute(who) {
    this.#muted.add(who);
    storeMuted(this.#muted);
    this.#draw();
  }

  /** Filled when the drawer is first opened, since the pictures are loaded with it. */
  #phrases() {
    const buttons = Object.entries(this.say.phrases).map(([phrase, text]) => {
      const node = button("button button--quiet phrase", () => this.send({ t: "say", phrase }));
      node.append(...[this.#picture(phrase)].filter((child) => child !== null), el("span", "", text));
      return node;
    });
    return [...buttons, this.#unmuteButton];
  }

  #unmute() {
    this.#muted.clear();
    storeMuted(this.#muted);
    this.#draw();
  }

  #form() {
    const form = el("form", "chat-form");
    this.#input.maxLength = 200;
    this.#input.autocomplete = "off";
    this.#input.setAttribute("aria-label", this.say.talkField);
    this.#input.placeholder = this.say.talkField;
    const go = el("button", "button", this.say.send);
    form.append(this.#input, go);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const text = this.#input.value.trim();
      if (text !== "") this.send({ t: "say", text });
      this.#input.value = "";
    });
    return form;
  }
}

/** @returns {Set<string>} */
function loadMuted() {
  try {
    const known = JSON.parse(localStorage.getItem(MUTED_KEY) ?? "[]");
    return new Set(Array.isArray(known) ? known.filter((name) => typeof name === "string") : []);
  } catch {
    return new Set();
  }
}

/** @param {Set<string>} muted */
function storeMuted(muted) {
  try {
    localStorage.setItem(MUTED_KEY, JSON.stringify([...muted].slice(-MAX_MUTED)));
  } catch {
    // Without a store the mutes end with the page.
  }
}
