/**
 * The result of a hand: a win with yaku, fu and payments, or a draw with the tiles that caused it.
 *
 * @import { Words } from "../table/names.js"
 * @import { DrawPane, Pane, Payment, ShownHand, WinPane } from "../table/outcome.js"
 *
 * @typedef {object} ResultModel
 * @property {Pane[]} panes
 * @property {number} at which of them is shown
 * @property {import("../settings.js").Values["yaku_names"]} yakuNames
 */
import { settings } from "../settings.js";
import { GAP } from "../table/outcome.js";
import { kindOf } from "../table/tiles.js";
import { yakuName } from "../table/yaku_names.js";
import { el } from "./dom.js";
import { meld, northPile } from "./seat_melds.js";
import { tile } from "./tile.js";
import { Widget } from "./widget.js";

/** @extends {Widget<ResultModel>} */
export class ResultWidget extends Widget {
  /** @param {ResultModel} model */
  draw({ panes, at }) {
    const pane = panes[at];
    if (pane === undefined) return this.replaceChildren();
    this.style.setProperty("--reveals", `${pane.kind === "win" ? pane.ura.length : 0}`);
    this.replaceChildren(
      ...(pane.kind === "win" ? winNodes(pane, this.say) : drawNodes(pane, this.say)),
      payments(pane.payments, this.say),
    );
    if (panes.length > 1) this.firstElementChild?.append(el("p", "result-page", `${at + 1} / ${panes.length}`));
  }
}
customElements.define("mj-result", ResultWidget);

/**
 * One row of tiles, small enough to fit.
 * @param {string} className
 * @param {number} width in tiles
 * @param {...(Node | null)} children
 */
function row(className, width, ...children) {
  const node = el("div", `tile-row ${className}`, ...children);
  node.style.setProperty("--width", `${Math.max(width, 1)}`);
  node.style.setProperty("--gap", `${GAP}`);
  return node;
}

/** @param {WinPane} pane @param {Words} say */
function winNodes(pane, say) {
  const how = pane.loser === null ? say.calls.tsumo : say.ronFrom(pane.loser);
  const doraKinds = [...pane.dora, ...pane.ura].map(({ kind }) => kind);
  const last = handTile(pane.pai, pane, say);
  last.classList.add("tile--winning");
  return [
    el("header", "result-head", el("h2", "result-title", pane.winner), el("p", "result-how", how)),
    row(
      "result-hand",
      pane.width,
      el("div", "result-tiles", ...pane.tiles.map((pai) => handTile(pai, pane, say)), last),
      ...pane.melds.map((tiles) => meld(tiles, say, doraKinds)),
      pane.norths > 0 ? northPile(pane.norths, say) : null,
    ),
    el(
      "div",
      "result-dora",
      indicators(say.dora, pane.dora, say),
      pane.ura.length > 0 ? indicators(say.ura, pane.ura, say, true) : null,
    ),
    el(
      "div",
      "result-worth",
      el("ul", "result-yaku", ...pane.yaku.map(([id, han]) => yakuLine(id, han, pane, say))),
      pane.fuParts.length > 0 ? fuParts(pane, say) : null,
      worth(pane, say),
    ),
    flow(pane, say),
  ];
}

/**
 * A tile of the winning hand; ura dora are marked once they are turned.
 * @param {string} pai
 * @param {WinPane} pane
 * @param {Words} say
 */
function handTile(pai, { dora, ura }, say) {
  /** @param {{kind: string}} indicator */
  const points = ({ kind }) => kind === kindOf(pai);
  const isDora = dora.some(points);
  const isUra = ura.some(points);
  const node = tile(pai, say.marked(pai, { dora: isDora || isUra }));
  node.classList.toggle("tile--dora", isDora || isUra);
  node.classList.toggle("tile--ura", isUra && !isDora);
  return node;
}

/** @param {string} id @param {number} han @param {WinPane} pane @param {Words} say */
function yakuLine(id, han, pane, say) {
  // The sum below names a single yakuman.
  const isAlone = pane.yakuman > 0 && pane.yaku.length === 1;
  const yakumanWorth = isAlone ? "" : say.yakumanTimes(han);
  const worth = pane.yakuman > 0 ? yakumanWorth : say.han(han);
  const { name, romaji } = yakuName(id, say.yaku, settings.get("yaku_names"));
  return el(
    "li",
    id === "ura" ? "is-late" : "",
    el("span", "yaku-name", name, romaji === "" ? null : el("span", "yaku-romaji", ` ${romaji}`)),
    el("span", "yaku-han", worth ?? ""),
  );
}

/** What the fu are made of, line by line. @param {WinPane} pane @param {Words} say */
function fuParts({ fuParts, fuSum, fu }, say) {
  const total = fuSum === fu ? say.fu(fu) : say.roundedUp(fuSum, fu);
  return el(
    "ul",
    "result-fu",
    ...fuParts.map(({ id, fu, pai }) =>
      el(
        "li",
        "",
        el("span", "fu-name", say.fuParts[id] ?? id, pai === null ? null : tile(pai, say.tile(pai))),
        el("span", "fu-count", `${fu}`),
      ),
    ),
    el("li", "fu-total", el("span", "fu-name", say.total), el("span", "fu-count", total)),
  );
}

/** @param {WinPane} pane @param {Words} say */
function worth(pane, say) {
  const limit = pane.yakuman > 0 ? say.yakumanTimes(pane.yakuman) : say.limits[pane.limit];
  const count = pane.yakuman > 0 ? "" : say.hanAndFu(pane.han, pane.fu);
  return el(
    "div",
    pane.ura.length > 0 ? "result-sum is-late" : "result-sum",
    count === "" ? null : el("p", "result-count", count),
    limit ? el("p", "result-limit", limit) : null,
    el("p", "result-points", say.points(pane.points)),
    pane.liable === null ? null : el("p", "result-liable", say.responsible(pane.liable)),
  );
}

