import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { cueOf, cueOfQuestion } from "../../static/js/sound/cues.js";
import { LOUDEST, VOICES } from "../../static/js/sound/voices.js";

describe("the sounds", () => {
  it("each kind of event has its own sound or none", () => {
    assert.equal(cueOf({ type: "dahai" }), "discard");
    assert.equal(cueOf({ type: "chi" }), "call");
    assert.equal(cueOf({ type: "reach" }), "riichi");
    assert.equal(cueOf({ type: "hora" }), "win");
    assert.equal(cueOf({ type: "answer" }), null);
    assert.equal(cueOf({ type: "tsumo" }), null);
  });

  it("a question sounds once, the own turn otherwise than a tile that can be called", () => {
    assert.equal(cueOfQuestion(null, { q: 3, phase: "turn" }), "turn");
    assert.equal(cueOfQuestion({ q: 3, phase: "turn" }, { q: 3, phase: "turn" }), null);
    assert.equal(cueOfQuestion({ q: 3, phase: "turn" }, { q: 4, phase: "claims" }), "ask");
    assert.equal(cueOfQuestion({ q: 3, phase: "turn" }, null), null);
    assert.equal(cueOfQuestion(null, { q: 9, phase: "result" }), null);
  });
});

describe("how it sounds", () => {
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
