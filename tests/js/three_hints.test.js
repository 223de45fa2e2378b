import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";

import { hintsAt } from "../../static/js/guided/three_hints.js";
import { hand, tiles, view } from "./kit.js";

const template = readFileSync(new URL("../../templates/game/three_hints.html", import.meta.url), "utf8");

/**
 * The hints for the reader, who sits at seat 1 of three.
 * @param {string} held
 * @param {string[]} legal
 * @param {object} [change]
 */
function hints(held, legal, change = {}) {
  const hands = [hand(), hand({ tiles: tiles(held) }), hand()];
  return hintsAt({ view: view({ hands, ...change }), you: 1, legal: legal.map((type) => ({ type })) });
}

describe("the hints of a first game with three players", () => {
  it("speak of kita when a north can be set aside", () => {
    assert.deepEqual(hints("4p N", ["dahai", "kita"], { turn: 1, drawn: "8s" }), ["north"]);
    assert.deepEqual(hints("4p N", ["dahai"], { turn: 1, drawn: "8s" }), []);
  });

  it("speak of chi when the player before discards a tile for a run", () => {
    const discard = { phase: "claims", turn: 0, claimed: "6p" };
    for (const held of ["7p 8p", "5pr 7p", "4p 5p"]) assert.deepEqual(hints(held, [], discard), ["run"], held);
    for (const held of ["7s 8s", "6p 6p", "3p 5p", "E S"]) assert.deepEqual(hints(held, [], discard), [], held);
    assert.deepEqual(hints("S W", [], { ...discard, claimed: "E" }), []);
    assert.deepEqual(hints("7p 8p", [], { ...discard, turn: 2 }), []);
    const declared = [hand(), hand({ tiles: tiles("7p 8p"), riichi: "accepted" }), hand()];
    assert.deepEqual(hints("", [], { ...discard, hands: declared }), []);
  });

  it("do not take a tile that can be robbed for a discard", () => {
    assert.deepEqual(hints("7p 8p", [], { phase: "claims", turn: 0, claimed: "6p", robbing: true }), []);
  });

  it("speak of the missing characters on a turn with a terminal of them", () => {
    assert.deepEqual(hints("4p", ["dahai"], { turn: 1, drawn: "9m" }), ["characters"]);
    assert.deepEqual(hints("1m", ["dahai"], { turn: 1, drawn: "4p" }), ["characters"]);
    assert.deepEqual(hints("1m", [], { turn: 2, drawn: "?" }), []);
  });

  it("speak of the missing share after a tsumo of anybody", () => {
    const won = (/** @type {number} */ target) => ({ phase: "result", results: [{ type: "hora", actor: 2, target }] });
    assert.deepEqual(hints("", ["confirm"], won(2)), ["loss"]);
    assert.deepEqual(hints("", ["confirm"], won(0)), []);
  });

  it("have a text each", () => {
    const ids = [...template.matchAll(/data-on="(\w+)"/g)].map(([, id]) => id);
    assert.deepEqual(ids, ["north", "run", "characters", "loss"]);
  });
});
