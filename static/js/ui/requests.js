/**
 * What is settled beside the game: the clocks that stand, what players have voted for, a
 * notice of the house; and the buttons with which a player proposes, agrees, or goes on.
 *
 * @import { House } from "../net/frames.js"
 * @import { Words } from "../table/names.js"
 *
 * @typedef {{t: "vote", motion: string} | {t: "resume"} | {t: "leave"}} Wish
 */
import { el, hide, write } from "./dom.js";

const MOTIONS = /** @type {const} */ (["pause", "end"]);

export class RequestsPanel {
  #notice = el("p", "house-notice");
  #paused = el("p", "house-paused");
  #left = el("p", "house-left");
  #votes = el("ul", "house-votes");
  #told = "";

  /**
   * @param {HTMLElement} root
   * @param {Words} say
   * @param {(wish: Wish) => void} send
   * @param {() => void} comeBack
   */
  constructor(root, say, send, comeBack) {
    this.say = say;
    this.send = send;
    this.resume = this.#button(say.house.resume, () => this.send({ t: "resume" }));
    this.back = this.#button(say.house.comeBack, comeBack);
    this.node = el(
      "section",
      "house",
      this.#notice,
      this.#paused,
      this.resume,
      this.#left,
      this.back,
      this.#votes,
    );
    this.node.setAttribute("aria-label", say.house.title);
    this.node.setAttribute("role", "status");
    this.node.hidden = true;
    // What is pressed here is not meant for the table.
    this.node.addEventListener("keydown", (event) => event.stopPropagation());
    root.append(this.node);
  }

  /**
   * @param {House | null} house
   * @param {number | null} you
   * @param {readonly string[]} names
   */
  show(house, you, names) {
    const told = JSON.stringify([house, you, names]);
    if (told === this.#told) return;
    this.#told = told;
    const motions = MOTIONS.filter((motion) => house?.votes.includes(motion));
    const hasLeft = you !== null && house?.left[you] === true;
    hide(
      this.node,
      house === null || !(house.paused || house.notice || hasLeft || motions.length > 0),
    );
    if (house === null) return;
    write(this.#left, hasLeft ? this.say.reasons.left : "");
    hide(this.back, !hasLeft);
    write(this.#notice, house.notice ?? "");
    write(this.#paused, house.paused ? this.say.house.paused : "");
    // What the house has stopped, it lets run again itself.
    const isHeld = Boolean(house.notice);
    hide(this.resume, you === null || hasLeft || !house.paused || isHeld);
    const voter = hasLeft ? null : you;
    this.#votes.replaceChildren(
      ...motions.map((motion) => this.#motion(motion, house.votes, voter, names)),
    );
  }

  /** What a player may propose. @returns {HTMLElement} */
  proposals() {
    const { propose } = this.say.house;
    const buttons = MOTIONS.map((motion) => this.#voting(propose[motion], motion));
    return el("div", "question-ways", ...buttons);
  }

  /**
   * @param {"pause" | "end"} motion
   * @param {string[]} votes
   * @param {number | null} you
   * @param {readonly string[]} names
   */
  #motion(motion, votes, you, names) {
    const { say } = this;
    const who = names.filter((_, seat) => votes[seat] === motion);
    const text = el("span", "house-motion", say.wanted(motion, who));
    if (you === null) return el("li", "", text);
    const isMine = votes[you] === motion;
    const label = isMine ? say.house.withdraw : say.house.agree;
    return el("li", "", text, this.#voting(label, isMine ? "" : motion));
  }

  /** @param {string} label @param {string} motion */
  #voting(label, motion) {
    return this.#button(label, () => this.send({ t: "vote", motion }));
  }

  /** @param {string} label @param {() => void} press */
  #button(label, press) {
    const button = el("button", "button button--quiet", label);
    button.type = "button";
    button.addEventListener("click", press);
    return button;
  }
}
