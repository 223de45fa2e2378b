/**
 * The state of the wall at the table: a sign among the tools, and a sheet with what was published,
 * the receipt, and after the game the check of the record. Only a wall that does not fit has words
 * on the table.
 *
 * @import { Words } from "../table/names.js"
 * @import { OwnDraw, Participation, Wall } from "../wall/state.js"
 *
 * @typedef {object} WallModel
 * @property {Wall} wall
 * @property {readonly string[]} names by seat
 * @property {Participation} participation
 */
import { settings } from "../settings.js";
import { EXCLUDED, pagesOf } from "../wall/state.js";
import { button, el, hide, link, setAttribute, setText } from "./dom.js";
import { Sheet } from "./sheet.js";
import { styleSheet } from "./style_sheet.js";

/** Loaded with the panel: a table without a draw does not need them. */
const SHEETS = ["../../css/wall.css", "../../css/table/wall.css"];
const WARNINGS = [...EXCLUDED, "other"];

export class WallPanel {
  #label = el("span", "wall-chip-label");
  #body = el("div", "wall-sheet");
  #state = el("p", "wall-state");
  #own = el("p", "wall-own");
  #voids = el("p", "wall-note");
  #values = el("div", "wall-published");
  #result = el("div", "wall-result");
  #shown = "";

  /**
   * @param {HTMLElement} root
   * @param {Words} say
   * @param {{fair: string, saveReceipt: () => void, opened: () => void}} acts
   */
  constructor(root, say, { fair, saveReceipt, opened }) {
    this.say = say;
    this.save = button("button", saveReceipt, say.wall.saveReceipt);
    const about = link("wall-about", fair, say.wall.about);
    about.target = "_blank";
    this.#body.append(
      this.#state,
      this.#own,
      this.#voids,
      this.#result,
      this.#values,
      el("div", "wall-buttons", this.save, alwaysSwitch(say)),
      about,
    );
    this.sheet = new Sheet(root, say, say.wall.title, () => [this.#body]);
    const open = () => {
      this.sheet.open();
      opened();
    };
    this.chip = button("tool wall-chip", open, el("span", "wall-chip-sign"), this.#label);
    // Hidden until its style sheets are loaded: without them it would move the table.
    this.chip.hidden = true;
    const addresses = SHEETS.map((path) => new URL(path, import.meta.url));
    Promise.all(addresses.map(styleSheet)).then(() => hide(this.chip, false));
    (root.querySelector(".tools") ?? root).prepend(this.chip);
  }

  /** @param {WallModel} model */
  show(model) {
    const shown = JSON.stringify(model);
    if (shown === this.#shown) return;
    this.#shown = shown;
    const { say } = this;
    const { wall, participation } = model;
    const isWrong = WARNINGS.includes(participation);
    setText(this.#label, isWrong ? say.wall.look : "");
    setAttribute(this.chip, "aria-label", isWrong ? say.wall.look : say.wall.short[wall.state]);
    setAttribute(this.chip, "data-state", isWrong ? "wrong" : wall.state);
    const sentence = stateText(wall, say);
    this.chip.title = sentence;
    setText(this.#state, sentence);
    setText(this.#own, ownText(wall, participation, say));
    setAttribute(this.#own, "data-wrong", isWrong ? "" : null);
    setText(this.#voids, wall.void > 0 ? say.wall.voids(wall.void) : "");
    this.#values.replaceChildren(...published(model, say));
    this.save.disabled = (wall.binding === "" || wall.state === "none") && participation !== "silenced";
  }

  /** Show the check of the record. @param {...Node} nodes */
  showResult(...nodes) {
    this.#result.replaceChildren(...nodes);
  }
}

/** Say whether the wall is fixed, and by how many pages. @param {Wall} wall @param {Words} say */
export function stateText(wall, { wall: say }) {
  if (wall.state === "none") return say.none;
  return wall.state === "fixed" ? say.fixed(pagesOf(wall), wall.draw) : say.fixing;
}

/**
 * Say what part this page has in the draw of the wall.
 * @param {Wall} wall @param {Participation} participation @param {Words} say
 */
export function ownText(wall, participation, { wall: say }) {
  if (participation === "in") return wall.state === "fixed" ? say.tookPart : say.takesPart;
  return say.standings[participation] ?? "";
}

/** @param {WallModel} model @param {Words} say */
function published({ wall, names }, { wall: say }) {
  if (wall.state === "none") return [];
  const rows = names.map((name, seat) => {
    const commitment = wall.commitments[seat];
    const isRevealed = wall.contributions[seat] !== "";
    const who = el("dt", "", name, isRevealed ? el("span", "wall-revealed", say.revealed) : null);
    return [who, el("dd", commitment === "" ? "wall-note" : "hash", commitment || say.noCommitment)];
  });
  const binding = wall.binding === "" ? el("p", "wall-note", say.notYet) : el("p", "hash", wall.binding);
  const key = !wall.key ? [] : [el("h3", "", say.key), el("p", "hash", wall.key)];
  return [
    el("h3", "", say.commitments),
    el("dl", "wall-values", ...rows.flat()),
    el("h3", "", say.binding),
    binding,
    ...key,
  ];
}

/** The choice to save a receipt of each wall. @param {Words} say */
function alwaysSwitch(say) {
  const input = el("input", "");
  input.type = "checkbox";
  input.checked = settings.get("wall_receipt");
  input.addEventListener("change", () => settings.set("wall_receipt", input.checked));
  settings.subscribe((key, value) => {
    if (key === "wall_receipt") input.checked = value;
  });
  return el("label", "sheet-row", el("span", "", say.wall.saveAlways), input);
}
