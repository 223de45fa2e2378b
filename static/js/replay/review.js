/**
 * The review of a replayed game: requests it, and shows the figures of the position. It talks to the
 * rest of the page by events on `document`: it dispatches `ask-position` once it is loaded, receives
 * `position`, and dispatches `goto`. While a question waits for its answer, the other hands are closed.
 *
 * @import { ReviewNodes } from "./review_answer.js"
 * @import { AllCurves, Answer, Decision, Pick, Review } from "./review_data.js"
 *
 * @typedef {object} Position
 * @property {number} at
 * @property {number} hand
 * @property {number} step in the hand
 * @property {number} seat at the bottom
 * @property {boolean} open whether all hands are open
 * @property {string[]} handNames
 * @property {import("./review_verdict.js").Game} game
 */
import { words } from "../table/names.js";
import { button, el, link } from "../ui/dom.js";
import { agreement, decisionsAt, filled, firstLoss, nearestDecision, reviewersAt } from "./review_data.js";

const POLL_MS = 2_000;
const COLUMNS_POLL_MS = 10_000;
const TOO_MANY = 429;

export class ReviewPanel {
  /** @type {Review | null} */
  #review = null;
  /** @type {Decision | null} the question whose answer is hidden */
  #question = null;
  /** @type {ReviewNodes | null} loaded with the review */
  #nodes = null;
  /** @type {import("./review_verdict.js").Game} */
  #game = { names: [], hands: [] };
  /** @type {Map<Decision, Promise<AllCurves | null>>} */
  #curves = new Map();
  /** The position at which the verdict opened; it closes when the reader goes on. */
  #verdictAt = -1;
  #at = -1;
  #isAtStart = false;
  #isOpen = true;
  /** @type {typeof import("./review_verdict.js").verdictNodes} loaded with the review */
  #makeVerdict = () => [];
  /** Whether the hands were open before the question. */
  #wasOpen = true;
  /** @type {string[]} */
  #handNames = [];
  #seat = 0;
  #status = el("p", "review-status");
  #verdict = el("details", "review-verdict");
  #costliest = el("div", "review-costliest");
  #decision = el("div", "review-decision");

