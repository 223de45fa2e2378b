import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseAvatar } from "../../static/js/ui/avatar.js";

describe("an avatar", () => {
  it("is a tile and the colour of its ground", () => {
    assert.deepEqual(parseAvatar("5mr-blue"), { pai: "5mr", colour: "blue" });
    assert.deepEqual(parseAvatar("E-grey"), { pai: "E", colour: "grey" });
  });
  it("is missing for bots and for other texts", () => {
    for (const text of [undefined, "", "5mr", "<b>-blue", "5mr-blue x", "5mr-Blue"]) {
      assert.equal(parseAvatar(text), null);
    }
  });
});
