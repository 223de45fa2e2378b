/**
 * How the hand ended: the winning hand with its yaku and payments, or the kind of draw.
 *
 * @typedef {import("../table/outcome.js").Pane} Pane
 * @typedef {import("../table/outcome.js").WinPane} WinPane
 * @typedef {import("../table/outcome.js").DrawPane} DrawPane
 * @typedef {import("../table/outcome.js").Payment} Payment
 * @typedef {import("../table/names.js").Words} Words
 *
 * @typedef {object} ResultModel
 * @property {Pane[]} panes
 * @property {number} at which of them is shown
 */
import { el } from "./dom.js";
import { meld } from "./melds.js";
import { tile } from "./tile.js";
import { Widget } from "./widget.js";

/** @extends {Widget<ResultModel>} */
export class ResultWidget extends Widget {
  /** @type {Words | null} */
  say = null;

  /** @param {ResultModel} model */
  draw({ panes, at }) {
    const pane = panes[at];
    if (pane === undefined || this.say === null) return this.replaceChildren();
    this.replaceChildren(
      ...(pane.kind === "win" ? win(pane, this.say) : draw(pane, this.say)),
      payments(pane.payments, this.say),
    );
    if (panes.length > 1) this.append(el("p", "result-page", `${at + 1} / ${panes.length}`));
  }
}
customElements.define("mj-result", ResultWidget);

/** @param {WinPane} pane @param {Words} say */
function win(pane, say) {
  const how = pane.loser === null ? say.calls.tsumo : say.ronFrom(pane.loser);
  const last = tile(pane.pai, say.tile(pane.pai));
  last.classList.add("tile--winning");
  return [
    el(
      "header",
      "result-head",
      el("h2", "result-title", pane.winner),
      el("p", "result-how", how),
    ),
    el(
      "div",
      "result-hand",
      el("div", "result-tiles", ...pane.tiles.map((pai) => tile(pai, say.tile(pai))), last),
      ...pane.melds.map((tiles) => meld(tiles, say)),
    ),
    el(
      "div",
      "result-dora",
      indicators(say.dora, pane.dora, say),
      pane.ura.length > 0 ? indicators(say.ura, pane.ura, say) : null,
    ),
    el(
      "div",
      "result-worth",
      el("ul", "result-yaku", ...pane.yaku.map(([id, han]) => yakuLine(id, han, pane, say))),
      worth(pane, say),
    ),
  ];
}

/** @param {string} id @param {number} han @param {WinPane} pane @param {Words} say */
function yakuLine(id, han, pane, say) {
  const worth = pane.yakuman > 0 ? say.yakumanTimes(han) : say.han(han);
  return el(
    "li",
    "",
    el("span", "yaku-name", say.yaku[id] ?? id),
    el("span", "yaku-han", worth ?? ""),
  );
}

/** @param {WinPane} pane @param {Words} say */
function worth(pane, say) {
  const limit = pane.yakuman > 0 ? say.yakumanTimes(pane.yakuman) : say.limits[pane.limit];
  const count = pane.yakuman > 0 ? "" : `${say.han(pane.han)} ${say.fu(pane.fu)}`;
  return el(
    "div",
    "result-sum",
    count === "" ? null : el("p", "result-count", count),
    limit ? el("p", "result-limit", limit) : null,
    el("p", "result-points", say.points(pane.points)),
    pane.liable === null ? null : el("p", "result-liable", say.responsible(pane.liable)),
  );
}

/** @param {string} label @param {string[]} tiles @param {Words} say */
function indicators(label, tiles, say) {
  return el(
    "div",
    "indicator-row",
    el("span", "info-label", label),
    ...tiles.map((pai) => tile(pai, say.tile(pai))),
  );
}

/** @param {DrawPane} pane @param {Words} say */
function draw(pane, say) {
  const head = el("header", "result-head", el("h2", "result-title", say.draws[pane.reason] ?? ""));
  if (pane.declarer !== null) head.append(el("p", "result-how", pane.declarer));
  const rows = pane.hands.filter(
    ({ tiles, tenpai }) => tiles.length > 0 || (pane.hasTenpai && !tenpai),
  );
  return [
    head,
    el(
      "ul",
      "result-hands",
      ...rows.map((hand) =>
        el(
          "li",
          hand.tiles.length > 0 ? "" : "is-closed",
          el("span", "plate-wind", hand.wind),
          el("span", "result-who", hand.name),
          stateBadge(pane, hand, say),
          el(
            "span",
            "result-tiles",
            ...hand.tiles.map((pai) => tile(pai, say.tile(pai))),
            ...(hand.tiles.length > 0 ? hand.melds.map((tiles) => meld(tiles, say)) : []),
          ),
        ),
      ),
    ),
  ];
}

/** @param {DrawPane} pane @param {DrawPane["hands"][number]} hand @param {Words} say */
function stateBadge(pane, { tenpai, nagashi }, say) {
  if (!pane.hasTenpai) return null;
  if (nagashi) return el("span", "badge badge--nagashi", say.draws.nagashi_mangan);
  return el("span", "badge", tenpai ? say.tenpai : say.noten);
}

/** @param {Payment[]} rows @param {Words} say */
function payments(rows, say) {
  const nobodyPays = rows.every(({ delta }) => delta === 0);
  return el(
    "ul",
    nobodyPays ? "payments payments--none" : "payments",
    ...rows.map(({ wind, name, delta, score }) => {
      const sign = delta > 0 ? "is-gain" : delta < 0 ? "is-loss" : "";
      return el(
        "li",
        `payment ${sign}`,
        el("span", "plate-wind", wind),
        el("span", "payment-name", name),
        el("span", "payment-delta", say.delta(delta)),
        el("span", "payment-score", say.points(score)),
      );
    }),
  );
}
