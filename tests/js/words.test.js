import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";

import { callout, spoken } from "../../static/js/table/callouts.js";
import { words } from "../../static/js/table/names.js";
import { FACES } from "../../static/js/table/tiles.js";
import { remaining } from "../../static/js/table/time.js";
import { view } from "./kit.js";

const say = await words("en");
const inFrench = await words("fr");
const inJapanese = await words("ja");
const root = new URL("../../", import.meta.url);
const protocol = readFileSync(new URL("docs/protocol.md", root), "utf8");
const sprite = readFileSync(new URL("static/img/tiles.svg", root), "utf8");

/** @param {object} said @returns {[string, unknown][]} every text with where it stands */
function leaves(said, path = "") {
  return Object.entries(said).flatMap(([key, value]) =>
    typeof value === "object" ? leaves(value, `${path}${key}.`) : [[path + key, value]],
  );
}

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
    assert.equal(inFrench.tile("5mr"), "5 de caract\u00e8res rouge");
    assert.equal(inJapanese.tile("5mr"), "\u8d64\u4e94\u842c");
    for (const { tile } of [say, inFrench, inJapanese]) {
      assert.equal(new Set(FACES.map(tile)).size, 37);
    }
  });

  it("are English for a language that is not there yet", async () =>
    assert.equal((await words("xx-YY")).calls.pon, "Pon"));

  it("are those of the language, whatever its country", async () => {
    assert.equal((await words("fr-CA")).calls.none, "Passer");
    assert.equal((await words("ja")).calls.ron, "\u30ed\u30f3");
    assert.equal((await words("")).calls.none, "Pass");
  });

  it("have the same names in every language, and none empty", () => {
    for (const other of [inFrench, inJapanese]) {
      assert.deepEqual(leaves(other).map(([path]) => path), leaves(say).map(([path]) => path));
      assert.deepEqual(leaves(other).filter(([, text]) => text === ""), []);
    }
  });

  it("leave nothing in braces once they are said", () => {
    for (const spoken of [say, inFrench, inJapanese]) {
      const said = [
        spoken.round("S", 2),
        spoken.yakumanTimes(5),
        spoken.responsible("Anna"),
        spoken.ronFrom("Anna"),
        spoken.said("Anna", "Pon"),
        spoken.discarded("Anna", "5sr"),
        spoken.isAway("Anna"),
        spoken.isBack("Anna"),
        ...[0, 1, 2].flatMap((count) => [
          spoken.han(count),
          spoken.fu(count),
          spoken.left(count),
          spoken.honba(count),
          spoken.sticks(count),
        ]),
      ];
      assert.deepEqual(said.filter((text) => /[{}]|undefined/.test(text) || text === ""), []);
    }
  });

  it("count as the language does", () => {
    assert.deepEqual([0, 1, 2].map(say.left), ["0 tiles left", "1 tile left", "2 tiles left"]);
    assert.deepEqual([0, 1, 2].map(inFrench.left), [
      "0 tuile restante",
      "1 tuile restante",
      "2 tuiles restantes",
    ]);
    assert.equal(inJapanese.left(1), "\u6b8b\u308a1\u679a");
  });

  it("write numbers as the language does", () => {
    assert.equal(inFrench.points(-24000).replace(/\s/u, " "), "\u221224 000");
    assert.equal(inFrench.final(42), "+42,0");
    assert.equal(inJapanese.delta(12300), "+12,300");
  });

  it("tell why something is refused: by its reason or code, else in the words of the server", () => {
    const text = "as the server has it";
    assert.equal(say.refusal({ code: "illegal", reason: "no_yaku", text }), "The hand has no yaku.");
    assert.equal(say.refusal({ code: "too_fast", text }), "Too many messages.");
    assert.equal(say.refusal({ code: "illegal", reason: "new", text }), text);
    assert.equal(say.refusal({ code: "new", text }), text);
  });

  it("are loaded in one language only", () => {
    const source = readFileSync(new URL("static/js/table/names.js", root), "utf8");
    assert.doesNotMatch(source, /^import (?!type)/m);
  });

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
