import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";

import { callout } from "../../static/js/table/callouts.js";
import { FACES } from "../../static/js/table/tiles.js";
import { announcement, changeText, question, spoken } from "../../static/js/table/announcements.js";
import { remainingSeconds, dueWarning } from "../../static/js/table/time.js";
import { view, words } from "./kit.js";

const say = words.en;
const inFrench = words.fr;
const inJapanese = words.ja;
const root = new URL("../../", import.meta.url);
const sprite = readFileSync(new URL("static/img/tiles.svg", root), "utf8");

/** @param {object} texts @returns {[string, unknown][]} every text with where it stands */
function leaves(texts, path = "") {
  return Object.entries(texts).flatMap(([key, value]) =>
    typeof value === "object" ? leaves(value, `${path}${key}.`) : [[path + key, value]],
  );
}

describe("the words", () => {
  it("name every tile, and tell a red five", () => {
    assert.equal(say.tile("5mr"), "5 of characters (red)");
    assert.equal(say.tile("E"), "East wind");
    assert.equal(inFrench.tile("5mr"), "5 de caract\u00e8res rouge");
    assert.equal(inJapanese.tile("5mr"), "\u8d64\u4e94\u842c");
    for (const { tile } of [say, inFrench, inJapanese]) {
      assert.equal(new Set(FACES.map(tile)).size, 37);
    }
  });

  it("are those of the language", () => {
    assert.equal(say.calls.none, "Pass");
    assert.equal(inFrench.calls.none, "Passer");
    assert.equal(inJapanese.calls.ron, "\u30ed\u30f3");
  });

  it("say han and fu in the order of the language", () => {
    assert.equal(say.hanAndFu(3, 40), "3 han 40 fu");
    assert.equal(inFrench.hanAndFu(3, 40), "3 han 40 fu");
    assert.equal(inJapanese.hanAndFu(3, 40), "40\u7b263\u7ffb");
  });

  it("have the same names in every language, and none empty", () => {
    for (const other of [inFrench, inJapanese]) {
      assert.deepEqual(
        leaves(other).map(([path]) => path),
        leaves(say).map(([path]) => path),
      );
      assert.deepEqual(
        leaves(other).filter(([, text]) => text === ""),
        [],
      );
    }
  });

  it("have no placeholder left once they are filled in", () => {
    for (const spoken of [say, inFrench, inJapanese]) {
      const texts = [
        spoken.round("S", 2),
        spoken.yakumanTimes(5),
        spoken.responsible("Anna"),
        spoken.ronFrom("Anna"),
        spoken.calledBy("Anna", "Pon"),
        spoken.discarded("Anna", "5sr"),
        spoken.isAway("Anna"),
        spoken.isBack("Anna"),
        ...[0, 1, 2].flatMap((count) => [
          spoken.han(count),
          spoken.fu(count),
          spoken.hanAndFu(count, 30),
          spoken.left(count),
          spoken.honba(count),
          spoken.sticks(count),
        ]),
      ];
      assert.deepEqual(
        texts.filter((text) => /[{}]|undefined/.test(text) || text === ""),
        [],
      );
    }
  });

  it("use the plurals of the language", () => {
    assert.deepEqual([0, 1, 2].map(say.left), ["0 tiles left", "1 tile left", "2 tiles left"]);
    assert.deepEqual([0, 1, 2].map(inFrench.left), ["0 tuile restante", "1 tuile restante", "2 tuiles restantes"]);
    assert.equal(inJapanese.left(1), "\u6b8b\u308a1\u679a");
  });

  it("use the numbers of the language", () => {
    assert.equal(inFrench.points(-24000).replace(/\s/u, " "), "\u221224 000");
    assert.equal(inFrench.final(42), "+42,0");
    assert.equal(inJapanese.delta(12300), "+12,300");
  });

  it("explain a refusal by its reason or code, else by the server's text", () => {
    const text = "as the server has it";
    assert.equal(say.refusal({ code: "illegal", reason: "no_yaku", text }), "The hand has no yaku.");
    assert.equal(say.refusal({ code: "too_fast", text }), "Too many messages.");
    assert.equal(say.refusal({ code: "illegal", reason: "new", text }), text);
    assert.equal(say.refusal({ code: "new", text }), text);
  });

  it("are loaded in one language only", () => {
    const source = readFileSync(new URL("static/js/table/names.js", root), "utf8");
    assert.doesNotMatch(source, /^import (?!type)/m);
  });

  it("give signs to points", () => {
    assert.deepEqual(
      [say.delta(1500), say.delta(-1500), say.delta(0), say.final(-15), say.points(24000)],
      ["+1,500", "\u22121,500", "", "\u221215.0", "24,000"],
    );
  });
});

