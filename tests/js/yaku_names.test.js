import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";

import { words } from "../../static/js/table/names.js";
import { ROMAJI, yakuName } from "../../static/js/table/yaku_names.js";

const { yaku } = await words("en");
const terminology = readFileSync(new URL("../../docs/terminology.md", import.meta.url), "utf8");

describe("the names of yaku", () => {
  it("have the romaji of the terminology", () => {
    const section = terminology.split("## Yaku\n")[1].split("\n## ")[0];
    const rows = [...section.matchAll(/^\| `(\w+)` \| [^|]+ \| ([^|]+) \|/gm)];
    const listed = Object.fromEntries(rows.map(([, id, romaji]) => [id, romaji.trim()]));
    const known = Object.entries(ROMAJI).map(([id, name]) => [id, name.toLowerCase()]);
    assert.deepEqual(Object.fromEntries(known), listed);
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
