/**
 * Decisions of a review as nodes: a question with its choices, or the answer with the figures.
 *
 * @import { Words } from "../table/names.js"
 * @import { AllCurves, Choice, Danger, Decision, Pick, Scale } from "./review_data.js"
 *
 * @typedef {Record<string, string>} Texts
 */
import { button, el } from "../ui/dom.js";
import { tile } from "../ui/tile.js";
import { curveFigure } from "./review_chart.js";
import { filled, lacksCurves, lossOf, picks, placeLossOf, severityOf, sharesOf, windIn } from "./review_data.js";

/**
 * A text with nodes in the place of its `{names}`.
 *
 * @param {string} text
 * @param {Record<string, Node | string>} values
 */
const rich = (text, values) => text.split(/\{(\w+)\}/).map((part, at) => (at % 2 === 0 ? part : values[part]));

export class ReviewNodes {
  /**
   * @param {Texts} texts
   * @param {Words} say
   * @param {(hand: number) => string} handName
   * @param {number} players
   * @param {Scale} scale of losses
   * @param {(decision: Decision) => Promise<AllCurves | null>} loadCurves of all discards; null: it failed
   */
  constructor(texts, say, handName, players, scale, loadCurves) {
    this.texts = texts;
    this.say = say;
    this.handName = handName;
    this.players = players;
    this.scale = scale;
    this.loadCurves = loadCurves;
  }

  /** What is asked, without its answer. @param {Decision} decision @param {boolean} isLine of a list: as text */
  title(decision, isLine) {
    const { hand, turn, claimed, choices } = decision;
    const isDiscard = choices.every(({ action, riichi }) => action === "discard" && !riichi);
    const name = claimed ? "question_claim" : isDiscard ? "question" : "question_turn";
    const shown = claimed === undefined ? "" : isLine ? this.say.tile(claimed) : this.#tiles([claimed]);
    return rich(this.texts[name], { hand: this.handName(hand), turn: `${turn}`, tile: shown });
  }

