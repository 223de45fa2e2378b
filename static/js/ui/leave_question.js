/**
 * Asks before the reader leaves a running game: in a dialog for the page's link, in the browser's
 * words for closing the tab.
 *
 * @import { Words } from "../table/names.js"
 */
import { button } from "./dom.js";
import { question } from "./question.js";

/** Time to send a message before another page is loaded. */
const SENT_MS = 150;

export class LeaveQuestion {
  #isRequired = false;
  /** @type {HTMLDialogElement | null} */
  #dialog = null;
  /** @param {BeforeUnloadEvent} event */
  #ask = (event) => event.preventDefault();

  /**
   * @param {HTMLElement} root
   * @param {Words} say
   * @param {HTMLAnchorElement | null} pageLink
   * @param {() => void} giveUp leaves the seat to a bot
   */
  constructor(root, say, pageLink, giveUp) {
    this.giveUp = giveUp;
    this.root = root;
    this.say = say;
    pageLink?.addEventListener("click", (event) => {
      if (!this.#isRequired || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      this.#dialog ??= this.#make(pageLink.href);
      this.#dialog.showModal();
    });
  }

  /** @param {boolean} isNeeded whether the reader has a seat in a running game */
  setNeeded(isNeeded) {
    if (isNeeded === this.#isRequired) return;
    this.#isRequired = isNeeded;
    // Only while needed: browsers do not keep a page with this listener for the way back.
    if (isNeeded) addEventListener("beforeunload", this.#ask);
    else removeEventListener("beforeunload", this.#ask);
    if (!isNeeded) this.#dialog?.close();
  }

  /** @param {string} href */
  #make(href) {
    const { say } = this;
    const leave = () => {
      this.giveUp();
      this.setNeeded(false);
      setTimeout(() => location.assign(href), SENT_MS);
    };
    const stay = button("button button--main", () => dialog.close(), say.stay);
    const give = button("button button--quiet", leave, say.giveUp);
    const dialog = question(this.root, say.leaveTitle, say.leaveText, give, stay);
    return dialog;
  }
}
