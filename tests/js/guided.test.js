import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";

import { stepOf } from "../../static/js/guided/guide_steps.js";

const template = readFileSync(new URL("../../templates/game/guide.html", import.meta.url), "utf8");
const TURN = { type: "dahai", pai: "1m", tsumogiri: false };

/**
 * The step of the learner, who sits East.
 * @param {string} hand
 * @param {{river?: string[], melds?: string[], riichi?: string, legal?: string[], chosen?: string | null,
 *   phase?: string, results?: object[]}} state
 */
function step(hand, { river = [], melds = [], riichi = "none", legal = [], chosen = null, ...rest }) {
  const own = { river: river.map((pai) => ({ pai })), melds, riichi };
  const view = { phase: "turn", results: [], hands: [own], ...rest };
  const actions = legal.map((type) => (type === "dahai" ? TURN : { type }));
  // @ts-expect-error only what the steps read
  return stepOf(hand, { view, you: 0, legal: actions, chosen });
}

describe("the steps of the guided first game", () => {
  it("lead through the first hand", () => {
    assert.deepEqual(step("pon", { legal: ["dahai"] }), { text: "discard", tile: "N" });
    assert.deepEqual(step("pon", { river: ["N"] }), { text: "watch" });
    assert.deepEqual(step("pon", { river: ["N"], legal: ["pon", "none"] }), { text: "pon", call: "pon" });
    const called = { melds: ["pon"] };
    assert.deepEqual(step("pon", { ...called, river: ["N"], legal: ["dahai"] }), { text: "after_pon", tile: "9p" });
    assert.deepEqual(step("pon", { ...called, river: ["N", "9p"] }), { text: "wait" });
    const complete = { ...called, river: ["N", "9p"], legal: ["hora", "dahai"] };
    assert.deepEqual(step("pon", complete), { text: "tsumo", call: "tsumo" });
    const won = { phase: "ended", results: [{ type: "hora", actor: 0 }] };
    assert.deepEqual(step("pon", won), { text: "won" });
  });

  it("let the learner discard the two single tiles of the first hand in either order", () => {
    const turned = { river: ["9p"], melds: ["pon"], legal: ["dahai"] };
    assert.deepEqual(step("pon", turned), { text: "after_pon", tile: "N" });
  });

  it("lead through the second hand", () => {
    assert.deepEqual(step("riichi", { legal: ["dahai"] }), { text: "discard", tile: "9s" });
    assert.deepEqual(step("riichi", { river: ["9s"] }), { text: "watch" });
    assert.deepEqual(step("riichi", { river: ["9s"], legal: ["dahai"] }), { text: "honour", tile: "N" });
    const offered = { river: ["9s", "N"], legal: ["chi", "none"] };
    assert.deepEqual(step("riichi", offered), { text: "pass", call: "none" });
    const ready = { river: ["9s", "W"], legal: ["reach", "dahai"] };
    assert.deepEqual(step("riichi", ready), { text: "riichi", call: "reach" });
    assert.deepEqual(step("riichi", { ...ready, chosen: "reach" }), { text: "riichi_tile", tile: "N" });
    const declared = { river: ["9s", "N", "W"], riichi: "accepted" };
    assert.deepEqual(step("riichi", declared), { text: "furiten" });
    assert.deepEqual(step("riichi", { ...declared, legal: ["hora", "dahai"] }), { text: "tsumo", call: "tsumo" });
  });

  it("say when the learner has made another discard than they ask for", () => {
    const wrong = [
      ["pon", { river: ["9s"] }],
      ["pon", { river: ["N", "N"], melds: ["pon"] }],
      ["pon", { river: ["N"], legal: ["dahai"] }], // the pon was passed
      ["pon", { river: ["N", "9p"], melds: ["pon"], legal: ["dahai"] }], // the win was passed
      ["pon", { phase: "ended", results: [{ type: "hora", actor: 2 }] }],
      ["pon", { phase: "ended", results: [{ type: "ryukyoku" }] }],
      ["riichi", { river: ["N"] }],
      ["riichi", { river: ["9s", "3p"] }],
      ["riichi", { river: ["9s", "N"], legal: ["dahai"] }], // no riichi possible
      ["riichi", { river: ["9s", "N", "W"] }], // without riichi
      ["riichi", { river: ["9s"], melds: ["chi"] }],
    ];
    for (const [hand, state] of wrong) {
      // @ts-expect-error the pairs above
      assert.equal(step(hand, state).text, "off", JSON.stringify([hand, state]));
    }
  });

  it("all have a text", () => {
    const [common, rest] = template.split('{% if guided == "pon" %}', 2);
    const first = rest.split("{% else %}")[0];
    const second = template.split("{% else %}")[1];
    /** @param {string} part */
    const ids = (part) => [...part.matchAll(/<p data-on="(\w+)[ "]/g)].map(([, id]) => id);
    assert.deepEqual(ids(common), ["watch", "off"]);
    assert.deepEqual(ids(first), ["discard", "pon", "after_pon", "wait", "tsumo", "won"]);
    assert.deepEqual(ids(second), ["discard", "honour", "pass", "riichi", "riichi_tile", "furiten", "tsumo", "won"]);
  });
});