  /** A line of the list: the question, what was played, and its loss. @param {Decision} decision */
  line(decision) {
    const { choices, chosen, riichi = false, loss = 0, place_loss: places = 0, severity = "best" } = decision;
    const values = { severity: this.texts[severity], places: this.say.places(places), points: this.say.points(loss) };
    return [
      ...this.title(decision, true),
      el("span", "review-choice", ...this.#label(choices[chosen], riichi)),
      el("span", "review-loss", filled(this.texts.lost, values)),
    ];
  }

  /**
   * @param {Decision} decision
   * @param {(pick: Pick | null) => void} answer null: show the answer without a choice
   */
  question(decision, answer) {
    const { choices } = decision;
    const buttons = picks(decision).map((pick) => {
      const { action, tile: pai = "" } = choices[pick.place];
      if (action !== "discard" || pick.riichi) {
        return button("review-pick", () => answer(pick), ...this.#label(choices[pick.place], pick.riichi));
      }
      const node = tile(pai, this.say.tile(pai), { tag: "button" });
      /** @type {HTMLButtonElement} */ (node).type = "button";
      node.addEventListener("click", () => answer(pick));
      return node;
    });
    const all = el("div", "review-picks", ...buttons);
    all.setAttribute("role", "group");
    all.setAttribute("aria-label", this.texts.choices);
    return [
      el("p", "", ...this.title(decision, false)),
      all,
      button("review-pick", () => answer(null), this.texts.answer),
    ];
  }

  /**
   * @param {Decision} decision
   * @param {Pick | null} yours
   * @param {{name: string, place: number, riichi: boolean}[]} reviewers what each would do
   */
  answer(decision, yours, reviewers = []) {
    const { texts, say } = this;
    const { choices, chosen, bot, claimed, seat, turn } = decision;
    const made = choices[chosen];
    const wind = say.winds[windIn(decision, seat, this.players)];
    const head = claimed
      ? rich(texts.on_tile, { wind, tile: this.#tiles([claimed]) })
      : [filled(texts.own_turn, { wind, turn })];
    return [
      el("h3", "", ...head),
      yours === null ? null : this.#choiceParagraph(texts.yours, decision, yours),
      this.#choiceParagraph(texts.made, decision, { place: chosen, riichi: decision.riichi ?? false }),
      (decision.loss ?? 0) > 0 ? el("p", "review-sentence", this.#sentence(decision)) : null,
      el(
        "p",
        "review-bot",
        ...rich(texts.bot, { choice: this.#choiceNode(choices[bot.place], bot.riichi ?? false) }),
        " ",
        this.#why(bot.why, choices[bot.place], made),
      ),
      ...reviewers.map((reviewer) => el("p", "review-bot", ...this.#reviewer(decision, reviewer))),
      el(
        "div",
        "review-choices",
        ...choices.map((choice, place) =>
          this.#row(decision, choice, {
            isOpen: [chosen, bot.place].includes(place),
            names: reviewers.filter((reviewer) => reviewer.place === place).map(({ name }) => name),
          }),
        ),
      ),
    ].filter((node) => node !== null);
  }

  /** @param {string} text @param {Decision} decision @param {Pick} pick */
  #choiceParagraph(text, decision, { place, riichi }) {
    const { texts, say, scale } = this;
    const pick = { place, riichi };
    const places = placeLossOf(decision, pick, scale);
    const severity = severityOf(places, scale);
    const values = {
      severity: texts[severity],
      places: say.places(places),
      points: say.points(lossOf(decision, pick, scale)),
    };
    const lost = severity === "best" ? texts.best : filled(texts.lost, values);
    const badge = el("span", `badge review-severity ${severity}`, lost);
    return el("p", "", ...rich(text, { choice: this.#choiceNode(decision.choices[place], riichi) }), " ", badge);
  }

  /**
   * One sentence: what the choice that was made gains against the bot's, and what it gives up. The
   * server makes the same for pages without scripts (`game/results/review_sentences.py`).
   *
   * @param {Decision} decision
   */
  #sentence(decision) {
    const { texts, say } = this;
    const { choices, chosen, bot, gained = [], given_up: lost = [] } = decision;
    const [best, made] = [choices[bot.place], choices[chosen]];
    const values = { ...this.#terms(best, ""), ...this.#terms(made, "made_") };
    const list = (/** @type {string[]} */ codes, /** @type {string} */ kind) =>
      codes.map((code) => filled(texts[`${kind}_${code}`], values)).join(texts.comma);
    const parts = { gained: list(gained, "more"), given_up: list(lost, "less") };
    const share = sharesOf(decision)[chosen];
    if (gained.length > 0 && lost.length > 0) return filled(texts.gained_for, parts);
    if (lost.length > 0) return filled(texts.only_given_up, parts);
    if (gained.length > 0) return filled(texts.only_gained, parts);
    return share === undefined ? texts.no_reason : filled(texts.no_reason_share, { share: say.wholePercent(share) });
  }

  /**
   * The reason in one line, with the terms of the bot's rating.
   *
   * @param {string} why
   * @param {Choice} best
   * @param {Choice} made
   */
  #why(why, best, made) {
    const { texts } = this;
    const values = { ...this.#terms(best, ""), ...this.#terms(made, "made_") };
    const terms = best.shanten === undefined ? "" : filled(texts.terms, values);
    return [filled(texts[`why_${why}`] ?? "", values), terms].filter(Boolean).join(" ");
  }

  /** @param {Choice} choice @param {string} prefix @returns {Record<string, string>} */
  #terms({ value = 0, cost = 0, shanten, unseen = 0, danger = 0, riichi }, prefix) {
    const { points, percent } = this.say;
    const terms = {
      value: points(value),
      cost: points(cost),
      speed: this.#speed(shanten, unseen),
      unseen: `${unseen}`,
      danger: percent(danger),
      declared: points(riichi?.declared ?? 0),
      silent: points(riichi?.silent ?? 0),
      gain: points(Math.abs(riichi?.gain ?? 0)),
    };
    return Object.fromEntries(Object.entries(terms).map(([name, term]) => [`${prefix}${name}`, term]));
  }

  /** @param {number | undefined} shanten @param {number} unseen */
  #speed(shanten, unseen) {
    if (shanten === undefined || shanten < 0) return "";
    return filled(shanten === 0 ? this.texts.speed_tenpai : this.texts.speed, { shanten, unseen });
  }

  /** @param {Decision} decision @param {{name: string, place: number, riichi: boolean}} reviewer */
  #reviewer({ choices }, { name, place, riichi }) {
    const { texts } = this;
    if (place >= 0) return rich(texts.reviewer, { name, choice: this.#choiceNode(choices[place], riichi) });
    return [filled(riichi ? texts.reviewer_riichi : texts.reviewer_none, { name })];
  }

  /**
   * @param {Decision} decision
   * @param {Choice} choice
   * @param {{isOpen: boolean, names: string[]}} shown `names` of the reviewers that choose it
   */
  #row(decision, choice, { isOpen, names }) {
    const { texts } = this;
    const isChosen = decision.choices[decision.chosen] === choice;
    const isBots = decision.choices[decision.bot.place] === choice;
    const share = sharesOf(decision)[decision.choices.indexOf(choice)];
    const marks = [
      ...(isChosen ? [texts.mark_made] : []),
      ...(isBots ? [texts.mark_bot] : []),
      ...names,
      ...(choice.labels ?? []).map((label) => texts[label]),
    ];
    const summary = el(
      "summary",
      "",
      el("span", "review-choice", ...this.#label(choice, false)),
      el("span", "review-speed", this.#speed(choice.shanten, choice.unseen ?? 0)),
      choice.danger === undefined
        ? null
        : el("span", "review-rate", filled(texts.deal_in, { rate: this.say.percent(choice.danger) })),
      share === undefined
        ? null
        : el("span", "review-share", filled(texts.share, { share: this.say.wholePercent(share) })),
      ...marks.map((text) => el("span", "badge", text)),
    );
    const row = el("details", isChosen ? "review-row chosen" : "review-row", summary);
    const isStored = isChosen || isBots;
    const fill = () => {
      if (row.childElementCount > 1) return;
      row.append(...this.#details(decision, choice, isStored));
      if (!isStored && lacksCurves(choice)) this.#addCurves(decision, choice, row);
    };
    row.addEventListener("toggle", fill);
    row.open = isOpen;
    if (isOpen) fill();
    return row;
  }

  /**
   * Load the curves of the other discards of the decision, and add those of this one.
   * @param {Decision} decision
   * @param {Choice} choice
   * @param {HTMLElement} row
   */
  async #addCurves(decision, choice, row) {
    const waiting = el("p", "fine", this.texts.loading);
    waiting.setAttribute("role", "status");
    row.append(waiting);
    const found = await this.loadCurves(decision);
    const curves = found?.curves[decision.choices.indexOf(choice)];
    waiting.replaceWith(...(curves ? this.#curves(curves) : [el("p", "fine", this.texts.no_curves)]));
  }

  /** @param {NonNullable<Choice["curves"]>} curves */
  #curves(curves) {
    const { texts, say } = this;
    const points = filled(texts.points_alone, { points: say.points(curves.points) });
    return [curveFigure(curves, texts, say), el("p", "", points)];
  }

  /** @param {Decision} decision @param {Choice} choice @param {boolean} isStored with its curves, if it has any */
  #details(decision, choice, isStored) {
    const { texts, say } = this;
    const { action, tile: then = "", useful = {}, dangers = [], riichi, curves, shanten, score = 0 } = choice;
    const kinds = Object.entries(useful);
    const isCall = action === "chi" || action === "pon";
    return [
      isCall ? el("p", "", ...rich(texts.then, { tile: this.#tiles([then]) })) : null,
      kinds.length === 0
        ? null
        : el(
            "p",
            "review-useful",
            texts.useful,
            ...kinds.map(([pai, left]) =>
              el("span", "review-kind", tile(pai, say.unseen(pai, left)), this.#count(left)),
            ),
          ),
      ...dangers.map((danger) => el("p", "", this.#danger(decision, danger))),
      riichi === undefined ? null : el("p", "", filled(texts.riichi, this.#terms(choice, ""))),
      ...(curves === undefined ? [] : this.#curves(curves)),
      isStored && lacksCurves(choice) ? el("p", "fine", texts.no_curves) : null,
      action === "win"
        ? el("p", "", filled(texts.why_win, this.#terms(choice, "")))
        : shanten === undefined
          ? null
          : el("p", "fine", filled(texts.rating, { ...this.#terms(choice, ""), score: say.points(score) })),
    ].filter((node) => node !== null);
  }

  /**
   * The number of unseen tiles, hidden from screen readers because the label of the tile says it.
   *
   * @param {number} left
   */
  #count(left) {
    const node = el("span", "", `\u00d7${left}`);
    node.setAttribute("aria-hidden", "true");
    return node;
  }

  /** @param {Decision} decision @param {Danger} danger */
  #danger(decision, { seat, rate, cases = 0, few = false }) {
    const { texts, say } = this;
    const values = {
      wind: say.winds[windIn(decision, seat, this.players)],
      rate: say.percent(rate),
      cases: say.points(cases),
    };
    if (cases === 0) return filled(texts.estimated, values);
    if (this.players === 4) return filled(texts.counted, values);
    return filled(few ? texts.counted_few : texts.counted_three, values);
  }

  /** @param {Choice} choice @param {boolean} riichi */
  #choiceNode(choice, riichi) {
    return el("span", "review-choice", ...this.#label(choice, riichi));
  }

  /** @param {Choice} choice @param {boolean} riichi */
  #label({ action, tile: pai = "", laid = [] }, riichi) {
    const text = this.texts[riichi ? "act_riichi" : `act_${action}`];
    return rich(text, { tiles: this.#tiles(action === "discard" ? [pai] : laid) });
  }

  /** @param {string[]} all */
  #tiles(all) {
    return el("span", "review-tiles", ...all.map((pai) => tile(pai, this.say.tile(pai))));
  }
}
