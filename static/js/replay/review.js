/**
 * The review of a replayed game: asks for it, and shows the figures of the position. It knows the
 * rest of the page by two events on `document`: `position` comes in, `goto` goes out.
 *
 * @typedef {{seat: number, rate: number, cases: number}} Danger
 * @typedef {{tenpai: number[], win: number[], points: number}} Curves
 * @typedef {{tile: string, shanten: number, unseen: number, dangers: Danger[], danger: number, value: number,
 *   cost: number, score: number, labels: string[], curves: Curves | null}} Figures
 * @typedef {{at: number, hand: number, seat: number, turn: number, chosen: string, loss: number,
 *   bot: {action: string, tile: string, why: string}, discards: Figures[]}} Decision
 * @typedef {{decisions: Decision[], dearest: number[][]}} Review
 * @typedef {{state: "none" | "queued" | "running" | "done" | "failed", done: number, review?: Review}} Answer
 */
import { button, el, link } from "../ui/dom.js";

const POLL_MS = 2_000;
const TOO_MANY = 429;
const SEATS = ["E", "S", "W", "N"];

/** @param {string} text @param {Record<string, string | number>} values */
export const filled = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => String(values[name]));

/** @param {number} share */
const percent = (share) => `${(100 * share).toFixed(1)}%`;

/** The decision at a position. @param {Review} review @param {number} at */
export const decisionAt = (review, at) => review.decisions.find((decision) => decision.at === at) ?? null;

export class ReviewPanel {
  /** @type {Review | null} */
  #review = null;
  /** @type {Decision | null} the question whose answer is hidden */
  #question = null;
  #yours = "";
  #at = -1;
  #seat = 0;
  #status = el("p", "review-status");
  #dearest = el("div", "review-dearest");
  #decision = el("div", "review-decision");

