/**
 * Gets the attention of a reader who looks at another tab: by the title, and by a system notification
 * if the reader and the browser allow it.
 *
 * @import { Settings } from "../settings.js"
 */
const TAG = "table";

export class Attention {
  #title = document.title;
  #q = -1;
  /** @type {Notification | null} */
  #notice = null;
  #isByWorker = false;

  /** @param {Settings} settings */
  constructor(settings) {
    this.settings = settings;
    settings.subscribe((key, value) => {
      if (key === "notify" && value === true) this.#requestPermission();
    });
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.#close();
    });
  }

  /**
   * @param {number} q the number of the question
   * @param {string} text the question to the reader; empty for none
   * @param {string} [address] what a press on the notification opens; empty for this page
   */
  show(q, text, address = "") {
    this.#setTitle(text === "" ? this.#title : `\u25cf ${text} \u00b7 ${this.#title}`);
    if (text === "") return this.#close();
    if (q === this.#q) return;
    this.#q = q;
    if (document.hidden && this.settings.get("notify")) this.#notify(text, address);
  }

  /** Set the title only if it differs, since browsers also announce an unchanged one. @param {string} title */
  #setTitle(title) {
    if (document.title !== title) document.title = title;
  }

  /** @param {string} text @param {string} address */
  #notify(text, address) {
    if (!("Notification" in globalThis) || Notification.permission !== "granted") return;
    this.#close();
    const how = { body: this.#title, tag: TAG, silent: true };
    try {
      const notice = new Notification(text, how);
      notice.addEventListener("click", () => {
        window.focus();
        notice.close();
        if (address !== "") location.assign(address);
      });
      this.#notice = notice;
    } catch {
      // Browsers of phones allow notifications of service workers only.
      this.#isByWorker = true;
      const data = { page: location.href, address };
      void navigator.serviceWorker?.ready.then((worker) => worker.showNotification(text, { ...how, data }));
    }
  }

  #close() {
    this.#notice?.close();
    this.#notice = null;
    if (this.#isByWorker) void this.#closeByWorker();
    this.#isByWorker = false;
  }

  async #closeByWorker() {
    const worker = await navigator.serviceWorker?.ready;
    for (const notice of await worker.getNotifications({ tag: TAG })) notice.close();
  }

  /** Request the browser's permission; without it turn the setting off again. */
  async #requestPermission() {
    if (!("Notification" in globalThis)) return this.settings.set("notify", false);
    const permission = await Notification.requestPermission();
    if (permission !== "granted") this.settings.set("notify", false);
  }
}
