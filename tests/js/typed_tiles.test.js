import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { withoutLast, withTile } from "../../static/js/pages/typed_tiles.js";

/** The text after these clicks, each a tile behind the sign of what it is added to. @param {string[]} clicks */
const typed = (...clicks) =>
  clicks.reduce((text, click) => withTile(text, click.replace(/[<#]/, ""), click.match(/[<#]/)?.[0] ?? ""), "");

describe("typed tiles", () => {
  it("are written in groups of a suit", () => {
    assert.equal(typed("1m", "2m", "0p", "5p", "7z", "1m"), "12m05p7z1m");
  });

  it("make open sets of three, and kans of four like tiles", () => {
    assert.equal(typed("<3m", "<1m", "<2m", "<4m"), "<312m <4m");
    assert.equal(typed("<5p", "<0p", "<5p", "<5p", "<5p"), "<5055p <5p");
  });

  it("make closed kans at once", () => {
    assert.equal(typed("1z", "#5s", "#0p"), "1z #5555s #0555p");
  });

  it("are added to the concealed tiles in front of the sets", () => {
    assert.equal(typed("<3m", "<1m", "<2m", "9s", "#1z", "9s"), "99s <312m #1111z");
  });

  it("are taken back from what they were added to, a closed kan whole", () => {
    const text = "12m0p <31m #1111z";
    assert.equal(withoutLast(text, ""), "12m <31m #1111z");
    assert.equal(withoutLast("1m <31m", ""), "<31m");
    assert.equal(withoutLast(text, "<"), "12m0p <3m #1111z");
    assert.equal(withoutLast("12m <3m", "<"), "12m");
    assert.equal(withoutLast(text, "#"), "12m0p <31m");
    assert.equal(withoutLast("12m", "#"), "12m");
  });
});
