/**
 * Everybody's points over the hands of a game: lines, and the same numbers as a table.
 *
 * @import { Words } from "../table/names.js"
 * @import { ScoreChart } from "../table/outcome.js"
 */
import { el, svg } from "./dom.js";

const WIDTH = 600;
const HEIGHT = 250;
const MARGIN = { left: 76, right: 34, top: 12, bottom: 26 };

/** Dashes and marks tell the lines apart without colours. */
const DASHES = ["", "9 4", "2 4", "12 4 2 4"];
const MARKS = ["M-4,0A4,4 0 1,0 4,0A4,4 0 1,0 -4,0Z", "M-4,-4H4V4H-4Z", "M0,-5L5,4H-5Z", "M0,-5.5L5.5,0L0,5.5L-5.5,0Z"];

/** A sample of a seat's line, for the place beside its name. @param {number} seat */
export function lineSample(seat) {
  return svg(
    "svg",
    { class: `line-sample seat-${seat}`, viewBox: "0 0 34 14", "aria-hidden": "true" },
    svg("path", { class: "chart-line", d: "M1,7H33", "stroke-dasharray": DASHES[seat] }),
    svg("path", { class: "chart-mark", d: MARKS[seat], transform: "translate(17,7)" }),
  );
}

/**
 * @typedef {object} Shown what the lines of a chart mean
 * @property {string} title
 * @property {(value: number) => string} text
 * @property {(values: number[]) => {steps: number[], place: (value: number) => number}} scale
 */

/** @param {ScoreChart} chart @param {Words} say */
export const scoreFigure = (chart, say) =>
  lineFigure(chart, say, { title: say.scoresOverHands, text: say.points, scale });

/** @param {ScoreChart} chart of other values than points too @param {Words} say @param {Shown} shown */
export function lineFigure(chart, say, shown) {
  return el(
    "figure",
    "chart",
    el("figcaption", "chart-title", shown.title),
    lines(chart, say, shown),
    el("details", "chart-numbers", el("summary", "", say.asTable), table(chart, say, shown)),
  );
}

/** The least distance between two names of rounds below the chart. */
const NAME_ROOM = 58;

/**
 * The names below the chart: one at the first hand of each round, where there is room for it.
 * @param {ScoreChart["hands"]} hands
 * @param {(at: number) => number} x
 * @param {Words} say
 */
export function roundNames(hands, x, say) {
  /** @type {{x: number, text: string}[]} */
  const names = [];
  for (const [at, { wind, kyoku }] of hands.entries()) {
    const { wind: windBefore, kyoku: kyokuBefore } = hands[at - 1] ?? {};
    const isFirst = wind !== windBefore || kyoku !== kyokuBefore;
    const last = names.at(-1)?.x ?? -Infinity;
    if (isFirst && x(at + 1) - last >= NAME_ROOM) names.push({ x: x(at + 1), text: say.round(wind, kyoku) });
  }
  return names;
}

/** @param {ScoreChart} chart @param {Words} say @param {Shown} shown */
function lines({ start, hands, names }, say, { title, text: textOf, scale: scaleOf }) {
  const columns = [start, ...hands.map(({ scores }) => scores)];
  const { steps, place } = scaleOf(columns.flat());
  const x = (/** @type {number} */ at) =>
    MARGIN.left + (at * (WIDTH - MARGIN.left - MARGIN.right)) / (columns.length - 1);
  const y = (/** @type {number} */ score) =>
    HEIGHT - MARGIN.bottom - place(score) * (HEIGHT - MARGIN.top - MARGIN.bottom);
  return svg(
    "svg",
    { class: "chart-lines", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": title },
    ...steps.flatMap((score) => [
      svg("path", { class: "chart-rule", d: `M${MARGIN.left},${y(score)}H${WIDTH - MARGIN.right}` }),
      svg("text", { class: "chart-text", x: MARGIN.left - 7, y: y(score) + 4, "text-anchor": "end" }, textOf(score)),
    ]),
    ...roundNames(hands, x, say).map(({ x, text }, at) =>
      svg(
        "text",
        { class: `chart-text${at % 2 === 0 ? "" : " chart-text--between"}`, x, y: HEIGHT - 7, "text-anchor": "middle" },
        text,
      ),
    ),
    ...names.map((_, seat) => {
      const points = columns.map((scores, at) => [x(at), y(scores[seat])]);
      return svg(
        "g",
        { class: `seat-${seat}` },
        svg("path", {
          class: "chart-line",
          d: points.map(([across, down], at) => `${at === 0 ? "M" : "L"}${across},${down}`).join(""),
          "stroke-dasharray": DASHES[seat],
        }),
        ...points.map(([across, down]) =>
          svg("path", { class: "chart-mark", d: MARKS[seat], transform: `translate(${across},${down})` }),
        ),
      );
    }),
  );
}

/**
 * The column of the chart at a place of the window: 0 is the start, `hands` the end.
 * @param {SVGSVGElement} chart
 * @param {number} clientX
 * @param {number} hands
 */
export function columnAt(chart, clientX, hands) {
  const { left, width } = chart.getBoundingClientRect();
  const x = ((clientX - left) / width) * WIDTH - MARGIN.left;
  const column = Math.round((x / (WIDTH - MARGIN.left - MARGIN.right)) * hands);
  return Math.min(Math.max(column, 0), hands);
}

/**
 * Round numbers from below the lowest score to above the highest, and the place of a score between
 * them, 0 to 1.
 * @param {number[]} scores
 */
function scale(scores) {
  const span = Math.max(...scores) - Math.min(...scores);
  const step = [5_000, 10_000, 20_000, 50_000].find((distance) => span / distance <= 5) ?? 100_000;
  const low = Math.floor(Math.min(...scores) / step) * step;
  const high = Math.max(Math.ceil(Math.max(...scores) / step) * step, low + step);
  const steps = [];
  for (let score = low; score <= high; score += step) steps.push(score);
  return { steps, place: (/** @type {number} */ score) => (score - low) / (high - low) };
}

/** @param {ScoreChart} chart @param {Words} say @param {Shown} shown */
function table({ start, hands, names }, say, { text: textOf }) {
  /** @param {string} name @param {number[]} scores */
  const row = (name, scores) => {
    const head = el("th", "", name);
    head.scope = "row";
    return el("tr", "", head, ...scores.map((score) => el("td", "", textOf(score))));
  };
  const heads = names.map((name) => {
    const head = el("th", "", name);
    head.scope = "col";
    return head;
  });
  return el(
    "table",
    "",
    el("thead", "", el("tr", "", el("td", ""), ...heads)),
    el(
      "tbody",
      "",
      row(say.start, start),
      ...hands.map(({ wind, kyoku, honba, scores }) => row(say.handName(wind, kyoku, honba), scores)),
    ),
  );
}
