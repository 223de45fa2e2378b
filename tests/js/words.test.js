import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";

import { callout, spoken } from "../../static/js/table/callouts.js";
import { words } from "../../static/js/table/names.js";
import { FACES } from "../../static/js/table/tiles.js";
import { remaining } from "../../static/js/table/time.js";
import { view } from "./kit.js";

const say = await words("en");
const root = new URL("../../", import.meta.url);
const protocol = readFileSync(new URL("docs/protocol.md", root), "utf8");
const sprite = readFileSync(new URL("static/img/tiles.svg", root), "utf8");

describe("the words", () => {
  it("name every yaku of the protocol", () => {
    const [, ordinary, yakuman] = /Yaku ids: `([^`]+)`; yakuman `([^`]+)`/.exec(protocol);
    const ids = `${ordinary} ${yakuman}`.split(/\s+/);
    assert.ok(ids.length > 40);
    assert.deepEqual(
      ids.filter((id) => !say.yaku[id]),
      [],
    );
  });

  it("name every tile, and tell a red five", () => {
    assert.equal(say.tile("5mr"), "5 of characters (red)");
    assert.equal(say.tile("E"), "East wind");
    assert.equal(new Set(FACES.map(say.tile)).size, 37);
  });

  it("are English for a language that is not there yet", async () =>
    assert.equal((await words("xx-YY")).calls.pon, "Pon"));

  it("give signs to points", () => {
    assert.deepEqual(
      [say.delta(1500), say.delta(-1500), say.delta(0), say.final(-15), say.points(24000)],
      ["+1,500", "\u22121,500", "", "\u221215.0", "24,000"],
    );
  });
});

describe("the sprite", () => {
  it("has every face and the back", () => {
    const drawn = [...sprite.matchAll(/<symbol id="t-([^"]+)"/g)].map(([, name]) => name);
    assert.deepEqual(drawn.sort(), [...FACES, "back"].sort());
  });
  it("needs nothing that a strict content policy forbids", () =>
    assert.doesNotMatch(sprite, /style=|<style|<script|href=/));
});

describe("what is said", () => {
  it("is a call out where a player speaks", () => {
    assert.deepEqual(callout({ type: "pon", actor: 2 }), { seat: 2, call: "pon" });
    assert.deepEqual(callout({ type: "hora", actor: 1, target: 1 }), { seat: 1, call: "tsumo" });
    assert.deepEqual(callout({ type: "hora", actor: 1, target: 3 }), { seat: 1, call: "ron" });
    assert.equal(callout({ type: "tsumo", actor: 1 }), null);
  });

  it("is read aloud with the name of who said it", () => {
    assert.equal(spoken({ type: "chi", actor: 1 }, view(), say), "Berta: Chi");
    assert.equal(
      spoken({ type: "dahai", actor: 0, pai: "5pr" }, view(), say),
      "Anna discards 5 of circles (red)",
    );
    assert.equal(spoken({ type: "tsumo", actor: 1 }, view(), say), "");
  });
});

describe("the time left", () => {
  const clock = { asked_at: 1000, base_ms: 5000, bank_ms: 20000, deadline: 26000 };

  it("is used up from the decision's own time first", () => {
    assert.deepEqual(remaining(clock, 1000), { base: 5, bank: 20, urgent: false });
    assert.deepEqual(remaining(clock, 5001), { base: 1, bank: 20, urgent: false });
    assert.deepEqual(remaining(clock, 6000), { base: 0, bank: 20, urgent: false });
    assert.deepEqual(remaining(clock, 22001), { base: 0, bank: 4, urgent: true });
    assert.deepEqual(remaining(clock, 99999), { base: 0, bank: 0, urgent: true });
  });
});
