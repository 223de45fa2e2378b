import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { roundNames } from "../../static/js/ui/chart.js";
import { words } from "./kit.js";

const say = words.en;
const hand = (wind, kyoku, honba = 0) => ({ wind, kyoku, honba, scores: [] });

describe("the names below the chart of scores", () => {
  it("are those of rounds, at the first hand of each", () => {
    const hands = [hand("E", 1), hand("E", 2), hand("E", 2, 1), hand("S", 2)];
    const names = roundNames(hands, (at) => 100 * at, say);
    assert.deepEqual(
      names.map(({ x, text }) => [x, text]),
      [
        [100, "East 1"],
        [200, "East 2"],
        [400, "South 2"],
      ],
    );
  });

  it("are left out where they would touch", () => {
    const hands = [hand("E", 1), hand("E", 2), hand("E", 3)];
    const names = roundNames(hands, (at) => 40 * at, say);
    assert.deepEqual(
      names.map(({ text }) => text),
      ["East 1", "East 3"],
    );
  });
});
