import assert from "node:assert/strict";
import { describe, it } from "node:test";

import {
  agreement,
  curve,
  decisionsAt,
  firstLoss,
  lacksCurves,
  lossOf,
  nearestDecision,
  picks,
  placeLossOf,
  reviewersAt,
  severityOf,
  sharesOf,
  windIn,
} from "../../static/js/replay/review_data.js";

const discard = (/** @type {string} */ tile, score = 0) => ({ action: "discard", tile, score });

describe("the figures of a review", () => {
  it("are found by position, those of the seat first", () => {
    const decisions = [
      { at: 4, seat: 0 },
      { at: 7, seat: 1 },
      { at: 7, seat: 3 },
    ];
    assert.deepEqual(decisionsAt({ decisions }, 7, 3), [decisions[2], decisions[1]]);
    assert.deepEqual(decisionsAt({ decisions }, 5, 3), []);
  });

  it("lead to the first loss of a seat, and to its next decision", () => {
    const decisions = [4, 6, 7, 9].map((at) => ({ at, seat: at === 7 ? 1 : 0 }));
    const dearest = [[3, 1], []];
    assert.deepEqual(firstLoss({ decisions, dearest }, 0), decisions[1]);
    assert.equal(firstLoss({ decisions, dearest }, 1), undefined);
    assert.deepEqual(
      [3, 6, 9].map((at) => nearestDecision({ decisions }, at, 0)?.at),
      [4, 9, 9],
    );
    assert.equal(nearestDecision({ decisions }, 4, 2), undefined);
  });

  it("add up the chances of the draws", () => {
    assert.deepEqual(curve([0, 250, 125, 0]), [0, 0.25, 0.375, 0.375]);
  });

  it("say which discards should have chances and have none", () => {
    const curves = { tenpai: [], win: [], points: 0 };
    const near = { ...discard("1m"), shanten: 3 };
    assert.deepEqual(
      [near, { ...near, curves }, { ...near, shanten: 4 }, { ...near, action: "pass" }].map(lacksCurves),
      [true, false, false, false],
    );
  });

  it("name seats by their wind in the hand", () => {
    assert.deepEqual(
      [0, 1, 2, 3].map((seat) => windIn({ dealer: 1 }, seat, 4)),
      ["N", "E", "S", "W"],
    );
    assert.deepEqual(
      [0, 1, 2].map((seat) => windIn({ dealer: 1 }, seat, 3)),
      ["W", "E", "S"],
    );
  });

  it("offer discards in the order of the hand, then riichi, then the rest", () => {
    const riichi = { declared: 3900, silent: 1300, gain: 0 };
    const choices = [{ action: "win" }, discard("E"), { ...discard("2p"), riichi }, discard("5mr"), discard("5m")];
    assert.deepEqual(
      picks({ choices }).map(({ place, riichi: declared }) => [place, declared]),
      [
        [4, false],
        [3, false],
        [2, false],
        [1, false],
        [2, true],
        [0, false],
      ],
    );
  });

  it("show the choices of outside engines, and how often players made them", () => {
    const decisions = [
      { seat: 1, chosen: 0 },
      { seat: 1, chosen: 2, riichi: true },
      { seat: 1, chosen: 1 },
      { seat: 0, chosen: 3 },
    ];
    const engine = { name: "Engine", state: "done", choices: [0, 2, -1, 3], riichi: [2] };
    const review = { decisions, reviewers: [{ name: "Late", state: "queued" }, engine] };
    assert.deepEqual(reviewersAt(review, decisions[1]), [{ name: "Engine", place: 2, riichi: false }]);
    assert.deepEqual(reviewersAt(review, decisions[2]), [{ name: "Engine", place: -1, riichi: true }]);
    assert.deepEqual(reviewersAt({ decisions }, decisions[0]), []);
    assert.deepEqual(agreement(review, engine, 1), { same: 1, of: 2 });
    assert.deepEqual(agreement(review, engine, 0), { same: 1, of: 1 });
  });

  const scale = {
    step: 5.44,
    silence: 0.2,
    severities: { best: 0, good: 0.001, inaccuracy: 0.01, mistake: 0.03, blunder: 0.06 },
  };
  const standing = (/** @type {number[]} */ ...steps) => btoa(String.fromCharCode(...steps));

  it("rate a choice against that of the bot by points where strong players are not known", () => {
    const choices = [discard("1m", 500), discard("2m", 120), discard("3m", 501), { action: "abort" }];
    const decision = { choices, bot: { place: 0, why: "value" } };
    assert.deepEqual(
      [0, 1, 2, 3].map((place) => lossOf(decision, { place, riichi: false }, scale)),
      [0, 380, 0, 0],
    );
    assert.deepEqual(sharesOf(decision), []);
  });

  it("rate a choice by how often strong players make it", () => {
    const choices = [{ action: "kan", score: 700 }, discard("1m", 500), discard("2m", 620)];
    const decision = { choices, bot: { place: 1, why: "value" }, standing: standing(255, 0, 25), worth: 0.1 };
    assert.deepEqual(
      [0, 1, 2].map((place) => lossOf(decision, { place, riichi: false }, scale)),
      [0, 0, 136],
    );
    assert.ok(Math.abs(placeLossOf(decision, { place: 2, riichi: false }, scale) - 0.0136) < 1e-9);
    const [kan, first = 0, second = 0] = sharesOf(decision);
    assert.equal(kan, undefined);
    assert.ok(Math.abs(first + second - 1) < 1e-9 && Math.abs(first / second - Math.E) < 1e-9);
  });

  it("count a fifth of riichi's gain for a turn without it, and all of it for a wrong one", () => {
    const choices = [{ ...discard("1m", 500), riichi: { declared: 0, silent: 0, gain: 200 } }, discard("2m", 450)];
    const decision = { choices, bot: { place: 0, why: "same", riichi: true } };
    assert.equal(lossOf(decision, { place: 0, riichi: false }, scale), 40);
    assert.equal(lossOf(decision, { place: 0, riichi: true }, scale), 0);
    assert.equal(lossOf(decision, { place: 1, riichi: false }, scale), 90);
    const wrong = [{ ...discard("1m", 500), riichi: { declared: 0, silent: 0, gain: -300 } }];
    const silent = { choices: wrong, bot: { place: 0, why: "same" } };
    assert.equal(lossOf(silent, { place: 0, riichi: true }, scale), 300);
  });

  it("name losses", () => {
    assert.deepEqual(
      [0, 0.0009, 0.001, 0.02, 0.03, 0.5].map((loss) => severityOf(loss, scale)),
      ["best", "best", "good", "inaccuracy", "mistake", "blunder"],
    );
  });
});
