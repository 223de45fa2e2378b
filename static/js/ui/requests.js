/**
 * Requests at the table: pauses, votes, notices of the server, and their buttons.
 *
 * @import { TableRequests } from "../net/frames.js"
 * @import { Words } from "../table/names.js"
 *
 * @typedef {{t: "vote", motion: string} | {t: "resume"} | {t: "leave"}} RequestMessage
 */
import { button, el, hide, setText } from "./dom.js";
import { question } from "./question.js";

const VOTE_CHOICES = /** @type {const} */ (["pause", "end"]);

export class RequestsPanel {
  #notice = el("p", "requests-notice");
  #paused = el("p", "requests-paused");
  #left = el("p", "requests-left");
  #votes = el("ul", "requests-votes");
  #shown = "";
  /** Whether all others are bots. */
  isAlone = false;
  #proposals = VOTE_CHOICES.map((choice) => button("button button--quiet", () => this.#propose(choice), ""));
  #endsAtOnce = false;
  /** @type {HTMLDialogElement | null} */
  #endQuestion = null;
  /** Buttons for proposals, for the sheet of settings; with bots only, nobody else has to agree. */
  options = el("section", "sheet-part");

  /**
   * @param {HTMLElement} root
   * @param {Words} say
   * @param {(wish: RequestMessage) => void} send
   * @param {() => void} comeBack
   */
  constructor(root, say, send, comeBack) {
    this.root = root;
    this.say = say;
    this.send = send;
    this.resume = button("button button--quiet", () => send({ t: "resume" }), say.requests.resume);
    this.back = button("button button--main", comeBack, say.requests.comeBack);
    this.node = el("section", "requests", this.#notice, this.#paused, this.resume, this.#left, this.back, this.#votes);
    this.node.setAttribute("aria-label", say.requests.title);
    this.node.setAttribute("role", "status");
    this.node.hidden = true;
    // Keys pressed here are not for the table.
    this.node.addEventListener("keydown", (event) => event.stopPropagation());
    root.append(this.node);
    this.options.append(
      el("h3", "", say.requests.title),
      el("div", "question-buttons sheet-proposals", ...this.#proposals),
    );
  }

  /**
   * @param {TableRequests | null} requests
   * @param {number | null} you
   * @param {{names: readonly string[], bots: readonly boolean[]}} players
   */
  show(requests, you, { names, bots }) {
    const shown = JSON.stringify([requests, you, names, bots]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.isAlone = bots.every((isBot, seat) => isBot || seat === you);
    const { alone, propose } = this.say.requests;
    for (const [at, choice] of VOTE_CHOICES.entries()) {
      const isDecided = this.isAlone && !(choice === "end" && requests?.end_needs_all);
      if (choice === "end") this.#endsAtOnce = isDecided;
      setText(this.#proposals[at], (isDecided ? alone : propose)[choice]);
      hide(this.#proposals[at], choice === "pause" && requests?.paused === true);
    }
    if (requests === null) this.#endQuestion?.close();
    const proposed = VOTE_CHOICES.filter((choice) => requests?.votes.includes(choice));
    const hasLeft = you !== null && requests?.left[you] === true;
    hide(this.options, requests === null || you === null || hasLeft);
    hide(this.node, requests === null || !(requests.paused || this.#text(requests) || hasLeft || proposed.length > 0));
    if (requests === null) return;
    setText(this.#left, hasLeft ? this.say.reasons.left : "");
    hide(this.back, !hasLeft);
    setText(this.#notice, this.#text(requests));
    this.node.classList.toggle("is-paused", requests.paused);
    setText(this.#paused, requests.paused ? this.say.requests.paused : "");
    // Only the operator can end a pause with a notice.
    const isByServer = Boolean(this.#text(requests));
    hide(this.resume, you === null || hasLeft || !requests.paused || isByServer);
    const voter = hasLeft ? null : you;
    this.#votes.replaceChildren(...proposed.map((choice) => this.#vote(choice, requests, voter, names)));
  }

  /** What the server or an official says. @param {TableRequests} requests @returns {string} */
  #text({ notice, official }) {
    const done = this.say.requests.officials[official ?? ""];
    if (done === undefined) return notice ?? "";
    return notice ? `${done} ${this.say.because(notice)}` : done;
  }

  /**
   * @param {"pause" | "end"} choice
   * @param {TableRequests} requests
   * @param {number | null} you
   * @param {readonly string[]} names
   */
  #vote(choice, { votes, end_needs_all }, you, names) {
    const { say } = this;
    const who = names.filter((_, seat) => votes[seat] === choice);
    const condition = choice === "end" && end_needs_all ? ` ${say.requests.endNeedsAll}` : "";
    const text = el("span", "", say.wanted(choice, who) + condition);
    text.id = `vote-${choice}`;
    if (you === null) return el("li", "", text);
    const isMine = votes[you] === choice;
    const answers = isMine
      ? [this.#voteButton(say.requests.withdraw, "")]
      : [
          this.#voteButton(say.requests.decline, `no_${choice}`),
          this.#voteButton(say.requests.agree, choice, "button button--main"),
        ];
    for (const answer of answers) answer.setAttribute("aria-describedby", text.id);
    return el("li", "", text, el("span", "requests-answers", ...answers));
  }

  /** Send the proposal; ask first if it ends the game. @param {"pause" | "end"} choice */
  #propose(choice) {
    const send = () => this.send({ t: "vote", motion: choice });
    if (choice === "pause" || !this.#endsAtOnce) return send();
    const { calls, requests } = this.say;
    const end = () => {
      this.#endQuestion?.close();
      send();
    };
    this.#endQuestion ??= question(
      this.root,
      requests.endTitle,
      requests.endText,
      button("button button--quiet", end, requests.alone.end),
      button("button button--main", () => this.#endQuestion?.close(), calls.play_on),
    );
    this.#endQuestion.showModal();
  }

  /** @param {string} label @param {string} choice @param {string} [className] */
  #voteButton(label, choice, className = "button button--quiet") {
    return button(className, () => this.send({ t: "vote", motion: choice }), label);
  }
}
