/**
 * The way to the talk of the table: a button, from the start; what it opens is fetched when it is
 * first wanted. What is said before that waits here.
 *
 * @import { Words } from "./table/names.js"
 */
import { button, el } from "./ui/dom.js";

export class Chat {
  /** @type {Promise<import("./ui/talk.js").Talk> | null} */
  #talk = null;
  /** @type {import("./net/frames.js").ChatFrame[]} */
  #frames = [];
  #isOpen = false;

  /**
   * @param {HTMLElement} root
   * @param {HTMLElement} tools where the button stands
   * @param {Words} say
   * @param {(message: object) => void} send
   */
  constructor(root, tools, say, send) {
    this.root = root;
    this.say = say;
    this.send = send;
    const sign = el("span", "talk-sign", "\u2026");
    sign.setAttribute("aria-hidden", "true");
    this.button = button("tool tool--talk", () => this.#show(!this.#isOpen), sign);
    this.button.title = say.talk;
    this.button.setAttribute("aria-label", say.talk);
    this.button.setAttribute("aria-expanded", "false");
    this.button.setAttribute("aria-controls", "talk");
    tools.prepend(this.button);
    root.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && this.#isOpen) this.#show(false);
    });
  }

  /** @param {import("./net/frames.js").ChatFrame} frame */
  receive(frame) {
    if (this.#talk === null) this.#frames.push(frame);
    else this.#talk.then((talk) => talk.receive(frame));
    if (!this.#isOpen && !frame.all) this.button.classList.add("has-news");
  }

  /** @param {boolean} isOpen */
  async #show(isOpen) {
    this.#isOpen = isOpen;
    this.button.setAttribute("aria-expanded", `${isOpen}`);
    this.button.classList.remove("has-news");
    this.#talk ??= this.#fetched();
    (await this.#talk).show(this.#isOpen);
    if (!isOpen) this.button.focus();
  }

  async #fetched() {
    const { Talk } = await import("./ui/talk.js");
    const talk = new Talk(this.root, this.say, this.send);
    for (const frame of this.#frames.splice(0)) talk.receive(frame);
    return talk;
  }
}
