/**
 * Base of the table's custom elements: draws a model only if it has changed.
 *
 * @template T
 */
export class Widget extends HTMLElement {
  /** @type {string | undefined} */
  #shown;

  /** @param {import("../table/names.js").Words} say */
  constructor(say) {
    super();
    this.say = say;
  }

  /** @param {T} model plain data */
  show(model) {
    const text = JSON.stringify(model);
    if (text === this.#shown) return;
    this.#shown = text;
    this.draw(model);
  }

  /** @param {T} _model */
  draw(_model) {
    throw new Error(`${this.localName} does not draw`);
  }
}