describe("the sprite", () => {
  it("has every face and the back", () => {
    const drawn = [...sprite.matchAll(/<symbol id="t-([^"]+)"/g)].map(([, name]) => name);
    assert.deepEqual(drawn.sort(), [...FACES, "back"].sort());
  });
  it("needs nothing that a strict content policy forbids", () =>
    assert.doesNotMatch(sprite, /style=|<style|<script|href=/));
});

describe("a callout", () => {
  it("is made for calls, riichi and wins", () => {
    assert.deepEqual(callout({ type: "pon", actor: 2 }), { seat: 2, call: "pon", weight: "call" });
    assert.deepEqual(callout({ type: "hora", actor: 1, target: 1 }), { seat: 1, call: "tsumo", weight: "win" });
    assert.deepEqual(callout({ type: "hora", actor: 1, target: 3 }), { seat: 1, call: "ron", weight: "win" });
    assert.deepEqual(callout({ type: "reach", actor: 0 }), { seat: 0, call: "reach", weight: "riichi" });
    assert.equal(callout({ type: "tsumo", actor: 1 }), null);
  });
});

describe("announcements", () => {
  const read = (event, change = {}, you = 0) => announcement(event, view(change), you, say);

  it("names who called and what they took", () => {
    const chi = { type: "chi", actor: 1, target: 0, pai: "3s", consumed: ["4s", "5sr"] };
    assert.equal(read(chi), "Berta: Chi. 3 of bamboo, 4 of bamboo, 5 of bamboo (red)");
    assert.equal(read({ ...chi, actor: 0 }), "You: Chi. 3 of bamboo, 4 of bamboo, 5 of bamboo (red)");
    assert.equal(read({ type: "kakan", actor: 2, pai: "E", consumed: ["E", "E", "E"] }), "Clara: Kan. East wind");
    assert.equal(read({ type: "ankan", actor: 2, consumed: ["P", "P", "P", "P"] }), "Clara: Kan. White dragon");
    assert.equal(read({ type: "reach", actor: 3, double: false }), "Dora: Riichi");
  });

  it("names discards but no draws: the question names the reader's own draw", () => {
    assert.equal(read({ type: "dahai", actor: 1, pai: "5pr" }), "Berta discards 5 of circles (red)");
    assert.equal(read({ type: "dahai", actor: 0, pai: "E" }), "You discard East wind");
    assert.equal(read({ type: "dahai", actor: 0, pai: "E" }, {}, null), "Anna discards East wind");
    assert.equal(read({ type: "tsumo", actor: 1, pai: "?" }), "");
    assert.equal(read({ type: "tsumo", actor: 0, pai: "1m" }), "");
  });

  it("begins a hand with its round, the dora and the reader's wind", () => {
    assert.equal(
      read({ type: "start_kyoku" }, { honba: 1, oya: 1, kyoku: 2 }),
      "East 2. 1 honba. Dora 4 of circles, indicator 3 of circles. You are North",
    );
    assert.equal(read({ type: "start_kyoku" }, {}, null), "East 1. Dora 4 of circles, indicator 3 of circles");
  });

  it("tells a win with its points, and the reader's new score", () => {
    const win = { type: "hora", actor: 1, target: 2, pai: "3s", yakuman: 0, limit: "", fan: 3, fu: 40, points: 5200 };
    assert.equal(read(win), "Berta: Ron from Clara. 3 of bamboo. 3 han 40 fu. 5,200");
    assert.equal(
      read({ ...win, target: 1, limit: "mangan", points: 8000 }),
      "Berta: Tsumo. 3 of bamboo. Mangan. 8,000",
    );
    assert.equal(read({ type: "ryukyoku", reason: "sufon_renda" }), "Four winds discarded");
    assert.equal(read({ type: "end_kyoku" }, { scores: [31000, 0, 0, 0] }), "You have 31,000 points");
  });

  it("speaks the yaku of a win, and what the reader pays or gets", () => {
    const yaku = [
      ["riichi", 1],
      ["pinfu", 1],
      ["dora", 2],
    ];
    const win = { type: "hora", actor: 1, target: 2, pai: "3s", yakuman: 0, limit: "", fan: 4, fu: 30, points: 7700 };
    const read = (event, you) => spoken({ yaku, ...event }, view(), you, say);
    const text = "Berta: Ron from Clara. 3 of bamboo. 4 han 30 fu. 7,700. Riichi, Pinfu, Dora 2 han";
    assert.equal(read({ ...win, deltas: [0, 7700, -7700, 0] }, 0), text);
    assert.equal(read({ ...win, deltas: [0, 7700, -7700, 0] }, null), text);
    assert.equal(read({ ...win, deltas: [0, 7700, -7700, 0] }, 2), `${text}. You: \u22127,700`);
    const drawn = { type: "ryukyoku", reason: "exhaustive", deltas: [1500, -1500, 1500, -1500] };
    assert.equal(read(drawn, 0), "Exhaustive draw. You: +1,500");
    assert.equal(read({ type: "dahai", actor: 1, pai: "E" }, 0), "Berta discards East wind");
  });

  it("tells what no event says: who has left or sat down, and an end by votes", () => {
    const [left, playing] = [
      [false, true, false, false],
      [false, false, false, false],
    ];
    const told = (before, now, you = 0) => changeText(view(before), view(now), you, say);
    assert.equal(told({ bots: playing }, { bots: left }), "Berta has left, a bot plays on");
    assert.equal(told({ bots: left }, { bots: playing }), "Berta has sat down");
    assert.equal(told({ bots: left }, { bots: playing }, 1), "");
    assert.equal(told({ bots: left }, { bots: left }), "");
    const over = { phase: "ended", results: [{ type: "ryukyoku", reason: "abandoned" }] };
    assert.equal(told({}, over), "Game broken off. It does not count for statistics or rankings.");
    assert.equal(told(over, over), "");
  });

  it("ends the game with its ranking", () => {
    const placement = [
      [2, 5],
      [1, 47],
      [3, -15],
      [4, -37],
    ];
    const scores = [25000, 42000, 20000, 13000];
    assert.equal(
      read({ type: "end_game" }, { scores, placement }),
      "Final ranking. 1st: Berta, 42,000. 2nd: Anna, 25,000. 3rd: Clara, 20,000. 4th: Dora, 13,000",
    );
  });

  it("says that a game that was broken off does not count", () =>
    assert.equal(
      read({ type: "end_game" }, { phase: "ended", results: [{ type: "ryukyoku", reason: "abandoned" }] }),
      "Game broken off. It does not count for statistics or rankings.",
    ));

  it("asks with the open tile and the possible calls", () => {
    const discard = { type: "dahai", pai: "7s", tsumogiri: true };
    assert.equal(question(view({ drawn: "7s" }), [discard], say), "You draw 7 of bamboo");
    assert.equal(
      question(view({ drawn: "7s" }), [discard, { type: "reach", pai: "7s" }, { type: "hora" }], say),
      "You draw 7 of bamboo. Riichi, Tsumo",
    );
    assert.equal(question(view(), [discard], say), "Your turn", "after a call nothing is drawn");
    const calls = [
      { type: "chi", consumed: ["1m", "2m"] },
      { type: "chi", consumed: ["2m", "4m"] },
      { type: "hora" },
      { type: "none" },
    ];
    assert.equal(
      question(view({ phase: "claims", claimed: "3m", turn: 3 }), calls, say),
      "3 of characters. Chi, Ron, Pass",
    );
    assert.equal(
      question(view({ phase: "showing" }), [{ type: "tenpai" }, { type: "none" }], say),
      "Show tenpai, Keep closed",
    );
    assert.equal(question(view({ phase: "result" }), [{ type: "confirm" }], say), "");
    assert.equal(
      question(view({ phase: "result" }), [{ type: "stop" }, { type: "confirm" }], say),
      "You lead as the dealer of the last hand: end the game, or play on?",
    );
    assert.equal(question(view(), [], say), "");
  });
});

