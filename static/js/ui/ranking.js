/**
 * The final ranking: points, uma, oka, and a chart of the scores.
 *
 * @typedef {ReturnType<typeof import("../table/outcome.js").ranking>} Ranking
 * @import { Words } from "../table/names.js"
 * @import { ScoreChart } from "../table/outcome.js"
 *
 * @typedef {object} RankingModel
 * @property {Ranking} rows
 * @property {ScoreChart | null} chart
 * @property {number | null} you
 */
import { avatar } from "./avatar.js";
import { lineSample, scoreFigure } from "./chart.js";
import { el } from "./dom.js";
import { Widget } from "./widget.js";

/** @extends {Widget<RankingModel>} */
export class RankingWidget extends Widget {
  /** @param {RankingModel} model */
  draw({ rows, chart, you }) {
    const { say } = this;
    const list = el("ol", "ranking", ...rows.map((row) => rank(row, row.seat === you, say)));
    this.replaceChildren(
      el("header", "result-head", el("h2", "result-title", say.finalRanking)),
      el("div", "ranking-parts", list, chart === null ? null : scoreFigure(chart, say)),
    );
  }
}
customElements.define("mj-ranking", RankingWidget);

/** @param {Ranking[number]} row @param {boolean} isYou @param {Words} say */
function rank({ seat, place, name, avatar: shown, score, points, base, uma, oka }, isYou, say) {
  /** @param {string} label @param {number} part */
  const part = (label, part) => el("span", "rank-part", `${label} `, el("b", "", say.final(part)));
  return el(
    "li",
    `rank rank--${place}${isYou ? " rank--you" : ""}`,
    el("span", "rank-place", say.place(place)),
    el("span", "rank-name", lineSample(seat), avatar(shown), el("span", "rank-who", name)),
    el("span", "rank-score", say.points(score)),
    el("span", `rank-points ${points < 0 ? "is-loss" : "is-gain"}`, say.final(points)),
    el(
      "span",
      "rank-parts",
      part(say.basePoints, base),
      part(say.uma, uma),
      oka === 0 ? null : part(say.oka, oka),
    ),
  );
}
