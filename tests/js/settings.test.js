import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { DEFAULTS, STORED_AS, Settings, isValid } from "../../static/js/settings.js";

/** A browser's store that two tabs share. */
class MemoryStore {
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
    assert.deepEqual(new Settings(new MemoryStore()).all(), DEFAULTS));

  it("are kept, and only what differs from the defaults", () => {
    const store = new MemoryStore();
    const first = new Settings(store);
    first.set("volume", 0.25);
    first.set("muted", true);
    first.set("muted", false);
    assert.deepEqual(JSON.parse(store.text), { volume: 0.25 });
    assert.equal(new Settings(store).get("volume"), 0.25);
  });

  it("refuse what is not valid", () => {
    const settings = new Settings(new MemoryStore());
    assert.throws(() => settings.set("volume", 1.5), TypeError);
    assert.throws(() => settings.set("tiles", "gold"), TypeError);
    assert.throws(() => settings.set("muted", "yes"), TypeError);
    assert.ok(!isValid("volume", NaN));
    assert.ok(!isValid("constructor", true));
  });

  for (const text of ["{", "null", "[]", '"text"', '{"volume": 7, "tiles": 3, "toString": true}']) {
    it(`hold their defaults where ${text} is stored`, () =>
      assert.deepEqual(new Settings(new MemoryStore(text)).all(), DEFAULTS));
  }

  it("notify followers until they unsubscribe", () => {
    const settings = new Settings(new MemoryStore());
    const changes = [];
    const stop = settings.subscribe((key, value) => changes.push([key, value]));
    settings.set("notify", true);
    settings.set("notify", true);
    stop();
    settings.set("notify", false);
    assert.deepEqual(changes, [["notify", true]]);
  });

  it("follow another tab and keep its changes", () => {
    const store = new MemoryStore();
    const [first, second] = [new Settings(store), new Settings(store)];
    second.set("tiles", "contrast");
    first.set("muted", true);
    assert.equal(first.get("tiles"), "contrast");
    second.reload();
    assert.equal(second.get("muted"), true);
  });

  it("last as long as the page if there is no store", () => {
    const store = new MemoryStore();
    store.isFull = true;
    for (const settings of [new Settings(null), new Settings(store)]) {
      settings.set("volume", 0.5);
      settings.set("muted", true);
      assert.deepEqual([settings.get("volume"), settings.get("muted")], [0.5, true]);
    }
  });
});
