/**
 * Hints in the first game with three players: what is different from four, shown once when it first
 * matters. The texts are those of `templates/game/three_hints.html`, which the page has only if the
 * reader has finished no such game. Knows nothing that the reader does not see.
 *
 * @import { Action, View } from "../table/types.js"
 *
 * @typedef {object} Moment
 * @property {View} view
 * @property {number} you
 * @property {Action[]} legal
 */
import { hide } from "../ui/dom.js";

const STORED_AS = "three-hints";
/** The distances of two tiles that form a run with a third. */
const NEIGHBOURS = [
  [-2, -1],
  [-1, 1],
  [1, 2],
];

/** The differences that matter at this moment, by the ids of their texts. @param {Moment} moment */
export function hintsAt({ view, you, legal }) {
  const { phase, turn, claimed, drawn, results } = view;
  const held = drawn === null ? view.hands[you].tiles : [...view.hands[you].tiles, drawn];
  const isOwnTurn = phase === "turn" && turn === you;
  const previous = (you + view.hands.length - 1) % view.hands.length;
  const isOfPrevious = phase === "claims" && turn === previous && !view.robbing;
  const canRun = isOfPrevious && view.hands[you].riichi === "none" && claimed !== null && isOfRun(claimed, held);
  const isTsumo = phase === "result" && results.some((won) => won.type === "hora" && won.actor === won.target);
  const moments = {
    north: legal.some(({ type }) => type === "kita"),
    run: canRun,
    characters: isOwnTurn && held.some((pai) => pai === "1m" || pai === "9m"),
    loss: isTsumo,
  };
  return Object.entries(moments).flatMap(([id, isNow]) => (isNow ? [id] : []));
}

/** Whether the tile would complete a run with two of the hand. @param {string} pai @param {string[]} held */
function isOfRun(pai, held) {
  if (pai.length === 1) return false; // an honour
  const numbers = held.filter((tile) => tile[1] === pai[1]).map((tile) => Number(tile[0]));
  return NEIGHBOURS.some((pair) => pair.every((distance) => numbers.includes(Number(pai[0]) + distance)));
}

export class ThreeHints {
  #hand = "";

  /**
   * @param {HTMLElement} panel
   * @param {HTMLElement} notices where it is shown
   * @param {(text: string) => void} announce to screen readers
   */
  constructor(panel, notices, announce) {
    this.panel = panel;
    this.announce = announce;
    this.shown = readShownHints();
    panel.querySelector("button")?.addEventListener("click", () => hide(panel, true));
    // Keys pressed here are not for the table.
    panel.addEventListener("keydown", (event) => event.stopPropagation());
    notices.append(panel);
  }

  /**
   * Show a hint of this moment that was not shown before, until it is closed or its hand is over.
   * @param {Moment} moment
   */
  show(moment) {
    const { phase, history } = moment.view;
    const hand = `${history.length} ${phase === "result" || phase === "ended"}`;
    if (hand !== this.#hand) hide(this.panel, true);
    this.#hand = hand;
    if (!this.panel.hidden) return;
    const texts = [...this.panel.querySelectorAll("p")];
    const next = hintsAt(moment)
      .filter((id) => !this.shown.has(id))
      .flatMap((id) => texts.find((text) => text.dataset.on === id) ?? [])[0];
    if (next === undefined) return;
    for (const text of texts) hide(text, text !== next);
    hide(this.panel, false);
    this.shown.add(next.dataset.on ?? "");
    keep(this.shown);
    this.announce(next.textContent?.trim() ?? "");
  }
}

/** @returns {Set<string>} the hints that this browser has shown */
function readShownHints() {
  try {
    return new Set((localStorage.getItem(STORED_AS) ?? "").split(" "));
  } catch {
    return new Set();
  }
}

/** @param {Set<string>} shown */
function keep(shown) {
  try {
    localStorage.setItem(STORED_AS, [...shown].join(" "));
  } catch {
    // Full or forbidden: the hints are then kept as long as the page.
  }
}
