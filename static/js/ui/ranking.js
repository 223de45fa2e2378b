/**
 * The final ranking: points, uma, oka, and a chart of the scores. A game that was broken off has only
 * scores, because it does not count.
 *
 * @typedef {ReturnType<typeof import("../table/outcome.js").ranking>} Ranking
 * @import { Words } from "../table/names.js"
 * @import { ScoreChart } from "../table/outcome.js"
 *
 * @typedef {object} RankingModel
 * @property {Ranking} rows
 * @property {ScoreChart | null} chart
 * @property {number | null} you
 * @property {boolean} isBrokenOff
 */
import { avatar } from "./avatar.js";
import { lineSample, scoreFigure } from "./chart.js";
import { el } from "./dom.js";
import { Widget } from "./widget.js";

/** @extends {Widget<RankingModel>} */
export class RankingWidget extends Widget {
  /** @param {RankingModel} model */
  draw({ rows, chart, you, isBrokenOff }) {
    const { say } = this;
    const list = isBrokenOff
      ? el("ul", "ranking ranking--none", ...rows.map((row) => score(row, row.seat === you, say)))
      : el("ol", "ranking", ...rows.map((row) => rank(row, row.seat === you, say)));
    this.replaceChildren(
      el("header", "result-head", el("h2", "result-title", isBrokenOff ? say.brokenOff : say.finalRanking)),
      isBrokenOff ? el("p", "result-meaning", say.brokenOffMeaning) : "",
      el("div", "ranking-parts", list, chart === null ? null : scoreFigure(chart, say)),
    );
  }
}
customElements.define("mj-ranking", RankingWidget);

/** @param {Ranking[number]} row @param {Words} say */
const nameOf = ({ seat, avatar: shown, name, level = "" }, say) =>
  el(
    "span",
    "rank-name",
    lineSample(seat),
    avatar(shown),
    el("span", "rank-who", name),
    level in say.bot ? el("span", "rank-level", say.bot[level]) : null,
  );

/** Of a game that does not count. @param {Ranking[number]} row @param {boolean} isYou @param {Words} say */
function score(row, isYou, say) {
  const points = el("span", "rank-score", say.points(row.score));
  return el("li", `rank${isYou ? " rank--you" : ""}`, nameOf(row, say), points);
}

/** @param {Ranking[number]} row @param {boolean} isYou @param {Words} say */
function rank(row, isYou, say) {
  const { place, score, points, base, uma, oka } = row;
  /** @param {string} label @param {number} part */
  const part = (label, part) => el("span", "rank-part", `${label} `, el("b", "", say.final(part)));
  return el(
    "li",
    `rank rank--${place}${isYou ? " rank--you" : ""}`,
    el("span", "rank-place", say.place(place)),
    nameOf(row, say),
    el("span", "rank-score", say.points(score)),
    el("span", `rank-points ${points < 0 ? "is-loss" : "is-gain"}`, say.final(points)),
    el("span", "rank-parts", part(say.basePoints, base), part(say.uma, uma), oka === 0 ? null : part(say.oka, oka)),
  );
}
