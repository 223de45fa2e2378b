/**
 * The final ranking.
 *
 * @typedef {ReturnType<typeof import("../table/outcome.js").ranking>} Ranking
 */
import { el } from "./dom.js";
import { Widget } from "./widget.js";

/** @extends {Widget<{rows: Ranking, you: number | null}>} */
export class RankingWidget extends Widget {
  /** @type {import("../table/names.js").Words | null} */
  say = null;

  /** @param {{rows: Ranking, you: number | null}} model */
  draw({ rows, you }) {
    const say = this.say;
    if (say === null) return;
    this.replaceChildren(
      el("header", "result-head", el("h2", "result-title", say.finalRanking)),
      el(
        "ol",
        "ranking",
        ...rows.map(({ seat, place, name, score, points }) =>
          el(
            "li",
            `rank rank--${place}${seat === you ? " rank--you" : ""}`,
            el("span", "rank-place", say.place(place)),
            el("span", "rank-name", name),
            el("span", "rank-score", say.points(score)),
            el("span", `rank-points ${points < 0 ? "is-loss" : "is-gain"}`, say.final(points)),
          ),
        ),
      ),
    );
  }
}
customElements.define("mj-ranking", RankingWidget);
