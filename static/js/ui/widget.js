/**
 * What the custom elements of the table share: a widget is shown a model, and draws only
 * if the model has changed.
 *
 * @template T
 */
export class Widget extends HTMLElement {
  /** @type {string | undefined} */
  #shown;

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
