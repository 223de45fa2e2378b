/**
 * A dialog at the side of the table, made when it is first opened. It may cover the table's clock,
 * so it shows the clock itself, and says when it is the reader's turn.
 *
 * @import { Words } from "../table/names.js"
 * @import { Clock } from "../table/types.js"
 */
import { ClockWidget } from "./clock.js";
import { button, el, hide } from "./dom.js";

export class Sheet {
  /** @type {HTMLDialogElement | null} */
  #dialog = null;
  #turn;
  clock = new ClockWidget();

  /**
   * @param {HTMLElement} root
   * @param {Words} say
   * @param {string} title
   * @param {() => Node[] | Promise<Node[]>} fill may load scripts first
   */
  constructor(root, say, title, fill) {
    this.root = root;
    this.say = say;
    this.title = title;
    this.fill = fill;
    this.#turn = el("span", "sheet-turn", say.yourTurn);
    this.#turn.setAttribute("role", "status");
    this.#turn.hidden = true;
    this.clock.hidden = true;
  }

  get isOpen() {
    return this.#dialog?.open === true;
  }

  open() {
    this.#dialog ??= this.#make();
    if (!this.#dialog.open) this.#dialog.showModal();
  }

  close() {
    this.#dialog?.close();
  }

  /** @param {boolean} isAsked whether the table waits for the reader */
  showTurn(isAsked) {
    hide(this.#turn, !isAsked);
  }

  /** @param {Clock | null} clock of the reader's open question */
  showClock(clock) {
    // The table warns of the last seconds already.
    this.clock.show(clock === null || !this.isOpen ? null : { ...clock, base_ms: Infinity });
  }

  #make() {
    const heading = el("h2", "sheet-title", this.title);
    const close = button("button sheet-close", () => this.close(), this.say.close);
    const head = el("header", "sheet-head", heading, this.#turn, this.clock, close);
    const body = el("div", "sheet-body");
    const dialog = el("dialog", "sheet", head, body);
    Promise.resolve(this.fill()).then((nodes) => body.append(...nodes));
    heading.id = `sheet-${document.querySelectorAll(".sheet").length + 1}`;
    dialog.setAttribute("aria-labelledby", heading.id);
    dialog.addEventListener("click", (event) => event.target === dialog && this.close());
    this.root.append(dialog);
    return dialog;
  }
}
