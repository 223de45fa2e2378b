/**
 * Calls back a reader who looks at another tab: by the title, and by a system notification if the
 * reader and the browser allow it.
 *
 * @import { Settings } from "../settings.js"
 */
export class Attention {
  #title = document.title;
  #q = -1;
  /** @type {Notification | null} */
  #notice = null;

  /** @param {Settings} settings */
  constructor(settings) {
    this.settings = settings;
    settings.subscribe((key, value) => {
      if (key === "notify" && value === true) this.#ask();
    });
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.#close();
    });
  }

  /**
   * @param {number} q
   * @param {string} text the question to the reader; empty for none
   * @param {() => void} [open] what a press on the notification does besides showing the page
   */
  show(q, text, open) {
    this.#entitle(text === "" ? this.#title : `\u25cf ${text} \u00b7 ${this.#title}`);
    if (text === "") return this.#close();
    if (q === this.#q) return;
    this.#q = q;
    if (document.hidden && this.settings.get("notify")) this.#notify(text, open);
  }

  /** Set the title only if it differs: the browser passes on even the same. @param {string} title */
  #entitle(title) {
    if (document.title !== title) document.title = title;
  }

  /** @param {string} text @param {() => void} [open] */
  #notify(text, open) {
    if (!("Notification" in globalThis) || Notification.permission !== "granted") return;
    this.#close();
    try {
      const notice = new Notification(text, { body: this.#title, tag: "table", silent: true });
      notice.addEventListener("click", () => {
        window.focus();
        notice.close();
        open?.();
      });
      this.#notice = notice;
    } catch {
      this.#notice = null; // some browsers only let workers notify
    }
  }

  #close() {
    this.#notice?.close();
    this.#notice = null;
  }

  /** Ask for the browser's permission; without it the setting is off again. */
  async #ask() {
    if (!("Notification" in globalThis)) return this.settings.set("notify", false);
    const leave = await Notification.requestPermission();
    if (leave !== "granted") this.settings.set("notify", false);
  }
}
