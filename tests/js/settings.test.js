import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { DEFAULTS, STORED_AS, Settings, isValid } from "../../static/js/settings.js";

/** A browser's store that two tabs share. */
class Shelf {
  /** @param {string | null} text */
  constructor(text = null) {
    this.text = text;
    this.isFull = false;
  }
  getItem(name) {
    return name === STORED_AS ? this.text : null;
  }
  setItem(_name, text) {
    if (this.isFull) throw new Error("full");
    this.text = text;
  }
}

describe("the settings", () => {
  it("are the defaults until something is set", () =>
    assert.deepEqual(new Settings(new Shelf()).all(), DEFAULTS));

  it("are kept, and only what differs from the defaults", () => {
    const shelf = new Shelf();
    const first = new Settings(shelf);
    first.set("volume", 0.25);
    first.set("muted", true);
    first.set("muted", false);
    assert.deepEqual(JSON.parse(shelf.text), { volume: 0.25 });
    assert.equal(new Settings(shelf).get("volume"), 0.25);
  });

  it("refuse what is not valid", () => {
    const settings = new Settings(new Shelf());
    assert.throws(() => settings.set("volume", 1.5), TypeError);
    assert.throws(() => settings.set("tiles", "gold"), TypeError);
    assert.throws(() => settings.set("muted", "yes"), TypeError);
    assert.ok(!isValid("volume", NaN));
    assert.ok(!isValid("constructor", true));
  });

  for (const text of ["{", "null", "[]", '"text"', '{"volume": 7, "tiles": 3, "toString": true}']) {
    it(`hold their defaults where ${text} is stored`, () =>
      assert.deepEqual(new Settings(new Shelf(text)).all(), DEFAULTS));
  }

  it("tell their followers what has changed, until they stop", () => {
    const settings = new Settings(new Shelf());
    const told = [];
    const stop = settings.subscribe((key, value) => told.push([key, value]));
    settings.set("notify", true);
    settings.set("notify", true);
    stop();
    settings.set("notify", false);
    assert.deepEqual(told, [["notify", true]]);
  });

  it("follow another tab, and do not undo what it has set", () => {
    const shelf = new Shelf();
    const [here, there] = [new Settings(shelf), new Settings(shelf)];
    there.set("tiles", "contrast");
    here.set("muted", true);
    assert.equal(here.get("tiles"), "contrast");
    there.reload();
    assert.equal(there.get("muted"), true);
  });

  it("hold while the page is open where nothing can be stored", () => {
    const shelf = new Shelf();
    shelf.isFull = true;
    for (const settings of [new Settings(null), new Settings(shelf)]) {
      settings.set("volume", 0.5);
      settings.set("muted", true);
      assert.deepEqual([settings.get("volume"), settings.get("muted")], [0.5, true]);
    }
  });
});
