/** The yaku and points under the rules of the table, as the server writes them. */
import { el, setText } from "./dom.js";

/** A page that has not come by then is requested again the next time. */
const LOADING_MS = 15_000;

/** A part of the help sheet that loads its content. */
export class YakuSheet {
  #note = el("p", "sheet-note");
  #isRequested = false;
  node = el("div", "yaku-sheet", this.#note);

  /**
   * @param {import("../table/names.js").Words} say
   * @param {string} address of the content; '' at a table without one, such as those of the gallery
   */
  constructor(say, address) {
    this.say = say;
    this.address = address;
    this.#note.setAttribute("role", "status");
  }

  /** Whether nothing is ever loaded. */
  get isEmpty() {
    return this.address === "";
  }

  /** Load the content, unless it is there or on its way. */
  async load() {
    if (this.isEmpty || this.#isRequested) return;
    this.#isRequested = true;
    setText(this.#note, this.say.helpLoading);
    try {
      this.node.replaceChildren(...(await contentOf(this.address)));
    } catch {
      this.#isRequested = false;
      setText(this.#note, this.say.helpFailed);
    }
  }
}

/** @param {string} address @returns {Promise<Element[]>} */
async function contentOf(address) {
  const answer = await fetch(address, { signal: AbortSignal.timeout(LOADING_MS) });
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  return [...page.head.children, ...page.body.children];
}
