import assert from "node:assert/strict";
import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { describe, it } from "node:test";

import { verdict } from "../../static/js/ui/wall_record.js";
import {
  bindingOf,
  commitmentTo,
  fromHex,
  isHash,
  isSigned,
  randomHex,
  sha256,
  toHex,
} from "../../static/js/wall/hash.js";
import { DrawParticipant } from "../../static/js/wall/draw_participant.js";
import { Receipts, receiptOf } from "../../static/js/wall/receipts.js";
import { sha256 as ownSha256 } from "../../static/js/wall/sha256.js";
import { pagesOf, reduceWall, participation } from "../../static/js/wall/state.js";
import { keptProblems, receiptProblems, tookPart } from "../../static/js/wall/verify.js";
import { words } from "./kit.js";

const TABLE = "t";
const YOU = 1;
const GIVEN = "ab".repeat(32);
const BINDING = "cd".repeat(32);
const OTHER = "ef".repeat(32);
const FOUR = ["", "", "", ""];
const at = (seat, text) => FOUR.with(seat, text);
const hashOf = (hex) => createHash("sha256").update(Buffer.from(hex, "hex")).digest("hex");
const COMMITMENT = hashOf(GIVEN);

const wall = (change = {}) => ({
  draw: 1,
  state: "commit",
  seats: [0, YOU],
  commitments: FOUR,
  binding: "",
  contributions: FOUR,
  void: 0,
  left_out: [],
  previous: "",
  terms: "",
  secret_hash: "",
  key: "",
  signature: "",
  ...change,
});
const bound = (change = {}) => wall({ state: "reveal", commitments: at(YOU, COMMITMENT), binding: BINDING, ...change });

/** A store like `localStorage`. */
class Store {
  items = new Map();
  getItem = (key) => this.items.get(key) ?? null;
  setItem = (key, value) => void this.items.set(key, value);
}

/** Call the function as on a page that was loaded over plain http. */
async function withoutWebCrypto(call) {
  const own = Object.getOwnPropertyDescriptor(globalThis, "crypto");
  Object.defineProperty(globalThis, "crypto", { value: {}, configurable: true });
  try {
    return await call();
  } finally {
    Object.defineProperty(globalThis, "crypto", own);
  }
}

/** A page of the table over this store, with what it has sent. */
function opened(store = new Store(), given = [GIVEN, OTHER]) {
  const sent = [];
  const bytes = [...given];
  const page = new DrawParticipant(TABLE, {
    receipts: new Receipts(store),
    send: (message) => sent.push(message),
    changed: () => undefined,
    random: () => bytes.shift(),
  });
  return { page, sent, store };
}

