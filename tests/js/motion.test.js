import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { transformFrom, shorterRotation } from "../../static/js/motion/geometry.js";
import { plan } from "../../static/js/motion/plan.js";
import { reduce } from "../../static/js/table/reduce.js";
import { hand, river, tiles, view } from "./kit.js";

/** What moves when this happens: `kind from > to`. */
function moving(before, event) {
  return plan(before, reduce(before, event), event).map(({ kind, from, to }) => `${kind} ${from ?? ""} > ${to}`);
}

const table = (change = {}) => {
  const closed = () => hand({ tiles: Array.from({ length: 13 }, () => "?"), river: river("1m 2m") });
  const own = hand({ tiles: tiles("3m 4m 5m 5m E E"), river: river("9s") });
  return view({ hands: [own, closed(), closed(), closed()], ...change });
};

describe("the moves of an event", () => {
  it("a drawn tile appears", () =>
    assert.deepEqual(moving(table(), { type: "tsumo", actor: 1, pai: "?" }), ["draw  > hand:1:drawn"]));

  it("the drawn tile goes to the end of the river", () => {
    const event = { type: "dahai", actor: 1, pai: "8p", tsumogiri: true };
    assert.deepEqual(moving(table({ turn: 1, drawn: "?" }), event), ["discard hand:1:drawn > river:1:2"]);
  });

  it("a tile of the own hand goes from its place, and the drawn one takes its own", () => {
    const event = { type: "dahai", actor: 0, pai: "5m", tsumogiri: false };
    assert.deepEqual(moving(table({ drawn: "1p" }), event), [
      "discard hand:0:5m > river:0:1",
      "sort hand:0:drawn > hand:0",
    ]);
  });

  it("a discard from a closed hand starts at the hand", () => {
    const event = { type: "dahai", actor: 2, pai: "5m", tsumogiri: false };
    const [thrown] = moving(table({ turn: 2, drawn: "?" }), event);
    assert.equal(thrown, "discard hand:2 > river:2:2");
  });

  it("after a call no drawn tile is sorted in", () => {
    const event = { type: "dahai", actor: 0, pai: "5m", tsumogiri: false };
    assert.deepEqual(moving(table({ drawn: null }), event), ["discard hand:0:5m > river:0:1"]);
  });

  it("a claimed tile goes out of the river into the set", () => {
    const event = { type: "pon", actor: 0, target: 2, pai: "E", consumed: ["E", "E"] };
    assert.deepEqual(moving(table({ phase: "claims", turn: 2, claimed: "E" }), event), [
      "claim river:2:1 > called:0:0",
      "lay hand:0 > meld:0:0",
    ]);
  });

  it("a north that is set aside goes from the hand to its pile", () => {
    const event = { type: "kita", actor: 0, pai: "N" };
    const held = table({ drawn: "1p" });
    held.hands[0] = hand({ tiles: tiles("3m N"), norths: 1 });
    assert.deepEqual(moving(held, event), ["claim hand:0:N > north:0:1", "sort hand:0:drawn > hand:0"]);
    assert.equal(moving(table({ drawn: "N" }), event)[0], "claim hand:0:drawn > north:0:0");
    const closed = { ...event, actor: 2 };
    assert.equal(moving(table({ turn: 2, drawn: "?" }), closed)[0], "claim hand:2 > north:2:0");
  });

  it("the tile of an added kan is laid on the set that it belongs to", () => {
    const pon = (pai) => ({ type: "pon", tiles: [pai, pai, pai], called: pai, target: 2, added: null });
    const before = table({ drawn: "W" });
    before.hands[0] = hand({ tiles: tiles("1m"), melds: [pon("9p"), pon("W"), pon("C")] });
    const event = { type: "kakan", actor: 0, pai: "W", consumed: ["W", "W", "W"] };
    assert.equal(moving(before, event)[0], "lay hand:0 > added:0:1");
  });

  it("a riichi stick is paid when the riichi is accepted", () =>
    assert.deepEqual(moving(table(), { type: "reach_accepted", actor: 3 }), ["stick hand:3 > stick:3"]));

  it("a new indicator is turned over at its place", () =>
    assert.deepEqual(moving(table({ dora: ["3p"] }), { type: "dora", dora_marker: "E" }), ["dora  > dora:1"]));

  it("a win shows the hand, and the tile that was won on", () => {
    const won = { type: "hora", actor: 0, target: 2, tehai: [], deltas: [0, 0, 0, 0], scores: [] };
    assert.deepEqual(moving(table({ phase: "claims", turn: 2 }), won), ["win  > river:2:1", "win  > hand:0"]);
    assert.deepEqual(moving(table({ drawn: "1m" }), { ...won, target: 0 }), ["win  > hand:0"]);
  });

  it("other events move nothing", () => {
    for (const type of ["reach", "answer", "away", "end_kyoku", "unheard_of"]) {
      assert.deepEqual(moving(table(), { type, actor: 0, away: true }), []);
    }
  });
});

describe("the shift back to an earlier place", () => {
  const box = (left, top, width = 30, height = 40) => ({ left, top, width, height });

  it("is unchanged for the seat at the bottom", () =>
    assert.deepEqual(transformFrom(box(10, 200), box(110, 100), 0), { x: -100, y: 100, scale: 1 }));
  it("is turned with the seat: from the right of the screen is from below for the right seat", () =>
    assert.deepEqual(transformFrom(box(300, 100, 40, 30), box(100, 100, 40, 30), -90), {
      x: 0,
      y: 200,
      scale: 1,
    }));
  it("is reversed for the seat across", () =>
    assert.deepEqual(transformFrom(box(0, 0), box(100, 50), 180), { x: 100, y: 50, scale: 1 }));
  it("scales by at most a factor of two", () => {
    assert.equal(transformFrom(box(0, 0, 45, 60), box(0, 0), 0).scale, 1.5);
    assert.equal(transformFrom(box(0, 0, 400, 20), box(0, 0), 0).scale, 2);
    assert.equal(transformFrom(box(0, 0, 0, 0), box(0, 0), 0).scale, 1);
    assert.equal(transformFrom(box(0, 0), box(0, 0, 0, 0), 0).scale, 1);
  });
  it("turns the shorter way round", () => {
    assert.equal(shorterRotation(-90, 0), -90);
    assert.equal(shorterRotation(180, -90), -90);
    assert.equal(shorterRotation(90, 90), 0);
  });
});