  /** @param {HTMLElement} node @param {Record<string, string>} texts */
  constructor(node, texts) {
    this.node = node;
    this.texts = texts;
    this.url = node.dataset.review ?? "";
    this.#status.setAttribute("role", "status");
    this.#decision.tabIndex = -1;
    this.#fill(null);
    document.addEventListener("position", (event) => this.#follow(event));
    document.dispatchEvent(new Event("ask-position")); // the replay may have started before
    this.#request("GET");
  }

  /** @param {Event} event */
  #follow(event) {
    const { at, hand, step, seat, open, handNames, game } = /** @type {CustomEvent<Position>} */ (event).detail;
    this.#isAtStart = hand === 0 && step === 0;
    this.#isOpen = open;
    const isNewList = seat !== this.#seat || this.#handNames.length === 0;
    this.#handNames = handNames;
    this.#game = game;
    this.#at = at;
    this.#seat = seat;
    if (this.#question !== null && this.#question.at !== at) this.#endQuestion();
    if (this.#review === null || this.#nodes === null) return;
    if (isNewList) this.#listAll(this.#review, this.#nodes);
    if (at !== this.#verdictAt && seat === this.#seat && !isNewList) this.#verdict.open = false;
    this.#show();
  }

  /** @param {"GET" | "POST"} method */
  async #request(method) {
    try {
      const headers = { "X-CSRFToken": this.node.dataset.token ?? "" };
      const answer = await fetch(this.url, { method, headers });
      if (answer.status === TOO_MANY) this.#offerStart(this.texts.too_many);
      else if (answer.ok) await this.#receive(/** @type {Answer} */ (await answer.json()));
      else if (answer.status !== 404) this.#offerStart(this.texts.unreachable);
    } catch {
      this.#offerStart(this.texts.unreachable);
    }
  }

  /** @param {Answer} answer */
  async #receive({ state, done, review }) {
    if (state === "none") this.#offerStart(this.texts.intro);
    else if (state === "failed") this.#offerStart(this.texts.failed);
    else if (review === undefined) this.#wait(state, done);
    else {
      const { ReviewNodes } = await import("./review_answer.js");
      this.#makeVerdict = (await import("./review_verdict.js")).verdictNodes;
      const handName = (/** @type {number} */ hand) => this.#handNames[hand] ?? "";
      this.#nodes = new ReviewNodes(
        this.texts,
        await words(),
        handName,
        review.accuracy.length,
        review.scale,
        (decision) => this.#loadCurves(decision),
      );
      const isUpdate = this.#review !== null;
      this.#review = review;
      const isWaiting = (review.reviewers ?? []).some((column) => column.state === "queued");
      if (isWaiting) setTimeout(() => this.#request("GET"), COLUMNS_POLL_MS);
      if (isUpdate) {
        this.#listAll(review, this.#nodes);
        if (this.#question === null && !isWaiting) this.#show();
        return;
      }
      this.#fill(this.#verdict);
      this.node.append(this.#decision, this.#costliest);
      this.#listAll(review, this.#nodes);
      this.#verdict.open = true;
      const first = firstLoss(review, this.#seat);
      const jumps = this.#isAtStart && location.hash === "#review" && first !== undefined;
      this.#verdictAt = jumps ? first.at : this.#at;
      this.#show();
      if (jumps) this.#goTo(first);
    }
  }

  /**
   * The curves of all discards of a decision, asked for once. null: they could not be loaded.
   * @param {Decision} decision
   */
  #loadCurves(decision) {
    const known = this.#curves.get(decision);
    if (known !== undefined) return known;
    const loading = this.#fetchCurves(decision);
    this.#curves.set(decision, loading);
    return loading;
  }

  /** @param {Decision} decision @returns {Promise<AllCurves | null>} */
  async #fetchCurves({ at, seat }) {
    const url = this.url.replace(/review\.json$/, "curves.json");
    try {
      const answer = await fetch(`${url}?at=${at}&seat=${seat}`);
      return answer.ok ? await answer.json() : null;
    } catch {
      return null;
    }
  }

  /** Fill the verdict and the list of the seat. @param {Review} review @param {ReviewNodes} nodes */
  #listAll(review, nodes) {
    const { texts } = this;
    const [all] = review.verdicts[this.#seat].accuracy;
    const share = all === undefined ? "\u2013" : nodes.say.percent(all.percent / 100);
    this.#verdict.replaceChildren(
      el("summary", "", filled(texts.verdict, { name: this.#game.names[this.#seat] ?? "", share })),
      ...this.#makeVerdict(review, this.#seat, this.#game, nodes, (decision) => this.#askQuestion(decision)),
    );
    this.#listCostliest(review, nodes);
  }

  /** Show the title and the content, or the status for null. @param {Node | null} content */
  #fill(content) {
    const { title, figures_page: about } = this.texts;
    this.node.replaceChildren(
      el("h2", "visually-hidden", title),
      el("p", "fine", link("", this.node.dataset.figures ?? "", about)),
      ...(content === null ? [this.#status] : [content]),
    );
  }

  /** Offer to start the review. @param {string} text */
  #offerStart(text) {
    this.#status.textContent = text;
    const start = button("button", () => this.#request("POST"), this.texts.start);
    this.#fill(null);
    this.node.append(start);
  }

  /** @param {string} state @param {number} done */
  #wait(state, done) {
    const text = state === "queued" ? this.texts.waiting : this.texts.running;
    if (this.#status.textContent !== text) this.#status.textContent = text;
    this.#fill(null);
    const bar = el("progress", "review-progress");
    bar.value = done;
    bar.setAttribute("aria-label", text);
    this.node.append(bar);
    setTimeout(() => this.#request("GET"), POLL_MS);
  }

  /** @param {Review} review @param {ReviewNodes} nodes */
  #listCostliest(review, nodes) {
    const { decisions, dearest: costliest, accuracy, reviewers = [] } = review;
    const { texts } = this;
    const columns = reviewers.map((column) => {
      const counts = { name: column.name, ...agreement(review, column, this.#seat) };
      const waits = column.state === "queued";
      const lines = [filled(waits ? texts.reviewer_waits : texts.reviewer_same, counts)];
      if (column.state === "failed") lines.push(filled(texts.reviewer_failed, counts));
      return el("p", "", lines.join(" "));
    });
    const rows = costliest[this.#seat].map((place) => {
      const decision = decisions[place];
      return el(
        "li",
        "",
        button("review-question", () => this.#askQuestion(decision), ...nodes.line(decision)),
      );
    });
    this.#costliest.replaceChildren(
      el("p", "", filled(texts.accuracy, { ...accuracy[this.#seat] })),
      ...columns,
      el("h3", "", texts.costliest),
      rows.length > 0 ? el("ol", "", ...rows) : el("p", "fine", texts.no_costliest),
    );
  }

  /** Go to a decision and hide its answer. @param {Decision} decision */
  #askQuestion(decision) {
    if (this.#question === null) this.#wasOpen = this.#isOpen;
    this.#question = decision;
    this.#verdict.open = false;
    this.#goTo(decision, false);
    this.#show();
    this.#decision.scrollIntoView({ block: "nearest" });
  }

  /** @param {Decision} decision @param {boolean} [open] whether all hands are open there */
  #goTo({ at, seat }, open = this.#isOpen) {
    document.dispatchEvent(new CustomEvent("goto", { detail: { at, seat, open } }));
  }

  /** Open the hands again, if they were open before the question. */
  #endQuestion() {
    this.#question = null;
    document.dispatchEvent(new CustomEvent("goto", { detail: { open: this.#wasOpen } }));
  }

  /** @param {Pick | null} yours */
  #answer(yours) {
    const question = this.#question;
    if (question !== null) this.#endQuestion();
    if (question === null || this.#nodes === null) return;
    this.#decision.replaceChildren(...this.#nodes.answer(question, yours, this.#reviewers(question)));
    this.#decision.focus();
  }

  /** Show the question, or the answers at the position. */
  #show() {
    if (this.#review === null || this.#nodes === null) return;
    const nodes = this.#nodes;
    const found = decisionsAt(this.#review, this.#at, this.#seat);
    if (this.#question !== null) {
      this.#decision.replaceChildren(...nodes.question(this.#question, (pick) => this.#answer(pick)));
    } else if (found.length === 0) {
      const nearest = nearestDecision(this.#review, this.#at, this.#seat);
      this.#decision.replaceChildren(
        el("p", "fine", this.texts.no_decision),
        nearest === undefined ? "" : button("button quiet", () => this.#goTo(nearest), this.texts.nearest),
      );
    } else {
      this.#decision.replaceChildren(
        ...found.flatMap((decision) => nodes.answer(decision, null, this.#reviewers(decision))),
      );
    }
  }

  /** @param {Decision} decision */
  #reviewers(decision) {
    return this.#review === null ? [] : reviewersAt(this.#review, decision);
  }
}

if (typeof document !== "undefined") {
  const node = document.getElementById("review");
  const texts = document.getElementById("review-texts");
  if (node !== null && texts !== null && node.dataset.review) {
    new ReviewPanel(node, JSON.parse(texts.textContent ?? "{}"));
  }
}
