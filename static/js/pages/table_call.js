/**
 * Calls players to their table of a tournament or of the queue, or to their pregame table: by the
 * title, a sound and, if the reader and the browser allow it, a system notification.
 */
import { settings } from "../settings.js";
import { Attention } from "../sound/attention.js";
import { Sound } from "../sound/sound.js";

/** How long the call lasts before the table is opened, since opening it ends the sound. */
const CALL_MS = 1_200;

export class TableCall {
  /** @param {string} text that the table is ready */
  constructor(text) {
    this.text = text;
    this.calls = 0;
    this.attention = new Attention(settings);
    this.sound = new Sound(settings);
    this.#offer();
  }

  /** Call the reader, then open the table. @param {string} path */
  callAndOpen(path) {
    this.attention.show(1, this.text);
    this.sound.play("win");
    setTimeout(() => location.assign(path), CALL_MS);
  }

  /** Call the reader, because others wait at a table, and stay on this page. */
  callAndStay() {
    this.calls += 1;
    this.attention.show(this.calls, this.text);
    this.sound.play("win");
    const end = () => this.attention.show(this.calls, "");
    if (document.hidden) document.addEventListener("visibilitychange", end, { once: true });
    else setTimeout(end, CALL_MS);
  }

  /** The box that turns notifications on. */
  #offer() {
    const box = document.getElementById("notify-me");
    if (!(box instanceof HTMLInputElement) || !("Notification" in globalThis)) return;
    const field = box.closest("[hidden]");
    if (field instanceof HTMLElement) field.hidden = false;
    box.checked = settings.get("notify");
    box.addEventListener("change", () => settings.set("notify", box.checked));
    settings.subscribe((key, value) => {
      if (key === "notify") box.checked = value;
    });
  }
}
