/**
 * What is settled beside the game: the clocks that stand, what players have voted for, a
 * notice of the house; and the buttons with which a player proposes, agrees, or goes on.
 *
 * @typedef {import("../table/names.js").Words} Words
 *
 * @typedef {object} House
 * @property {boolean} paused
 * @property {string[]} votes by seat: `pause`, `end` or nothing
 * @property {boolean[]} left by seat: its player has left it to a bot
 * @property {string} notice
 *
 * @typedef {{t: "vote", motion: string} | {t: "resume"} | {t: "leave"}} Wish
 */
import { el, hide, write } from "./dom.js";

const MOTIONS = /** @type {const} */ (["pause", "end"]);

export class HousePanel {
  #notice = el("p", "house-notice");
  #paused = el("p", "house-paused");
  #votes = el("ul", "house-votes");
  #told = "";

  /** @param {HTMLElement} root @param {Words} say @param {(wish: Wish) => void} send */
  constructor(root, say, send) {
    this.say = say;
    this.send = send;
    this.resume = this.#button(say.house.resume, { t: "resume" });
    this.node = el("section", "house", this.#notice, this.#paused, this.resume, this.#votes);
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
    hide(this.node, house === null || !(house.paused || house.notice || motions.length > 0));
    if (house === null) return;
    write(this.#notice, house.notice ?? "");
    write(this.#paused, house.paused ? this.say.house.paused : "");
    hide(this.resume, you === null || !house.paused);
    this.#votes.replaceChildren(
      ...motions.map((motion) => this.#motion(motion, house.votes, you, names)),
    );
  }

  /** What a player may propose. @returns {HTMLElement} */
  proposals() {
    const { propose } = this.say.house;
    const buttons = MOTIONS.map((motion) => this.#button(propose[motion], { t: "vote", motion }));
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
    return el("li", "", text, this.#button(label, { t: "vote", motion: isMine ? "" : motion }));
  }

  /** @param {string} label @param {Wish} wish */
  #button(label, wish) {
    const button = el("button", "button button--quiet", label);
    button.type = "button";
    button.addEventListener("click", () => this.send(wish));
    return button;
  }
}
