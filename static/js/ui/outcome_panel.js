/**
 * The panel at the end of a hand or the game: pages with results and the buttons below.
 *
 * @import { Words } from "../table/names.js"
 * @import { Action, Clock, View } from "../table/types.js"
 *
 * @typedef {object} Ending
 * @property {View} view
 * @property {number | null} you
 * @property {Action | null} confirm
 * @property {Action | null} stop ends the game, for a leading dealer
 * @property {boolean} waiting the reader has confirmed, others have not
 * @property {boolean} enabled
 * @property {number} q
 *
 * @typedef {ReturnType<typeof modelOf>} OutcomeModel
 */
import { settings } from "../settings.js";
import * as outcome from "../table/outcome.js";
import { ClockWidget } from "./clock.js";
import { button, el, hide, link, setAttribute, setText } from "./dom.js";
import { setAction } from "./press.js";
import { RankingWidget } from "./ranking.js";
import { ResultWidget } from "./result.js";

/**
 * @typedef {object} EndLinks where to go when the game is over
 * @property {string} home
 * @property {string} watch
 * @property {string} game the page of the finished game, empty if it has none
 * @property {string} review its review, for a player
 * @property {string} rematchForm the id of the form that opens another table, empty for a spectator
 */

export class OutcomePanel {
  /**
   * @param {HTMLElement} root
   * @param {Words} say
   * @param {EndLinks} links
   */
  constructor(root, say, links) {
    this.say = say;
    this.page = 0;
    this.wasOver = false;
    this.isRanking = false;
    this.isGuided = links.game === "";
    /** Names of the other players who want a rematch. @type {Set<string>} */
    this.rematchers = new Set();
    this.result = new ResultWidget(say);
    this.ranking = new RankingWidget(say);
    this.clock = new ClockWidget();
    this.confirmText = el("span", "", say.calls.confirm);
    this.confirm = el("button", "button button--main", this.confirmText, this.clock);
    this.stop = el("button", "button", say.calls.stop);
    this.stopQuestion = el("p", "result-waiting", say.stopOrNot);
    this.next = button("button", () => this.showPage(this.page + 1), say.nextWin);
    this.back = button("button button--quiet", () => this.showPage(this.isRanking ? 0 : this.page - 1), "");
    this.leave = el("div", "outcome-leave", ...endButtons(say, links));
    this.waiting = el("p", "result-waiting", say.waiting);
    this.rematchWishes = el("p", "result-waiting");
    this.rematchWishes.setAttribute("role", "status");
    const foot = el(
      "footer",
      "outcome-foot",
      this.waiting,
      this.stopQuestion,
      this.rematchWishes,
      this.back,
      this.next,
      this.stop,
      this.confirm,
      this.leave,
    );
    const body = el("div", "outcome-body", this.result, this.ranking);
    // Keys scroll it once it has the focus. Not all browsers give that to a part without controls.
    const followed = new ResizeObserver(() => {
      setAttribute(body, "tabindex", body.scrollHeight > body.clientHeight ? "0" : null);
    });
    for (const part of [body, this.result, this.ranking]) followed.observe(part);
    this.node = el("section", "outcome", body, foot);
    this.node.hidden = true;
    root.append(this.node);
    /** @type {OutcomeModel | null} */
    this.model = null;
    settings.subscribe((key) => key === "yaku_names" && this.model !== null && this.draw(this.model));
  }

  /**
   * @param {Ending | null} ending null to hide
   * @param {Clock | null} clock
   */
  show(ending, clock) {
    const wasHidden = this.node.hidden;
    const model = ending === null ? null : modelOf(ending);
    this.model = model;
    hide(this.node, model === null);
    if (model === null) return;
    const isOver = this.hasRanking(model);
    if (wasHidden) this.page = 0;
    else if (isOver && !this.wasOver) this.page = model.panes.length;
    this.wasOver = isOver;
    this.clock.show(clock === null ? null : { ...clock, base_ms: Infinity, bank_ms: 0 });
    this.draw(model);
  }

