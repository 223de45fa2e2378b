/** Shows how far a table's page has loaded, until the table is there. */
const STEPS = ["scripts", "words", "online", "table"];

export class Loading {
  #node = document.getElementById("loading");

  /** @param {string} step of `STEPS`; others change nothing */
  reach(step) {
    const bar = this.#node?.querySelector("progress");
    const value = STEPS.indexOf(step) + 1;
    if (bar && value > 0) bar.value = value;
  }

  /** Remove the progress: the table is drawn, or there is none. Load the font now, which the table can do without. */
  end() {
    if (this.#node === null) return;
    this.#node.remove();
    this.#node = null;
    const { fonts } = document.getElementById("table")?.dataset ?? {};
    if (fonts === undefined) return;
    const sheet = document.createElement("link");
    sheet.rel = "stylesheet";
    sheet.href = fonts;
    document.head.append(sheet);
  }
}
