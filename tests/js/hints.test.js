import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { hintsOf, isWanted, wantedHints } from "../../static/js/table/hints.js";

const EVERYTHING = {
  hint_waits: true,
  hint_furiten: true,
  hint_no_yaku: true,
  hint_kuikae: true,
  hint_shanten: true,
  hint_score: true,
};
const NOTHING = Object.fromEntries(Object.keys(EVERYTHING).map((key) => [key, false]));
const only = (...keys) => ({ ...NOTHING, ...Object.fromEntries(keys.map((key) => [key, true])) });

const worth = (points) => ({ points, han: 1, fu: 30 });
const wait = (pai, change = {}) => ({
  pai,
  left: 2,
  ron: worth(1000),
  tsumo: worth(1100),
  reach: null,
  ...change,
});
const prospect = (change = {}) => ({ shanten: 0, useful: [], waits: [], furiten: [], ...change });
const discard = (pai, then, tsumogiri = false) => ({ pai, tsumogiri, then });
const study = (change = {}) => ({ q: 4, hand: null, discards: [], kuikae: [], ...change });
const now = (change = {}) => ({ pointed: null, riichi: null, canWin: false, ...change });

const TENPAI = prospect({ waits: [wait("3s"), wait("6s")] });
const FAR = prospect({
  shanten: 2,
  useful: [
    ["1m", 4],
    ["4m", 3],
  ],
});
const FARTHER = prospect({ shanten: 3, useful: [["9p", 4]] });

describe("help for a hand that waits", () => {
  it("shows each wait with the tiles left", () => {
    const { lines } = hintsOf(study({ hand: TENPAI }), only("hint_waits"), now());
    assert.deepEqual(
      lines.map(({ waits }) => waits.map(({ pai, left, ron }) => [pai, left, ron])),
      [
        [
          ["3s", 2, null],
          ["6s", 2, null],
        ],
      ],
    );
  });

  it("shows nothing that is switched off", () => {
    const hand = { ...TENPAI, furiten: ["temporary"] };
    const kuikae = [{ pai: "1m", why: "same_tile" }];
    assert.deepEqual(hintsOf(study({ hand, kuikae }), NOTHING, now()), { lines: [], barred: [] });
    assert.equal(isWanted(NOTHING), false);
    assert.equal(isWanted(only("hint_score")), true);
  });

  it("shows everything against beginners, unless the reader switches that off", () => {
    const settings = { ...only("hint_waits"), hint_beginners: true };
    assert.deepEqual(wantedHints(settings, true), EVERYTHING);
    assert.deepEqual(wantedHints(settings, false), only("hint_waits"));
    assert.deepEqual(wantedHints({ ...settings, hint_beginners: false }, true), only("hint_waits"));
  });

  it("gives the reasons for furiten", () => {
    const hand = { ...TENPAI, furiten: ["own_discard", "riichi"] };
    const [line] = hintsOf(study({ hand }), only("hint_furiten"), now()).lines;
    assert.deepEqual([line.furiten, line.waits], [["own_discard", "riichi"], []]);
    const missed = { ...TENPAI, furiten: ["own_discard", "temporary"] };
    assert.deepEqual(hintsOf(study({ hand: missed }), only("hint_furiten"), now()).lines[0].furiten, ["own_discard"]);
  });

  it("warns of a hand without yaku, and of one without yaku on ron", () => {
    const warning = (...waits) =>
      hintsOf(study({ hand: prospect({ waits }) }), only("hint_no_yaku", "hint_waits"), now()).lines[0].warning;
    const none = wait("3s", { ron: null, tsumo: null });
    assert.equal(warning(none), "noYaku");
    assert.equal(warning(wait("3s", { ron: null })), "noYakuRon");
    assert.equal(warning(none, wait("6s")), "noYakuRon");
    assert.equal(warning(wait("6s")), "");
  });

  it("says that no tile is left to win with", () => {
    const hand = prospect({ waits: [wait("3s", { left: 0 })] });
    assert.equal(hintsOf(study({ hand }), EVERYTHING, now()).lines[0].dead, true);
    assert.equal(hintsOf(study({ hand: TENPAI }), EVERYTHING, now()).lines[0].dead, false);
  });

  it("shows the shanten if the setting is on", () => {
    assert.equal(hintsOf(study({ hand: FAR }), only("hint_shanten"), now()).lines[0].shanten, 2);
    assert.deepEqual(hintsOf(study({ hand: FAR }), only("hint_waits"), now()).lines, []);
  });
});