describe("the time left", () => {
  const clock = { asked_at: 1000, base_ms: 5000, bank_ms: 20000, deadline: 26000 };

  it("uses the decision's own time first", () => {
    assert.deepEqual(remainingSeconds(clock, 1000), { base: 5, bank: 20, urgent: false });
    assert.deepEqual(remainingSeconds(clock, 5001), { base: 1, bank: 20, urgent: false });
    assert.deepEqual(remainingSeconds(clock, 6000), { base: 0, bank: 20, urgent: false });
    assert.deepEqual(remainingSeconds(clock, 22001), { base: 0, bank: 4, urgent: true });
    assert.deepEqual(remainingSeconds(clock, 99999), { base: 0, bank: 0, urgent: true });
  });

  it("warns once at ten and once at five seconds, if there was more", () => {
    assert.equal(dueWarning(25, 10.2), null);
    assert.equal(dueWarning(10.2, 9.9), 10);
    assert.equal(dueWarning(9.9, 9.7), null);
    assert.equal(dueWarning(5.1, 4.9), 5);
    assert.equal(dueWarning(25, 4), 5, "a page that slept says what is true now");
    assert.equal(dueWarning(5, 4.8), null, "a question of five seconds begins with all of them");
    assert.equal(dueWarning(1, -1), null);
  });
});