  /** @param {HTMLElement} node @param {Record<string, string>} texts */
  constructor(node, texts) {
    this.node = node;
    this.texts = texts;
    this.url = node.dataset.review ?? "";
    this.#status.setAttribute("role", "status");
    this.#decision.setAttribute("aria-live", "polite");
    this.#clear(null);
    document.addEventListener("position", (event) => this.#follow(event));
    this.#ask("GET");
  }

  /** @param {Event} event */
  #follow(event) {
    const { at, seat } = /** @type {CustomEvent<{at: number, seat: number}>} */ (event).detail;
    const isOtherSeat = seat !== this.#seat;
    this.#at = at;
    this.#seat = seat;
    if (this.#question !== null && this.#question.at !== at) this.#question = null;
    if (this.#review === null) return;
    if (isOtherSeat) this.#listDearest(this.#review);
    this.#showDecision(this.#review);
  }

  /** @param {"GET" | "POST"} method */
  async #ask(method) {
    try {
      const headers = { "X-CSRFToken": this.node.dataset.token ?? "" };
      const answer = await fetch(this.url, { method, headers });
      if (answer.status === TOO_MANY) this.#offer(this.texts.too_many);
      else if (answer.ok) this.#take(/** @type {Answer} */ (await answer.json()));
      else if (answer.status !== 404) this.#offer(this.texts.unreachable);
    } catch {
      this.#offer(this.texts.unreachable);
    }
  }

  /** @param {Answer} answer */
  #take({ state, done, review }) {
    if (state === "none") this.#offer(this.texts.intro);
    else if (state === "failed") this.#offer(this.texts.failed);
    else if (review === undefined) this.#wait(state, done);
    else {
      this.#review = review;
      this.#clear(this.#dearest);
      this.node.append(this.#decision);
      this.#listDearest(review);
      this.#showDecision(review);
    }
  }

  /** @param {Node | null} content */
  #clear(content) {
    const { title, figures_page: about } = this.texts;
    this.node.replaceChildren(
      el("h3", "", title),
      el("p", "fine", link("", this.node.dataset.figures ?? "", about)),
      ...(content === null ? [this.#status] : [content]),
    );
  }

  /** Offer to start the review. @param {string} text */
  #offer(text) {
    this.#status.textContent = text;
    const start = button("button", () => this.#ask("POST"), this.texts.start);
    this.#clear(null);
    this.node.append(start);
  }

  /** @param {string} state @param {number} done */
  #wait(state, done) {
    const text = state === "queued" ? this.texts.waiting : this.texts.running;
    if (this.#status.textContent !== text) this.#status.textContent = text;
    this.#clear(null);
    const bar = el("progress", "review-progress");
    bar.value = done;
    bar.setAttribute("aria-label", text);
    this.node.append(bar);
    setTimeout(() => this.#ask("GET"), POLL_MS);
  }

  /** @param {Review} review */
  #listDearest({ decisions, dearest }) {
    const rows = dearest[this.#seat].map((place) => {
      const decision = decisions[place];
      const { hand, turn } = decision;
      const text = filled(this.texts.question, { hand: hand + 1, turn });
      return el("li", "", button("review-question", () => this.#pose(decision), text));
    });
    this.#dearest.replaceChildren(
      el("h4", "", filled(this.texts.dearest, { seat: SEATS[this.#seat] })),
      rows.length > 0 ? el("ol", "", ...rows) : el("p", "fine", this.texts.no_dearest),
    );
  }

  /** Go to a decision and hide its answer. @param {Decision} decision */
  #pose(decision) {
    this.#question = decision;
    this.#yours = "";
    const { at, seat } = decision;
    document.dispatchEvent(new CustomEvent("goto", { detail: { at, seat } }));
    if (this.#review !== null) this.#showDecision(this.#review);
  }

  /** @param {Review} review */
  #showDecision(review) {
    const question = this.#question;
    const decision = question ?? decisionAt(review, this.#at);
    if (decision === null) this.#decision.replaceChildren(el("p", "fine", this.texts.no_decision));
    else if (question !== null) this.#decision.replaceChildren(...this.#questionOf(question));
    else this.#decision.replaceChildren(...this.#answerOf(decision));
  }

  /** @param {Decision} decision */
  #questionOf(decision) {
    const { hand, turn } = decision;
    const show = (/** @type {string} */ yours) => {
      this.#question = null;
      this.#yours = yours;
      this.#decision.replaceChildren(...this.#answerOf(decision));
      this.#yours = "";
    };
    const tiles = decision.discards.map(({ tile }) => tile).sort((a, b) => order(a).localeCompare(order(b)));
    return [
      el("p", "", filled(this.texts.question, { hand: hand + 1, turn })),
      el("p", "review-tiles", ...tiles.map((tile) => button("review-tile", () => show(tile), tile))),
      button("button", () => show(""), this.texts.answer),
    ];
  }

  /** @param {Decision} decision */
  #answerOf({ chosen, loss, bot, discards }) {
    const { texts } = this;
    const best = discards.find(({ tile }) => tile === bot.tile) ?? null;
    const yours = discards.find(({ tile }) => tile === this.#yours) ?? null;
    const why = texts[`why_${bot.why}`] ?? "";
    const terms = best === null ? "" : filled(texts.terms, { ...best, labels: "", dangers: "", curves: "" });
    const lost = yours === null ? 0 : Math.round(discards[0].score - yours.score);
    return [
      yours === null ? null : el("p", "", filled(texts.yours, { tile: yours.tile, loss: lost })),
      el("p", "", filled(loss > 0 ? texts.chosen : texts.chosen_best, { tile: chosen, loss })),
      el("p", "", `${filled(texts[`bot_${bot.action}`], { tile: bot.tile })} ${terms} ${why}`),
      this.#table(discards, chosen),
    ].filter((node) => node !== null);
  }

  /** @param {Figures[]} discards @param {string} chosen */
  #table(discards, chosen) {
    const { texts } = this;
    const heads = ["tile", "shanten", "unseen", "tenpai", "win", "points", "danger"];
    const row = (/** @type {Figures} */ one) => {
      const labels = one.labels.map((label) => el("span", "badge", texts[label]));
      const last = (/** @type {number[] | undefined} */ curve) => (curve === undefined ? "" : percent(curve.at(-1) ?? 0));
      const cells = [
        `${one.shanten}`,
        `${one.unseen}`,
        last(one.curves?.tenpai),
        last(one.curves?.win),
        one.curves ? `${Math.round(one.curves.points)}` : "",
        one.dangers.map((danger) => this.#rate(danger)).join(", "),
      ];
      const head = el("th", "", one.tile, " ", ...labels);
      head.scope = "row";
      return el("tr", one.tile === chosen ? "chosen" : "", head, ...cells.map((text) => el("td", "number", text)));
    };
    const titles = heads.map((name) => {
      const head = el("th", "", texts[name]);
      head.scope = "col";
      return head;
    });
    const table = el("table", "review-table", el("thead", "", el("tr", "", ...titles)), el("tbody", "", ...discards.map(row)));
    const frame = el("div", "review-scroll", table);
    frame.tabIndex = 0;
    frame.setAttribute("role", "group");
    frame.setAttribute("aria-label", texts.title);
    return frame;
  }

  /** @param {Danger} danger */
  #rate({ seat, rate, cases }) {
    const text = cases > 0 ? this.texts.counted : this.texts.estimated;
    return `${SEATS[seat]} ${filled(text, { rate: percent(rate), cases })}`;
  }
}

/** The order of tiles in a hand: by suit, then by rank. @param {string} tile */
const order = (tile) => (tile.length === 1 ? `z${"ESWNPFC".indexOf(tile)}` : `${tile[1]}${tile[0]}${tile}`);

if (typeof document !== "undefined") {
  const node = document.getElementById("review");
  const texts = document.getElementById("review-texts");
  if (node !== null && texts !== null && node.dataset.review) {
    new ReviewPanel(node, JSON.parse(texts.textContent ?? "{}"));
  }
}