describe("help for a discard", () => {
  const choices = study({
    discards: [discard("5m", TENPAI), discard("5m", TENPAI, true), discard("E", FAR), discard("N", FARTHER)],
  });

  it("has one line for each kind of discard that keeps tenpai", () => {
    const { lines } = hintsOf(choices, EVERYTHING, now());
    assert.deepEqual(
      lines.map(({ discards }) => discards),
      [["5m"]],
    );
  });

  it("while a win is offered, is only about the tile that is pointed to", () => {
    assert.deepEqual(hintsOf(choices, EVERYTHING, now({ canWin: true })).lines, []);
    const pointed = { pai: "E", drawn: false };
    assert.equal(hintsOf(choices, EVERYTHING, now({ canWin: true, pointed })).lines.length, 1);
    const barred = { pai: "9s", drawn: false };
    assert.deepEqual(hintsOf(choices, EVERYTHING, now({ canWin: true, pointed: barred })).lines, []);
    assert.equal(hintsOf(study({ hand: TENPAI }), EVERYTHING, now({ canWin: true })).lines.length, 1);
  });

  it("says after more than four discards that any of them keeps tenpai, with all waits", () => {
    const other = prospect({ waits: [wait("6s"), wait("E", { left: 0 })], furiten: ["own_discard"] });
    const kept = ["1m", "2m", "3m", "4m"].map((pai) => discard(pai, TENPAI));
    const many = study({ discards: [discard("N", FAR), ...kept, discard("5m", other, true)] });
    const [line, ...more] = hintsOf(many, EVERYTHING, now()).lines;
    assert.deepEqual([line.isAny, line.discards, more], [true, ["1m", "2m", "3m", "4m", "5m"], []]);
    assert.deepEqual(
      line.waits.map(({ pai, left, ron }) => [pai, left, ron]),
      [
        ["3s", 2, null],
        ["6s", 2, null],
        ["E", 0, null],
      ],
    );
    assert.deepEqual([line.shanten, line.useful, line.furiten], [null, [], []]);
    assert.deepEqual(hintsOf(many, EVERYTHING, now({ canWin: true })).lines, []);
    assert.deepEqual(hintsOf(many, only("hint_shanten"), now()).lines, []);
    const pointed = { pai: "5m", drawn: true };
    assert.equal(hintsOf(many, EVERYTHING, now({ canWin: true, pointed })).lines[0].isAny, false);
  });

  it("is about the tile that is pointed to", () => {
    const pointed = { pai: "E", drawn: false };
    const { lines } = hintsOf(choices, EVERYTHING, now({ pointed }));
    assert.deepEqual([lines.length, lines[0].discards, lines[0].shanten], [1, ["E"], 2]);
  });

  it("tells the drawn tile from an equal one in the hand", () => {
    const drawn = study({ discards: [discard("5m", TENPAI), discard("5m", FAR, true)] });
    const [line] = hintsOf(drawn, EVERYTHING, now({ pointed: { pai: "5m", drawn: true } })).lines;
    assert.equal(line.shanten, 2);
  });

  it("names the discards with the least shanten", () => {
    const wide = prospect({ shanten: 2, useful: [["7p", 8]] });
    const far = study({ discards: [discard("E", FAR), discard("N", FARTHER), discard("W", wide), discard("P", wide)] });
    const { lines } = hintsOf(far, EVERYTHING, now());
    assert.deepEqual([lines[0].discards, lines[0].shanten], [["W", "P"], 2]);
    assert.deepEqual(hintsOf(far, only("hint_waits"), now()).lines, []);
  });

  it("shows what each riichi waits for, and what it would bring", () => {
    const reach = { ron: worth(2000), tsumo: worth(4000) };
    const quiet = prospect({ waits: [wait("3s", { ron: null, reach })] });
    const riichi = [{ type: "reach", pai: "5m", tsumogiri: true }];
    const table = study({ discards: [discard("E", TENPAI), discard("5m", quiet, true)] });
    const { lines } = hintsOf(table, EVERYTHING, now({ riichi }));
    assert.deepEqual(
      lines.map(({ discards, warning, waits }) => [discards, warning, waits[0].ron.points]),
      [[["5m"], "", 2000]],
    );
  });

  it("names the forbidden tiles with the reason", () => {
    const kuikae = [{ pai: "4m", why: "other_end" }];
    assert.deepEqual(hintsOf(study({ kuikae }), only("hint_kuikae"), now()).barred, kuikae);
    assert.deepEqual(hintsOf(study({ kuikae }), only("hint_waits"), now()).barred, []);
  });
});