describe("SHA-256", () => {
  const VECTORS = [
    ["", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
    ["abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],
    [
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
    ],
    ["a".repeat(1_000_000), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"],
  ];
  for (const [text, digest] of VECTORS) {
    it(`has the published digest of ${text.length} bytes`, () =>
      assert.equal(toHex(ownSha256(new TextEncoder().encode(text))), digest));
  }
  it("is that of Node for every length around the blocks", () => {
    for (let length = 0; length < 200; length += 1) {
      const data = randomBytes(length);
      assert.equal(toHex(ownSha256(data)), createHash("sha256").update(data).digest("hex"));
    }
  });
  it("is the same with and without Web Crypto", async () => {
    const data = randomBytes(77);
    assert.deepEqual(await sha256(data, undefined), await sha256(data, globalThis.crypto.subtle));
    assert.deepEqual(Buffer.from(await sha256(data)), createHash("sha256").update(data).digest());
  });
  it("commits to the bytes, not to their text", async () => assert.equal(await commitmentTo(GIVEN), COMMITMENT));
});

describe("bytes in hexadecimal", () => {
  it("are 32 random ones", () => {
    assert.ok(isHash(randomHex()));
    assert.notEqual(randomHex(), randomHex());
  });
  it("come back as they were", () => assert.equal(toHex(fromHex("00ff10")), "00ff10"));
  it("are no hash in another length or case", () => {
    for (const text of ["", GIVEN.slice(1), `${GIVEN}0`, GIVEN.toUpperCase(), 7]) assert.ok(!isHash(text));
  });
});

describe("the wall after events", () => {
  const events = [
    { type: "wall_draw", number: 1, seats: [0, 1] },
    { type: "wall_commit", actor: 1, commitment: COMMITMENT },
    {
      type: "wall_bind",
      commitments: at(1, COMMITMENT),
      binding: BINDING,
      terms: "",
      secret_hash: "",
      key: "",
      signature: "",
    },
    { type: "wall_reveal", actor: 1, contribution: GIVEN },
    { type: "wall_seed", pages: [1] },
  ];
  const after = (...some) => some.reduce(reduceWall, null);
  it("is fixed by the pages that revealed", () => {
    const fixed = after(...events);
    assert.equal(fixed.state, "fixed");
    assert.deepEqual(fixed.contributions, at(1, GIVEN));
    assert.equal(pagesOf(fixed), 1);
  });
  it("counts void draws", () => {
    const voided = after(
      ...events.slice(0, 3),
      { type: "wall_void", left_out: [1] },
      { type: "wall_draw", number: 2, seats: [0] },
    );
    assert.deepEqual(voided, wall({ draw: 2, seats: [0], void: 1, left_out: [1], previous: BINDING }));
  });
  it("has no proof without a page", () =>
    assert.equal(after(events[0], { type: "wall_seed", pages: [] }).state, "none"));
  it("is null at a table without a draw", () => assert.equal(after({ type: "tsumo" }), null));
});

describe("a player's page", () => {
  it("commits, and reveals when its commitment is in the list", async () => {
    const { page, sent } = opened();
    await page.follow(wall(), YOU, true);
    assert.deepEqual(sent, [{ t: "wall_commit", draw: 1, commitment: COMMITMENT }]);
    await page.follow(bound(), YOU);
    assert.deepEqual(sent[1], { t: "wall_reveal", draw: 1, contribution: GIVEN });
    await page.follow(bound({ state: "fixed", contributions: at(YOU, GIVEN) }), YOU);
    assert.equal(sent.length, 2);
    assert.equal(page.participation, "in");
  });
  it("sends each message once over a connection, and again over the next", async () => {
    const { page, sent } = opened();
    await page.follow(wall(), YOU, true);
    await page.follow(wall(), YOU);
    assert.equal(sent.length, 1);
    await page.follow(wall(), YOU, true);
    assert.deepEqual(sent[1], sent[0]);
  });
  it("uses the last of several states that come while it hashes", async () => {
    const { page, sent } = opened();
    await Promise.all([page.follow(wall(), YOU, true), page.follow(wall(), YOU), page.follow(bound(), YOU)]);
    assert.deepEqual(
      sent.map(({ t }) => t),
      ["wall_commit", "wall_reveal"],
    );
  });
  it("continues with the same bytes after a reload", async () => {
    const { page, sent, store } = opened();
    await page.follow(wall(), YOU, true);
    const again = opened(store, [OTHER]);
    await again.page.follow(wall(), YOU, true);
    assert.deepEqual(again.sent, sent);
    const later = opened(store, [OTHER]);
    await later.page.follow(bound(), YOU, true);
    assert.deepEqual(later.sent, [{ t: "wall_reveal", draw: 1, contribution: GIVEN }]);
  });
  it("reveals the accepted bytes even if another tab has overwritten them", async () => {
    const { page, sent, store } = opened();
    await page.follow(wall(), YOU);
    const other = { contribution: OTHER, commitment: hashOf(OTHER) };
    new Receipts(store).keep(TABLE, YOU, 1, other);
    await page.follow(bound(), YOU);
    assert.equal(page.participation, "in");
    assert.deepEqual(sent.at(-1), { t: "wall_reveal", draw: 1, contribution: GIVEN });
    new Receipts(store).keep(TABLE, YOU, 1, other);
    await page.follow(bound({ binding: OTHER }), YOU, true);
    assert.equal(page.participation, "changed", "it still knows what it has revealed for");
    assert.equal(sent.length, 2);
  });
  it("reveals the bytes that it has sent even if another tab overwrites them before they are accepted", async () => {
    const { page, sent, store } = opened();
    await page.follow(wall(), YOU);
    new Receipts(store).keep(TABLE, YOU, 1, { contribution: OTHER, commitment: hashOf(OTHER) });
    await page.follow(wall(), YOU);
    await page.follow(wall(), YOU, true);
    assert.deepEqual(sent[1], sent[0]);
    await page.follow(wall({ commitments: at(YOU, COMMITMENT) }), YOU);
    assert.equal(page.participation, "in");
    await page.follow(bound(), YOU);
    assert.deepEqual(sent[2], { t: "wall_reveal", draw: 1, contribution: GIVEN });
  });
  it("does not commit again to revealed bytes, although another tab has overwritten them", async () => {
    const { page, sent, store } = opened();
    await page.follow(wall(), YOU);
    await page.follow(bound(), YOU);
    new Receipts(store).keep(TABLE, YOU, 1, { contribution: OTHER, commitment: hashOf(OTHER) });
    await page.follow(wall(), YOU, true);
    assert.equal(sent.length, 2);
  });
  it("has new bytes for a new draw", async () => {
    const { page, sent } = opened();
    await page.follow(wall(), YOU, true);
    await page.follow(wall({ draw: 2, void: 1 }), YOU);
    assert.deepEqual(sent[1], { t: "wall_commit", draw: 2, commitment: hashOf(OTHER) });
  });
  it("works without a store", async () => {
    const { page, sent } = opened(null);
    await page.follow(wall(), YOU, true);
    await page.follow(bound(), YOU);
    assert.equal(sent.length, 2);
  });
  it("sends nothing for spectators and for seats that are not asked", async () => {
    const { page, sent } = opened();
    await page.follow(wall(), null, true);
    await page.follow(wall(), 3, true);
    await page.follow(bound(), null, true);
    assert.deepEqual(sent, []);
    assert.equal(page.participation, "none");
  });
  it("reveals nothing if the list has another commitment for its seat", async () => {
    const { page, sent } = opened();
    await page.follow(wall(), YOU, true);
    await page.follow(bound({ commitments: at(YOU, OTHER) }), YOU);
    assert.equal(sent.length, 1);
    assert.equal(page.participation, "other");
  });
  it("reveals nothing if its commitment is not in the list", async () => {
    const { page, sent } = opened();
    await page.follow(wall(), YOU, true);
    await page.follow(bound({ commitments: at(0, OTHER) }), YOU);
    assert.equal(sent.length, 1);
    assert.equal(page.participation, "late");
  });
  it("reveals nothing to a server that has not bound itself", async () => {
    const { page, sent } = opened();
    await page.follow(wall(), YOU, true);
    await page.follow(bound({ binding: "" }), YOU);
    assert.equal(sent.length, 1);
  });
  it("never reveals again for another hash", async () => {
    const { page, sent, store } = opened();
    await page.follow(wall(), YOU, true);
    await page.follow(bound(), YOU);
    for (const later of [page, opened(store).page]) {
      await later.follow(bound({ binding: OTHER }), YOU, true);
      assert.equal(later.participation, "changed");
    }
    assert.equal(sent.length, 2);
  });
  it("never commits again to bytes that it has revealed", async () => {
    const { page, sent } = opened();
    await page.follow(wall(), YOU, true);
    await page.follow(bound(), YOU);
    await page.follow(wall(), YOU, true);
    assert.equal(sent.length, 2);
    assert.equal(page.participation, "changed");
  });
  it("says that it was left out of the next draw", async () => {
    const { page } = opened();
    await page.follow(wall(), YOU, true);
    await page.follow(wall({ draw: 2, seats: [0], void: 1 }), YOU);
    assert.equal(page.participation, "left_out");
  });
  it("says at once that it is named silent although it has revealed, and keeps its bytes", async () => {
    const { page } = opened();
    await page.follow(wall(), YOU, true);
    await page.follow(bound(), YOU);
    const voided = reduceWall(bound(), { type: "wall_void", left_out: [YOU] });
    await page.follow(voided, YOU);
    assert.equal(page.participation, "silenced");
    const next = reduceWall(voided, { type: "wall_draw", number: 2, seats: [0] });
    await page.follow(next, YOU);
    assert.equal(page.participation, "silenced");
    assert.equal(page.kept[1].contribution, GIVEN);
    assert.equal(page.kept[1].binding, BINDING);
  });
  it("is not named silent wrongly if it has not revealed", async () => {
    const { page } = opened();
    await page.follow(wall(), YOU, true);
    await page.follow(wall({ draw: 2, seats: [0], void: 1, left_out: [YOU] }), YOU);
    assert.equal(page.participation, "left_out");
  });
  describe("with a signed hash", async () => {
    const { publicKey, privateKey } = generateKeyPairSync("ed25519");
    const key = publicKey.export({ format: "der", type: "spki" }).subarray(-32).toString("hex");
    const signed = async (change = {}) => {
      const facts = bound({ terms: OTHER, secret_hash: hashOf(OTHER), key, ...change });
      const binding = await bindingOf({ table: TABLE, ...facts });
      const text = Buffer.concat([Buffer.from("riichi wall signature 2"), Buffer.from(binding, "hex")]);
      return { ...facts, binding, signature: sign(null, text, privateKey).toString("hex") };
    };
    it("reveals, and its receipt names everything that the server has signed", async () => {
      const { page, sent } = opened();
      await page.follow(wall(), YOU, true);
      const published = await signed();
      await page.follow(published, YOU);
      assert.equal(sent.length, 2);
      const { contribution, commitment: _, ...kept } = page.kept[1];
      const receipt = receiptOf(TABLE, YOU, 1, kept, contribution);
      assert.equal(receipt.version, 2);
      assert.equal(receipt.contribution, GIVEN);
      assert.equal(await bindingOf(receipt), receipt.binding);
      assert.equal(await isSigned(receipt), true);
    });
    it("reveals nothing if the hash covers something else, or is not signed", async () => {
      const right = await signed();
      const others = [
        { ...right, terms: GIVEN },
        { ...right, commitments: right.commitments.with(0, OTHER) },
        { ...right, signature: "00".repeat(64) },
        { ...right, key: OTHER },
        { ...right, left_out: [2] },
        { ...right, previous: OTHER },
      ];
      for (const other of others) {
        const { page, sent } = opened();
        await page.follow(wall(), YOU, true);
        await page.follow(other, YOU);
        assert.equal(sent.length, 1);
        assert.equal(page.participation, "unsound");
      }
    });
    it("reveals nothing if the draw before is not the one that it was shown", async () => {
      const { page, sent } = opened();
      await page.follow(wall(), YOU, true);
      await page.follow(await signed(), YOU);
      const second = { draw: 2, void: 1, commitments: at(YOU, hashOf(OTHER)), left_out: [0] };
      await page.follow(wall({ ...second, commitments: FOUR, previous: BINDING }), YOU);
      await page.follow(await signed({ ...second, previous: BINDING }), YOU);
      assert.deepEqual(
        sent.map(({ t }) => t),
        ["wall_commit", "wall_reveal", "wall_commit"],
      );
      assert.equal(page.participation, "unsound");
    });
    it("cannot check signatures without Web Crypto, or where that has no Ed25519", async () => {
      const right = await signed();
      const unsupported = { importKey: () => Promise.reject(new DOMException("", "NotSupportedError")) };
      assert.equal(await isSigned(right, unsupported), null);
      assert.equal(await withoutWebCrypto(() => isSigned(right)), null);
      assert.equal(await isSigned({ ...right, signature: "" }, unsupported), false);
    });
  });
  it("says that its bytes are missing", async () => {
    const { page } = opened();
    await page.follow(wall(), YOU, true);
    await page.follow(bound(), YOU);
    for (const contributions of [FOUR, at(YOU, OTHER)]) {
      await page.follow(bound({ state: "fixed", contributions }), YOU);
      assert.equal(page.participation, "dropped");
    }
  });
  it("has no complaint if it comes after the draw", () => {
    assert.equal(participation(wall({ state: "fixed", commitments: at(0, OTHER), binding: BINDING }), YOU, {}), "none");
    assert.equal(participation(wall({ state: "none" }), YOU, {}), "none");
  });
  it("says that it was left out when no page is left", async () => {
    const { page } = opened();
    await page.follow(wall(), YOU, true);
    await page.follow(wall({ state: "none" }), YOU);
    assert.equal(page.participation, "late");
    await page.follow(wall({ state: "none", draw: 2, seats: [], void: 1 }), YOU);
    assert.equal(page.participation, "left_out");
  });
  it("stores that the wall was fixed with its bytes", async () => {
    const { page } = opened();
    await page.follow(wall(), YOU, true);
    await page.follow(bound(), YOU);
    assert.equal(page.kept[1].fixed, undefined);
    await page.follow(bound({ state: "fixed", contributions: at(YOU, GIVEN) }), YOU);
    assert.equal(page.kept[1].fixed, true);
  });
});

describe("what the browser keeps", () => {
  it("keeps the last hundred tables", () => {
    const receipts = new Receipts(new Store());
    const own = { contribution: GIVEN, commitment: COMMITMENT };
    for (let table = 0; table < 120; table += 1) receipts.keep(`${table}`, 0, 1, own);
    assert.equal(receipts.of("19"), null);
    assert.deepEqual(receipts.of("20"), { seat: 0, draws: { 1: own } });
  });
  it("survives a store that is damaged or full", () => {
    const store = new Store();
    store.setItem("wall-receipts", "{");
    store.setItem = () => {
      throw new Error("full");
    };
    const receipts = new Receipts(store);
    receipts.keep(TABLE, 0, 1, { contribution: GIVEN, commitment: COMMITMENT });
    assert.equal(receipts.of(TABLE)?.draws[1].contribution, GIVEN);
  });
});

const proof = (change = {}) => ({
  version: 1,
  table: TABLE,
  seats: ["person:a", "person:b", "bot:c", "bot:d"],
  rules: "{}",
  draws: [
    { commitments: at(YOU, COMMITMENT), secret: OTHER, binding: BINDING, contributions: at(YOU, GIVEN), ...change },
  ],
});
const kept = () => ({
  seat: YOU,
  draws: {
    1: { contribution: GIVEN, commitment: COMMITMENT, binding: BINDING, commitments: at(YOU, COMMITMENT), fixed: true },
  },
});

describe("a receipt", () => {
  const receipt = receiptOf(TABLE, YOU, 1, bound(), GIVEN);
  it("fits its own record", () => {
    assert.deepEqual(receiptProblems(proof(), receipt), []);
    assert.deepEqual(keptProblems(proof(), kept()), []);
    assert.ok(tookPart(proof(), kept()));
  });
  it("fits no other", () => {
    const what = (changed) => receiptProblems(changed, receipt).map((problem) => problem.what);
    assert.deepEqual(what(proof({ binding: OTHER })), ["receipt_binding"]);
    assert.deepEqual(what(proof({ commitments: FOUR })), ["receipt_commitments"]);
    assert.deepEqual(what(proof({ contributions: FOUR })), ["receipt_silent"]);
    assert.deepEqual(what(proof({ contributions: at(YOU, OTHER) })), ["receipt_contribution"]);
    assert.deepEqual(what({ ...proof(), draws: [] }), ["receipt_draw"]);
    assert.deepEqual(what({ ...proof(), table: "u" }), ["receipt_table"]);
    assert.ok(!tookPart(proof({ contributions: FOUR }), kept()));
  });
});

describe("the verdict", () => {
  const found = (change = {}) => ({
    proof: proof(),
    seed: OTHER,
    problems: [],
    pages: [YOU],
    hands: 1,
    isOver: true,
    ...change,
  });
  const NAMES = ["Anna", "Bruno", "Chika", "Dora"];
  for (const language of ["en", "fr", "ja"]) {
    it(`has a text for everything in ${language}`, async () => {
      const say = words[language];
      const kinds = [
        verdict(found(), kept(), NAMES, say),
        verdict(found(), null, NAMES, say),
        verdict(found({ proof: null, pages: [] }), null, NAMES, say),
        verdict(found({ proof: null, pages: [] }), kept(), NAMES, say),
        verdict(found({ problems: [{ what: "contribution", draw: 2, seat: 1 }] }), kept(), NAMES, say),
        verdict(null, kept(), NAMES, say),
        verdict(found({ hands: 2, isOver: false }), kept(), NAMES, say),
      ];
      assert.deepEqual(
        kinds.map(({ kind }) => kind),
        ["fits", "fits", "none", "wrong", "wrong", "unknown", "fits"],
      );
      assert.match(kinds[6].text, /2/);
      assert.notEqual(kinds[6].text, kinds[0].text);
      assert.match(kinds[4].problems[0], /2.*Bruno|Bruno.*2/);
      for (const { text, problems } of kinds) assert.ok(![text, ...problems].join().includes("{"), text);
    });
  }
  it("says what was not checked about signatures", async () => {
    const say = words.en;
    for (const signature of ["valid", "unchecked", "none"]) {
      const { kind, text } = verdict(found({ signature }), kept(), NAMES, say);
      assert.equal(kind, "fits");
      const shown = Object.values(say.wall.signatures).filter((one) => text.includes(one));
      assert.deepEqual(shown, signature === "valid" ? [] : [say.wall.signatures[signature]]);
    }
  });
  it("finds a record without the proof that this page has seen", async () => {
    const say = words.en;
    const { problems } = verdict(found({ proof: null }), kept(), NAMES, say);
    assert.deepEqual(problems, [say.wall.lost]);
  });
});
