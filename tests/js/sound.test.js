import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { DEFAULTS } from "../../static/js/settings.js";
import { CALLS, cueOf, cueOfQuestion, cueOfWin, kindOf } from "../../static/js/sound/cues.js";
import { loudness } from "../../static/js/sound/sound.js";
import { SPOKEN } from "../../static/js/sound/spoken_calls.js";
import { LOUDEST, VOICES } from "../../static/js/sound/voices.js";

describe("the sounds", () => {
  it("each kind of event has its own sound or none", () => {
    assert.equal(cueOf({ type: "dahai" }), "discard");
    assert.equal(cueOf({ type: "chi" }), "chi");
    assert.equal(cueOf({ type: "kakan" }), "kan");
    assert.equal(cueOf({ type: "kita" }), "kita");
    assert.equal(cueOf({ type: "reach" }), "riichi");
    assert.equal(cueOf({ type: "hora", actor: 1, target: 1 }), "tsumo");
    assert.equal(cueOf({ type: "hora", actor: 1, target: 2 }), "ron");
    assert.equal(cueOfWin({ limit: "", yakuman: 0 }), null);
    assert.equal(cueOfWin({ limit: "mangan", yakuman: 0 }), "limit");
    assert.equal(cueOfWin({ limit: "yakuman", yakuman: 2 }), "yakuman");
    assert.equal(cueOf({ type: "answer" }), null);
    assert.equal(cueOf({ type: "tsumo" }), null);
  });

  it("a question sounds once; the own turn and a call have different sounds", () => {
    assert.equal(cueOfQuestion(null, { q: 3, phase: "turn" }), "turn");
    assert.equal(cueOfQuestion({ q: 3, phase: "turn" }, { q: 3, phase: "turn" }), null);
    assert.equal(cueOfQuestion({ q: 3, phase: "turn" }, { q: 4, phase: "claims" }), "choice");
    assert.equal(cueOfQuestion({ q: 3, phase: "turn" }, null), null);
    assert.equal(cueOfQuestion(null, { q: 9, phase: "result" }), null);
  });
});

describe("the volume", () => {
  /** @param {object} change @returns {(kind: any) => number} */
  const loud = (change) => (kind) => loudness({ get: (key) => ({ ...DEFAULTS, ...change })[key] }, kind);

  it("is set for each kind of sound", () => {
    const kinds = ["tiles", "calls", "alerts", "chat"];
    const of = loud({ volume_calls: 0, volume_chat: 0.5 });
    assert.deepEqual(
      kinds.map((kind) => of(kind) / loud({})(kind)),
      [1, 0, 1, 0.25],
    );
    assert.deepEqual(kinds.map(loud({ muted: true })), [0, 0, 0, 0]);
    assert.deepEqual(kinds.map(loud({ volume: 0 })), [0, 0, 0, 0]);
  });

  it("has a kind for every cue", () => {
    const kinds = Object.keys(VOICES).map((cue) => [cue, kindOf(/** @type {any} */ (cue))]);
    const named = Object.fromEntries(kinds);
    assert.deepEqual(
      [named.discard, named.deal, named.riichi, named.turn, named.tick, named.win, named.chat],
      ["tiles", "tiles", "calls", "alerts", "alerts", "alerts", "chat"],
    );
  });
});

describe("a spoken call", () => {
  it("exists for each call, each with its own sound", () => {
    assert.deepEqual(Object.keys(SPOKEN).sort(), [...CALLS].sort());
    assert.equal(new Set(Object.values(SPOKEN)).size, CALLS.size);
    const tones = [...CALLS].map((call) => JSON.stringify(VOICES[call]));
    assert.equal(new Set(tones).size, tones.length);
  });
});

describe("each sound", () => {
  for (const [cue, notes] of Object.entries(VOICES)) {
    it(`${cue} is short and never loud enough to clip`, () => {
      assert.ok(notes.length > 0);
      for (const { at, lasts, loud, pitch } of notes) {
        assert.ok(at + lasts < 1.2);
        assert.ok(loud > 0 && loud <= 1);
        assert.ok(pitch > 20 && pitch < 16_000);
      }
      const at = notes.map((note) => note.at);
      for (const moment of at) {
        const together = notes.filter((note) => note.at <= moment && moment < note.at + note.lasts);
        assert.ok(together.reduce((sum, { loud }) => sum + loud, 0) * LOUDEST <= 1);
      }
    });
  }
});
