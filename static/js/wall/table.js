/**
 * The wall at the table page: the page's part in the draw, the panel, the receipt, and after the
 * game the check of the record. Loaded when a game has a draw.
 *
 * @import { Words } from "../table/names.js"
 * @import { Wall } from "./state.js"
 *
 * @typedef {object} Acts
 * @property {(message: object) => void} send
 * @property {(text: string) => void} warn show a text for a while, and read it aloud
 * @property {(text: string) => void} announce read a text aloud
 * @property {() => Promise<HTMLElement>} ranking the final ranking, once its panel has loaded
 *
 * @typedef {object} Moment
 * @property {Wall} wall
 * @property {number | null} you
 * @property {readonly string[]} names by seat
 * @property {boolean} isOver
 */
import { settings } from "../settings.js";
import { button, el } from "../ui/dom.js";
import { WallPanel, ownText, stateText } from "../ui/wall.js";
import { DrawParticipant } from "./draw_participant.js";
import { Receipts, STORED_AS, receiptOf } from "./receipts.js";
import { EXCLUDED, lastDraw, publishedOf } from "./state.js";

export class TableWall {
  /** @type {Moment | null} */
  #now = null;
  #announced = "";
  #saved = 0;
  #isChecked = false;

  /** @param {HTMLElement} root @param {Words} say @param {Acts} acts */
  constructor(root, say, acts) {
    this.root = root;
    this.say = say;
    this.acts = acts;
    const { table = "", record = "", fair = "" } = root.dataset;
    this.table = table;
    this.record = record;
    this.receipts = new Receipts();
    this.page = new DrawParticipant(table, {
      receipts: this.receipts,
      send: acts.send,
      changed: () => this.#onStandingChange(),
    });
    this.panel = new WallPanel(root, say, {
      fair,
      saveReceipt: () => this.#saveReceipt(),
      opened: () => this.#now?.isOver && this.#check(),
    });
    // Another window may have overwritten the bytes that the server has accepted from this one.
    window.addEventListener("storage", ({ key }) => {
      if (key === STORED_AS && this.#now !== null) this.page.follow(this.#now.wall, this.#now.you);
    });
  }

  /** @param {Moment} now @param {boolean} isNew after a `sync` */
  follow(now, isNew) {
    this.#now = now;
    this.#draw();
    this.page.follow(now.wall, now.you, isNew);
    const { wall } = now;
    const isBound = wall.state === "reveal";
    if (isBound && settings.get("wall_receipt") && this.#saved !== wall.draw) this.#saveReceipt();
    const text = wall.state === "fixed" || wall.state === "none" ? stateText(wall, this.say) : "";
    if (text !== this.#announced && text !== "") this.acts.announce(text);
    this.#announced = text;
    // Pages of spectators read the record only when they open the sheet.
    if (now.isOver && now.you !== null) this.#check();
  }

  #draw() {
    if (this.#now === null) return;
    const { wall, names } = this.#now;
    this.panel.show({ wall, names, participation: this.page.participation });
  }

  #onStandingChange() {
    this.#draw();
    const { participation } = this.page;
    if (this.#now !== null && (EXCLUDED.includes(participation) || participation === "other")) {
      this.acts.warn(ownText(this.#now.wall, participation, this.say));
    }
    if (participation === "silenced" && settings.get("wall_receipt")) this.#saveReceipt();
  }

  #saveReceipt() {
    if (this.#now === null) return;
    const { wall, you } = this.#now;
    this.#saved = wall.draw;
    const { kept, participation } = this.page;
    // A page that is named silent has proof only of the draw in which it revealed.
    const draw = participation === "silenced" ? lastDraw(kept) : wall.draw;
    const { contribution = "", commitment: _commitment, fixed: _fixed, ...published } = kept[draw] ?? {};
    const isRevealed = published.binding !== undefined;
    // Before it is revealed, nobody but this browser may have it.
    const receipt = isRevealed
      ? receiptOf(this.table, you, draw, published, contribution)
      : receiptOf(this.table, you, draw, publishedOf(wall), "");
    const text = JSON.stringify(receipt, null, 1);
    const file = el("a", "");
    file.href = URL.createObjectURL(new Blob([`${text}\n`], { type: "application/json" }));
    file.download = `wall-${this.table}-${draw}.json`;
    file.click();
    setTimeout(() => URL.revokeObjectURL(file.href), 10_000);
  }

  async #check() {
    if (this.#isChecked || this.#now === null || this.#now.wall.state === "none") return;
    this.#isChecked = true;
    const { names, you } = this.#now;
    this.panel.showResult(el("p", "wall-note", this.say.wall.checking));
    const { checkedRecord, figures, verdict, verdictNode } = await import("../ui/wall_record.js");
    const finding = await checkedRecord(this.record);
    this.#isChecked = finding !== null;
    const found = verdict(finding, this.receipts.of(this.table), names, this.say);
    const more = finding?.proof ? [figures(finding, this.record, names, this.say)] : [];
    this.panel.showResult(verdictNode(found), ...more);
    const line = verdictNode(found);
    if (more.length > 0)
      line.append(button("button button--quiet", () => this.panel.sheet.open(), this.say.wall.check));
    this.acts.announce(found.text);
    if (you === null) return;
    const ranking = await this.acts.ranking();
    this.root.querySelector(".outcome .wall-verdict")?.remove();
    ranking.after(line);
  }
}
