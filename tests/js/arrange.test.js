import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { keepOrder, moveTile, dropPlace } from "../../static/js/table/arrange.js";
import { KEY_GROUPS, placeOfKey } from "../../static/js/table/keys.js";
import { LETTERS } from "../../static/js/table/offer.js";
import { tiles, words } from "./kit.js";

const say = words.en;

describe("a hand that the reader arranges", () => {
  const lying = (before, held) => keepOrder(tiles(before), tiles(held)).join(" ");

  it("keeps its order and puts new tiles last", () => {
    assert.equal(lying("9m 1m E", "1m 9m E"), "9m 1m E");
    assert.equal(lying("9m 1m E", "1m 3p 9m E"), "9m 1m E 3p");
  });

  it("loses only the tiles that are gone", () => {
    assert.equal(lying("5m E 5m 5m", "5m 5m E"), "5m E 5m");
    assert.equal(lying("5m E 5mr", "5m E"), "5m E");
  });

  it("begins in order", () => assert.equal(lying("", "1m 2m"), "1m 2m"));

  it("lets a tile be put elsewhere", () => {
    assert.deepEqual(moveTile(tiles("1m 2m 3m 4m"), 0, 2), tiles("2m 3m 1m 4m"));
    assert.deepEqual(moveTile(tiles("1m 2m 3m 4m"), 3, 0), tiles("4m 1m 2m 3m"));
    assert.deepEqual(moveTile(tiles("1m 2m 3m 4m"), 1, 1), tiles("1m 2m 3m 4m"));
  });
});

describe("the place of a dropped tile", () => {
  const box = (left, top) => ({ left, top, width: 40, height: 60 });
  const row = [box(0, 0), box(50, 0), box(100, 0)];

  it("is before the tile whose middle is farther right", () => {
    assert.equal(dropPlace(row, -30, 30), 0);
    assert.equal(dropPlace(row, 15, 30), 0);
    assert.equal(dropPlace(row, 30, 30), 1);
    assert.equal(dropPlace(row, 500, 30), 3);
  });

  it("is in the row that is nearest", () => {
    const two = [...row, box(0, 70), box(50, 70)];
    assert.equal(dropPlace(two, 500, 20), 3);
    assert.equal(dropPlace(two, 10, 120), 3);
    assert.equal(dropPlace(two, 60, 120), 4);
    assert.equal(dropPlace(two, 500, 120), 5);
  });

  it("is the first in an empty hand", () => assert.equal(dropPlace([], 10, 10), 0));
});

describe("the keys", () => {
  it("of the upper row and the number pad press tiles by their place, on any layout", () => {
    assert.equal(placeOfKey("Digit1"), 0);
    assert.equal(placeOfKey("Digit0"), 9);
    assert.equal(placeOfKey("Backspace"), 12);
    assert.equal(placeOfKey("Numpad3"), 2);
    assert.equal(placeOfKey("KeyA"), -1);
    assert.equal(placeOfKey("NumpadEnter"), -1);
  });

  it("are all explained", () => {
    for (const { title, lines } of KEY_GROUPS) {
      assert.ok(say.keyGroups[title], title);
      for (const { id } of lines) assert.ok(say.keys[id], id);
    }
  });

  it("that press a call are all listed, each letter once", () => {
    const listed = KEY_GROUPS.flatMap(({ lines }) => lines.flatMap(({ keys }) => keys));
    const letters = listed.filter((key) => /^[A-Z]$/.test(key)).map((key) => key.toLowerCase());
    assert.equal(new Set(letters).size, letters.length);
    const pressed = Object.values(LETTERS).filter((letter) => letter !== LETTERS.cancel);
    assert.deepEqual(
      pressed.filter((letter) => !letters.includes(letter)),
      [],
    );
  });
});
