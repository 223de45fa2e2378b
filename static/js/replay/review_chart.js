/**
 * The chances to reach tenpai and to win by draw, as a chart with two lines.
 *
 * @import { Words } from "../table/names.js"
 * @import { Curves } from "./review_data.js"
 */
import { el, svg } from "../ui/dom.js";
import { curve, filled } from "./review_data.js";

const WIDTH = 300;
const HEIGHT = 130;
const MARGIN = { left: 36, right: 10, top: 8, bottom: 20 };
const RULES = [0, 0.25, 0.5, 0.75, 1];
/** The distance between two labels below the chart, in draws. */
const EVERY = 3;

/** @param {Curves} curves @param {Record<string, string>} texts @param {Words} say */
export function curveFigure({ tenpai, win }, texts, say) {
  const lines = { tenpai: curve(tenpai), win: curve(win) };
  const draws = tenpai.length - 1;
  const last = {
    draws,
    tenpai: say.percent(lines.tenpai[draws]),
    win: say.percent(lines.win[draws]),
  };
  const x = (/** @type {number} */ draw) =>
    MARGIN.left + (draw * (WIDTH - MARGIN.left - MARGIN.right)) / Math.max(draws, 1);
  const y = (/** @type {number} */ share) => HEIGHT - MARGIN.bottom - share * (HEIGHT - MARGIN.top - MARGIN.bottom);
  const path = (/** @type {number[]} */ shares) =>
    shares.map((share, draw) => `${draw === 0 ? "M" : "L"}${x(draw).toFixed(1)},${y(share).toFixed(1)}`).join("");
  const text = filled(texts.curves, last);
  const chart = svg(
    "svg",
    { class: "review-chart", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": text },
    ...RULES.flatMap((share) => [
      svg("path", { class: "chart-rule", d: `M${MARGIN.left},${y(share)}H${WIDTH - MARGIN.right}` }),
      svg(
        "text",
        { class: "chart-text", x: MARGIN.left - 4, y: y(share) + 4, "text-anchor": "end" },
        say.wholePercent(share),
      ),
    ]),
    ...lines.win.flatMap((_, draw) =>
      draw % EVERY === 0
        ? [svg("text", { class: "chart-text", x: x(draw), y: HEIGHT - 5, "text-anchor": "middle" }, `${draw}`)]
        : [],
    ),
    svg("path", { class: "chart-line seat-0", d: path(lines.tenpai), "stroke-dasharray": "9 4" }),
    svg("path", { class: "chart-line seat-1", d: path(lines.win) }),
  );
  return el("figure", "review-curves", chart, el("figcaption", "", text));
}
