/**
 * The state of the connection, and what the server has refused.
 *
 * @typedef {object} StatusModel
 * @property {string} status
 * @property {string} text
 * @property {string} notice what was refused, or empty
 */
import { el } from "./dom.js";
import { Widget } from "./widget.js";

/** @extends {Widget<StatusModel>} */
export class StatusWidget extends Widget {
  connectedCallback() {
    this.setAttribute("role", "status");
  }

  /** @param {StatusModel} model */
  draw({ status, text, notice }) {
    this.dataset.status = status;
    this.replaceChildren(
      el("span", "status-dot"),
      el("span", "status-text", text),
      notice === "" ? "" : el("span", "status-notice", notice),
    );
  }
}
customElements.define("mj-status", StatusWidget);
