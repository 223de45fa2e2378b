/**
 * Checks the automatics with every question of games that the engine has played: whichever
 * are on, they never pass on a win and never choose between actions.
 */
import assert from "node:assert/strict";

import { automatic } from "../../static/js/table/autos.js";

const BOOLEANS = [false, true];
const EVERY_WAY = BOOLEANS.flatMap((win) =>
  BOOLEANS.flatMap((no_calls) =>
    BOOLEANS.flatMap((tsumogiri) => BOOLEANS.map((kita) => ({ sort: true, win, no_calls, tsumogiri, kita }))),
  ),
);

export class AutosSeen {
  /** @type {Set<string>} what has been done, and what has been left to the reader */
  #seen = new Set();

  /** @param {any} view @param {any[]} legal */
  look(view, legal) {
    const types = legal.map(({ type }) => type);
    const isWinOpen = types.includes("hora");
    for (const autos of EVERY_WAY) {
      const action = automatic(view, legal, autos, []);
      const context = JSON.stringify({ autos, legal, phase: view.phase, drawn: view.drawn });
      this.#seen.add(`${action?.type ?? "nothing"}${isWinOpen ? " for a win" : ""}`);
      if (action === null) continue;
      assert.ok(legal.includes(action), context);
      assert.ok(!view.rules.false_declarations, context);
      assert.equal(action.type === "hora", isWinOpen, context);
      if (action.type === "hora") assert.ok(autos.win, context);
      else if (action.type === "kita") assert.ok(autos.kita, context);
      else if (action.type === "none") this.#checkPass(view, types, autos, context);
      else this.#checkDiscard(view, action, types, autos, context);
    }
  }

  #checkPass(view, types, autos, context) {
    assert.ok(autos.no_calls && view.phase === "claims", context);
    assert.ok(
      types.every((type) => ["chi", "pon", "daiminkan", "none"].includes(type)),
      context,
    );
  }

  #checkDiscard(view, action, types, autos, context) {
    assert.ok(autos.tsumogiri && view.phase === "turn", context);
    assert.deepEqual(action, { type: "dahai", pai: view.drawn, tsumogiri: true }, context);
    assert.ok(
      types.every((type) => type === "dahai"),
      context,
    );
  }

  checkAllWasSeen() {
    const wanted = ["dahai", "hora for a win", "kita", "none", "nothing", "nothing for a win"];
    assert.deepEqual([...this.#seen].sort(), wanted);
  }
}