/** What the winner gets besides the hand's own points. @param {WinPane} pane @param {Words} say */
function flow({ flow: { points, honba, sticks, total } }, say) {
  if (honba === 0 && sticks === 0) return "";
  /** @param {string} label @param {number} sum */
  const part = (label, sum) => (sum === 0 ? null : el("span", "flow-part", `${label} `, el("b", "", say.points(sum))));
  return el(
    "p",
    "result-flow",
    part(say.flow.hand, points),
    part(say.flow.honba, honba),
    part(say.flow.sticks, sticks),
    el("span", "flow-total", `${say.total} `, el("b", "", say.points(total))),
  );
}

/** @param {string} label @param {WinPane["dora"]} shown @param {Words} say @param {boolean} [oneByOne] */
function indicators(label, shown, say, oneByOne = false) {
  const laid = shown.map(({ pai, kind }, at) => {
    const node = tile(pai, say.doraShown(kind, pai));
    node.classList.toggle("tile--revealed", oneByOne);
    node.style.setProperty("--at", `${at}`);
    return node;
  });
  return el("div", "indicator-row", el("span", "info-label", label), ...laid);
}

/** @param {DrawPane} pane @param {Words} say */
function drawNodes(pane, say) {
  const how = [pane.by.join(", "), say.fouls[pane.foul] ?? ""].filter((text) => text !== "");
  const rows = pane.hands.filter(
    ({ tiles, melds, tenpai, offender }) =>
      tiles.length > 0 || melds.length > 0 || offender || (pane.hasTenpai && !tenpai),
  );
  return [
    el(
      "header",
      "result-head",
      el("h2", "result-title", say.draws[pane.reason] ?? ""),
      how.length > 0 ? el("p", "result-how", how.join(": ")) : null,
      pane.kinds > 0 ? el("p", "result-how", say.kinds(pane.kinds)) : null,
    ),
    say.drawsMeaning[pane.reason] ? el("p", "result-meaning", say.drawsMeaning[pane.reason]) : "",
    el("ul", "result-hands", ...rows.map((hand) => handLine(pane, hand, say))),
  ];
}

/** @param {DrawPane} pane @param {ShownHand} hand @param {Words} say */
function handLine(pane, hand, say) {
  const { tiles, marked, melds } = hand;
  const laid = tiles.map((pai, at) => {
    const node = tile(pai, marked[at] ? say.counted(pai) : say.tile(pai));
    node.classList.toggle("tile--counted", marked[at]);
    return node;
  });
  return el(
    "li",
    tiles.length > 0 || melds.length > 0 ? "" : "is-closed",
    el("span", "wind-badge", say.windLetters[hand.wind]),
    el("span", "result-who", hand.name),
    stateBadge(pane, hand, say),
    row(
      "result-laid",
      hand.width,
      laid.length > 0 ? el("div", "result-tiles", ...laid) : null,
      ...melds.map((tiles) => meld(tiles, say)),
      hand.waits.length > 0 ? waitsOf(hand.waits, say) : null,
    ),
  );
}

/** @param {string[]} waits @param {Words} say */
function waitsOf(waits, say) {
  const node = el("div", "result-waits", ...waits.map((pai) => tile(pai, say.tile(pai))));
  node.setAttribute("role", "group");
  node.setAttribute("aria-label", say.waits);
  node.title = say.waits;
  return node;
}

/** @param {DrawPane} pane @param {ShownHand} hand @param {Words} say */
function stateBadge(pane, { tenpai, nagashi, offender }, say) {
  if (offender) return el("span", "badge badge--offender", say.draws.chombo);
  if (!pane.hasTenpai) return null;
  if (nagashi) return el("span", "badge badge--nagashi", say.draws.nagashi_mangan);
  return el("span", "badge", tenpai ? say.tenpai : say.noten);
}

/** Who pays whom. @param {Payment[]} rows @param {Words} say */
function payments(rows, say) {
  const nobodyPays = rows.every(({ delta, stick }) => delta === 0 && stick === 0);
  return el(
    "ul",
    nobodyPays ? "payments payments--none" : "payments",
    ...rows.map(({ wind, name, delta, stick, score, to, liable }) => {
      const sign = delta > 0 ? "is-gain" : delta < 0 ? "is-loss" : "";
      return el(
        "li",
        `payment ${sign}`,
        el("span", "wind-badge", say.windLetters[wind]),
        el("span", "payment-name", name),
        liable ? el("span", "badge payment-liable", say.pao) : null,
        el(
          "span",
          "payment-delta",
          say.delta(delta) || (stick > 0 ? "\u00b10" : ""),
          receivers(to, say),
          stick > 0 ? el("span", "payment-stick", say.ownStick(stick)) : null,
        ),
        el("span", "payment-score", say.points(score)),
      );
    }),
  );
}

/** An arrow to those who are paid. @param {Payment["to"]} to @param {Words} say */
function receivers(to, say) {
  if (to.length === 0) return null;
  const node = el(
    "span",
    "payment-to",
    el("span", "payment-arrow", "\u2192"),
    ...to.map(({ wind }) => el("span", "wind-badge", say.windLetters[wind])),
  );
  node.setAttribute("role", "img");
  node.setAttribute("aria-label", say.paysTo(to.map(({ name }) => name)));
  return node;
}
