import assert from "node:assert/strict";
import { describe, it } from "node:test";

globalThis.HTMLElement ??= /** @type {any} */ (class {});
const { breakOf, diceOf } = await import("../../static/js/ui/opening_picture.js");

describe("the break of the wall", () => {
  it("has dice that follow from the table", () => {
    const all = Array.from({ length: 600 }, (_, at) => diceOf(`table${at}`));
    assert.deepEqual(diceOf("table1"), all[1]);
    for (const die of [0, 1]) {
      assert.deepEqual([...new Set(all.map((dice) => dice[die]))].sort(), [1, 2, 3, 4, 5, 6]);
    }
  });

  it("is counted around the table from the dealer", () => {
    assert.deepEqual(breakOf([2, 3], 0, 4), { seat: 0, stacks: 5 }, "5 is the dealer's own side");
    assert.deepEqual(breakOf([1, 1], 0, 4), { seat: 1, stacks: 2 }, "2 is the side on the right");
    assert.deepEqual(breakOf([6, 6], 3, 4), { seat: 2, stacks: 12 }, "12 is the side on the left");
    assert.deepEqual(breakOf([1, 2], 2, 3), { seat: 1, stacks: 3 }, "3 of three is the side on the left");
  });
});
