import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { ROMAJI, yakuName } from "../../static/js/table/yaku_names.js";
import { words } from "./kit.js";

const { yaku } = words.en;

describe("the names of yaku", () => {
  it("have a romaji each", () => {
    assert.deepEqual(Object.keys(ROMAJI).sort(), Object.keys(yaku).sort());
  });

  it("are in one language in each list", () => {
    const ids = ["pinfu", "sanshoku", "ippatsu"];
    const shown = (/** @type {any} */ wanted) => ids.map((id) => yakuName(id, yaku, wanted).name);
    assert.deepEqual(shown("translated"), ["Pinfu", "Mixed triple sequence", "Ippatsu"]);
    assert.deepEqual(shown("romaji"), ["Pinfu", "Sanshoku doujun", "Ippatsu"]);
  });

  it("are shown once if both are the same", () => {
    assert.deepEqual(yakuName("tanyao", yaku, "both"), { name: "All simples", romaji: "Tanyao" });
    assert.deepEqual(yakuName("riichi", yaku, "both"), { name: "Riichi", romaji: "" });
  });
});
