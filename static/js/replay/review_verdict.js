/**
 * The verdict on a seat, with which a review opens: accuracy, the dearest moments, a habit, luck, and
 * the expected place over the game.
 *
 * @import { Words } from "../table/names.js"
 * @import { ReviewNodes, Texts } from "./review_answer.js"
 * @import { Decision, Review } from "./review_data.js"
 *
 * @typedef {{names: string[], hands: {wind: string, kyoku: number, honba: number}[]}} Game
 */
import { lineFigure } from "../ui/chart.js";
import { button, el } from "../ui/dom.js";
import { filled } from "./review_data.js";

const DEAREST = 3;

/**
 * @param {Review} review
 * @param {number} seat
 * @param {Game} game
 * @param {ReviewNodes} nodes
 * @param {(decision: Decision) => void} goTo
 */
export function verdictNodes(review, seat, game, nodes, goTo) {
  const { texts, say } = nodes;
  const {
    accuracy,
    severities,
    luck,
    luck_error: error,
    habit,
    habit_times: times,
    habit_loss: lost,
  } = review.verdicts[seat];
  const [all, ...phases] = accuracy;
  const dearest = review.dearest[seat].slice(0, DEAREST).map((place) => {
    const decision = review.decisions[place];
    return el(
      "li",
      "",
      button("review-moment", () => goTo(decision), ...nodes.line(decision)),
    );
  });
  const counts = Object.entries(severities).filter(([, number]) => number > 0);
  const habitValues = { times, places: say.places(lost) };
  const luckValues = {
    luck: say.signedPlaces(luck),
    low: say.signedPlaces(luck - error),
    high: say.signedPlaces(luck + error),
  };
  return [
    el(
      "p",
      "review-accuracy",
      all === undefined ? texts.no_accuracy : filled(texts.accuracy_all, { share: say.percent(all.percent / 100) }),
    ),
    phases.length === 0
      ? null
      : el(
          "ul",
          "review-phases",
          ...phases.map(({ phase, percent, decisions }) =>
            el("li", "", filled(texts[`phase_${phase}`], { share: say.percent(percent / 100), decisions })),
          ),
        ),
    el(
      "ul",
      "review-counts",
      ...counts.map(([name, number]) => el("li", `review-severity ${name}`, `${texts[name]} ${say.points(number)}`)),
    ),
    dearest.length === 0 ? null : el("h3", "", texts.moments),
    dearest.length === 0 ? null : el("ol", "", ...dearest),
    habit === ""
      ? null
      : el("p", "review-habit", `${texts[`habit_${habit}`]} ${filled(texts.habit_cost, habitValues)}`),
    el("p", "review-luck", filled(texts.luck, luckValues)),
    review.unlike_fitted ? el("p", "fine", texts.unlike_fitted) : null,
    placeFigure(review, game, nodes),
  ].filter((node) => node !== null);
}

/**
 * The expected place of everybody before each hand, and the place at the end.
 *
 * @param {Review} review
 * @param {Game} game
 * @param {ReviewNodes} nodes
 */
function placeFigure({ places }, { names, hands }, { texts, say }) {
  const [start, ...after] = places;
  const last = names.length;
  const chart = {
    names,
    start,
    hands: hands.slice(0, after.length).map((hand, at) => ({ ...hand, scores: after[at] })),
  };
  return lineFigure(chart, say, {
    title: texts.places,
    text: say.places,
    scale: () => ({
      steps: Array.from({ length: last }, (_, at) => at + 1),
      place: (place) => (last - place) / (last - 1),
    }),
  });
}
