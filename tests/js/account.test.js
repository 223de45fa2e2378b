import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { adopt } from "../../static/js/account.js";
import { DEFAULTS, Settings } from "../../static/js/settings.js";

describe("the settings of an account", () => {
  it("hold in this browser, and what they leave open is as by default", () => {
    const settings = new Settings(null);
    settings.set("muted", true);
    adopt(settings, { volume: 0.25, tiles: "contrast" });
    assert.deepEqual(settings.all(), { ...DEFAULTS, volume: 0.25, tiles: "contrast" });
  });

  it("leave the browser's alone while the account has none", () => {
    const settings = new Settings(null);
    settings.set("muted", true);
    adopt(settings, null);
    assert.equal(settings.get("muted"), true);
  });

  it("are taken only as far as they are valid", () => {
    const settings = new Settings(null);
    adopt(settings, { volume: 7, gold: true, tiles: "gold", notify: true });
    assert.deepEqual(settings.changed(), { notify: true });
  });

  it("go back as what differs from the defaults", () => {
    const settings = new Settings(null);
    assert.deepEqual(settings.changed(), {});
    settings.set("volume", 0.5);
    assert.deepEqual(settings.changed(), { volume: 0.5 });
  });
});
