import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { turnOf } from "../../static/js/table/turns.js";
import { hand, river, view } from "./kit.js";

const seen = view({
  hands: [hand({ river: river("1m 2m 3m") }), hand({ river: river("1p 2px") }), hand(), hand()],
});
const win = (actor, target, yaku = [["tanyao", 1]]) => ({ type: "hora", actor, target, yaku });

describe("the turn of an event", () => {
  it("of a riichi is the number of its declaration tile", () => {
    assert.equal(turnOf({ type: "reach", actor: 0 }, seen), 4);
    assert.equal(turnOf({ type: "reach", actor: 2 }, seen), 1);
  });

  it("of a ron is the number of the discard, called ones included", () => {
    assert.equal(turnOf(win(0, 1), seen), 2);
    assert.equal(turnOf(win(2, 0), seen), 3);
  });

  it("of a tsumo or a robbed kan is the next turn of the seat that drew", () => {
    assert.equal(turnOf(win(0, 0), seen), 4);
    assert.equal(turnOf(win(0, 1, [["chankan", 1]]), seen), 3);
  });

  it("is not given for other events", () => {
    assert.equal(turnOf({ type: "pon", actor: 0, target: 1, pai: "2p", consumed: ["2p", "2p"] }, seen), null);
  });
});
