/**
 * The state of the connection, and notices: a pending answer, another window, refusals.
 *
 * @typedef {object} StatusModel
 * @property {string} status
 * @property {string} text
 * @property {{seat: string, left: string} | null} lost a lost connection: what happens to the reader's
 *   seat, and the time left for the current question; both empty where they do not apply
 * @property {string} trip the round trip to the server; empty unless it is long
 * @property {string} windows says that the seat is open in another window too; empty if it is not
 * @property {string} behind the delay of the view; empty for a live view
 * @property {string} watching the number of spectators
 * @property {string} round the time that the round of the tournament has left; empty without one
 * @property {string[]} notices
 * @property {{text: string, url: string}[]} links links to other pages, if there is no table here
 */
import { el, link, setText } from "./dom.js";
import { Widget } from "./widget.js";

/** @extends {Widget<StatusModel>} */
export class StatusWidget extends Widget {
  #trip = el("span", "status-trip");
  #text = el("span", "status-text");
  #seat = el("span", "status-seat");
  #left = el("span", "status-left");
  #notices = el("span", "status-notices");
  #links = el("span", "status-links");
  #windows = el("span", "status-windows");
  #behind = el("span", "status-behind");
  #spectators = el("span", "status-watchers");
  #round = el("span", "status-round");
  #watching = el("span", "status-watching", this.#round, this.#behind, this.#spectators);

  connectedCallback() {
    if (this.firstChild !== null) return;
    // Screen readers announce changes in here; the round trip stays outside, as it always changes.
    const live = el("span", "status-live", this.#text, this.#left, this.#seat, this.#notices, this.#links);
    live.setAttribute("role", "status");
    // The time changes each second; other announcements warn before it is over.
    this.#left.setAttribute("aria-hidden", "true");
    this.#windows.setAttribute("role", "img");
    this.#windows.hidden = true;
    this.append(live, this.#watching, this.#windows, this.#trip, el("span", "status-dot"));
  }

  /** @param {StatusModel} model */
  draw({ status, text, lost, trip, windows, behind, watching, round, notices, links }) {
    this.dataset.status = status;
    // The dot shows a good connection; the words are for screen readers then.
    this.#text.classList.toggle("visually-hidden", status === "online");
    setText(this.#text, text);
    this.classList.toggle("is-lost", lost !== null);
    setText(this.#seat, lost?.seat ?? "");
    setText(this.#left, lost?.left ?? "");
    this.#trip.textContent = trip;
    this.#behind.textContent = behind;
    this.#spectators.textContent = watching;
    setText(this.#round, round);
    this.#windows.hidden = windows === "";
    this.#windows.title = windows;
    this.#windows.setAttribute("aria-label", windows);
    if (this.#links.childElementCount !== links.length) {
      this.#links.replaceChildren(...links.map(({ text, url }) => link("button button--quiet", url, text)));
    }
    const shown = [...this.#notices.children].map((node) => node.textContent);
    if (shown.join("\n") !== notices.join("\n")) {
      this.#notices.replaceChildren(...notices.map((notice) => el("span", "status-notice", notice)));
    }
  }
}

customElements.define("mj-status", StatusWidget);