  /**
   * Tell which other players want a rematch.
   * @param {readonly import("./chat.js").Line[]} lines new lines of the chat
   * @param {number | null} you
   */
  showRematchWishes(lines, you) {
    for (const { phrase, seat, name } of lines) {
      if (phrase === "rematch" && this.wasOver && seat !== null && seat !== you) this.rematchers.add(name);
    }
    setText(this.rematchWishes, this.rematchers.size > 0 ? this.say.wantRematch([...this.rematchers]) : "");
  }

  /** @param {number} page the pages are the wins or the draw, then the ranking */
  showPage(page) {
    this.page = page;
    if (this.model !== null) this.draw(this.model);
  }

  /**
   * Whether the game is over, with a ranking. A guided hand ends with its result: its guide has the
   * way on.
   * @param {OutcomeModel} model
   */
  hasRanking({ ranking: rows, panes }) {
    return rows.length > 0 && !(this.isGuided && panes.length > 0);
  }

  /** @param {OutcomeModel} model */
  showRanking({ ranking: rows, chart, you, isBrokenOff }) {
    this.ranking.show({ rows, chart, you, isBrokenOff });
  }

  /** @param {OutcomeModel} model */
  draw(model) {
    const isOver = this.hasRanking(model);
    const pages = model.panes.length + (isOver ? 1 : 0);
    const page = Math.min(this.page, pages - 1);
    const isRanking = isOver && page === pages - 1;
    this.isRanking = isRanking;
    this.page = page;
    const pane = isRanking ? undefined : model.panes[page];
    setAttribute(this.node, "data-tier", pane?.kind === "win" ? `${pane.tier}` : null);
    this.result.hidden = isRanking;
    this.ranking.hidden = !isRanking;
    if (isRanking) this.showRanking(model);
    else this.result.show({ panes: model.panes, at: page, yakuNames: settings.get("yaku_names") });
    this.next.hidden = page >= pages - 1;
    const ending = model.isBrokenOff ? this.say.brokenOff : this.say.finalRanking;
    this.next.textContent = isOver && page === pages - 2 ? ending : this.say.nextWin;
    this.next.classList.toggle("button--main", isOver);
    this.back.hidden = isRanking ? model.panes.length === 0 : page === 0;
    this.back.textContent = isRanking ? this.say.showResult : this.say.previousWin;
    this.leave.hidden = !isRanking;
    this.waiting.hidden = !model.waiting;
    this.confirm.hidden = model.confirm === null;
    setAction(this.confirm, model.confirm, model.q, model.enabled);
    setText(this.confirmText, model.stop === null ? this.say.calls.confirm : this.say.calls.play_on);
    // A key pressed to go on, out of habit, must not make the choice.
    setAttribute(this.confirm, "data-letter", model.stop === null ? "o" : null);
    this.stop.hidden = this.stopQuestion.hidden = model.stop === null;
    setAction(this.stop, model.stop, model.q, model.enabled);
  }
}

/** @param {Ending} ending */
const modelOf = (ending) => ({
  ...ending,
  panes: outcome.panes(ending.view),
  ranking: outcome.ranking(ending.view), // empty until the game is over
  chart: outcome.scoreChart(ending.view),
  isBrokenOff: outcome.isBrokenOff(ending.view),
});

/** @param {Words} say @param {EndLinks} ways @returns {HTMLElement[]} the ways to go on, the main one last */
function endButtons(say, { home, watch, game, review, rematchForm }) {
  const links = [link("button button--quiet", home, say.backHome)];
  if (game === "") return links; // a guided hand, whose guide says how to go on
  links.push(link("button button--quiet", game, say.wholeGame));
  if (rematchForm === "") return [...links, link("button button--main", watch, say.watchAnother)];
  links.push(link("button button--quiet", review, say.replay.tabs.review));
  const submit = el("button", "button button--main", say.playAgain);
  submit.setAttribute("form", rematchForm);
  submit.title = say.playAgainMeaning;
  return [...links, submit];
}
