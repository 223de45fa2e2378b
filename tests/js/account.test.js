import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { applySettings } from "../../static/js/account.js";
import { DEFAULTS, Settings } from "../../static/js/settings.js";

describe("the settings of an account", () => {
  it("replace the browser's, with defaults for the others", () => {
    const settings = new Settings(null);
    settings.set("muted", true);
    applySettings(settings, { volume: 0.25, tiles: "contrast" });
    assert.deepEqual(settings.all(), { ...DEFAULTS, volume: 0.25, tiles: "contrast" });
  });

  it("are ignored while the account has none", () => {
    const settings = new Settings(null);
    settings.set("muted", true);
    applySettings(settings, null);
    assert.equal(settings.get("muted"), true);
  });

  it("are taken over only where valid", () => {
    const settings = new Settings(null);
    applySettings(settings, { volume: 7, gold: true, tiles: "gold", notify: true });
    assert.deepEqual(settings.changed(), { notify: true });
  });

  it("are sent back only where they differ from the defaults", () => {
    const settings = new Settings(null);
    assert.deepEqual(settings.changed(), {});
    settings.set("volume", 0.5);
    assert.deepEqual(settings.changed(), { volume: 0.5 });
  });
});
