import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { retryDelayMs } from "../../static/js/net/backoff.js";
import { ServerClock } from "../../static/js/net/server_clock.js";
import { checkSequence } from "../../static/js/net/sequence.js";
import { TableSocket } from "../../static/js/net/socket.js";
import { FakeSurroundings } from "./kit.js";

const sync = (change = {}) => ({ t: "sync", v: 3, seq: 10, q: 4, now: 0, view: {}, legal: [], ...change });
const ev = (seq, count, change = {}) => ({
  t: "ev",
  seq,
  q: 5,
  now: 0,
  e: Array.from({ length: count }, () => ({ type: "dora" })),
  legal: [],
  ...change,
});

/** A connected page, which records everything that its connection reports. */
function connected({ greet = true } = {}) {
  const around = new FakeSurroundings();
  const calls = {
    syncs: [],
    events: [],
    statuses: [],
    errors: [],
    trips: [],
    windows: [],
    absent: [],
    studies: [],
    outbox: 0,
    missed: 0,
  };
  const socket = new TableSocket("ws://table/", around, {
    sync: (frame) => calls.syncs.push(frame),
    events: (frame) => calls.events.push(frame),
    status: (status) => calls.statuses.push(status),
    outbox: () => (calls.outbox += 1),
    error: (error) => calls.errors.push(error.code),
    missed: () => (calls.missed += 1),
    trip: (ms) => calls.trips.push(ms),
    windows: (count) => calls.windows.push(count),
    absent: (seats) => calls.absent.push(seats),
    study: (frame) => calls.studies.push(frame),
  });
  socket.connect();
  around.socket.accept();
  if (greet) around.socket.says(sync());
  return { around, calls, socket };
}

describe("the gate", () => {
  it("applies a frame that continues the last event", () => assert.equal(checkSequence(10, 12, 2), "apply"));
  it("applies a frame without events", () => assert.equal(checkSequence(10, 10, 0), "apply"));
  it("finds a gap", () => assert.equal(checkSequence(10, 13, 2), "gap"));
  it("treats an overlapping frame as a gap", () => assert.equal(checkSequence(10, 11, 2), "gap"));
  it("drops an old frame", () => assert.equal(checkSequence(10, 9, 2), "old"));
});

describe("the wait before a retry", () => {
  it("doubles and is capped", () => {
    assert.equal(
      retryDelayMs(0, () => 1),
      500,
    );
    assert.equal(
      retryDelayMs(2, () => 1),
      2000,
    );
    assert.equal(
      retryDelayMs(40, () => 1),
      8000,
    );
  });
  it("has jitter of half its length", () =>
    assert.equal(
      retryDelayMs(2, () => 0),
      1000,
    ));
});

describe("the server's clock", () => {
  it("uses the quickest round trip", () => {
    let local = 1000;
    const clock = new ServerClock(() => local);
    clock.setEstimate(9000);
    assert.equal(clock.now(), 9000);
    local = 1100;
    clock.sample(1000, 6050);
    assert.equal(clock.now(), 6100);
    local = 3100;
    clock.sample(1100, 6900);
    assert.equal(clock.now(), 8100, "a trip of two seconds says little");
  });

  it("drops its samples when a clock was adjusted", () => {
    let local = 1000;
    const clock = new ServerClock(() => local);
    clock.sample(990, 5995);
    local = 9000;
    clock.sample(8900, 5950);
    assert.equal(clock.now(), 6000);
  });
});

describe("the connection", () => {
  it("says hello with the last sequence number", () => {
    const { around } = connected({ greet: false });
    assert.deepEqual(around.socket.sent, [{ t: "hello", seq: 0 }]);
  });

  it("does not say hello over a socket that is open already, but watches it", () => {
    const around = new FakeSurroundings();
    const open = around.open;
    around.open = (url) => Object.assign(open(url), { readyState: 1 });
    const syncs = [];
    const listener = { sync: (frame) => syncs.push(frame), windows() {}, status() {}, missed() {}, trip() {} };
    new TableSocket("ws://table/", around, listener).connect();
    around.socket.says(sync());
    assert.equal(syncs.length, 1);
    assert.deepEqual(around.socket.sentOf("hello"), []);
    const before = around.socket.sentOf("ping").length;
    around.socket.says({ t: "pong", at: 0, now: 0 });
    around.pass(12_000);
    assert.equal(around.socket.sentOf("ping").length, before + 1);
  });

  it("passes events on and says hello again after a gap", () => {
    const { around, calls } = connected();
    around.socket.says(ev(12, 2));
    around.socket.says(ev(15, 2));
    around.socket.says(ev(16, 1));
    assert.equal(calls.events.length, 1);
    assert.deepEqual(around.socket.sentOf("hello"), [
      { t: "hello", seq: 0 },
      { t: "hello", seq: 12 },
    ]);
    around.socket.says(sync({ seq: 16 }));
    around.socket.says(ev(17, 1));
    assert.equal(calls.events.length, 2);
  });

  it("ignores old events", () => {
    const { around, calls } = connected();
    around.socket.says(ev(9, 1));
    assert.equal(calls.events.length, 0);
    assert.equal(around.socket.sentOf("hello").length, 1);
  });

  it("reconnects and says hello with the last sequence number", () => {
    const { around, calls } = connected();
    around.socket.says(ev(11, 1));
    around.socket.drop(1006);
    assert.equal(calls.statuses.at(-1), "reconnecting");
    around.pass(500);
    assert.equal(around.sockets.length, 2);
    around.socket.accept();
    assert.deepEqual(around.socket.sent, [{ t: "hello", seq: 11 }]);
    around.socket.says(sync({ seq: 12 }));
    assert.equal(calls.statuses.at(-1), "online");
  });

  it("reconnects on request over a new connection", () => {
    const { around, calls, socket } = connected();
    const first = around.socket;
    socket.reopen();
    assert.equal(around.sockets.length, 2);
    assert.ok(first.isClosed);
    first.drop(1000);
    around.socket.accept();
    assert.deepEqual(around.socket.sentOf("hello"), [{ t: "hello", seq: 10 }]);
    around.socket.says(sync({ seq: 12 }));
    around.pass(7_000);
    assert.equal(around.sockets.length, 2, "what the old one says no longer counts");
    assert.deepEqual(calls.statuses.slice(-2), ["connecting", "online"]);
  });

  it("is offline after 20 s without a server", () => {
    const { around, calls } = connected();
    const start = around.time;
    around.socket.drop(4512);
    while (around.time - start < 19_000) {
      around.pass(500);
      if (!around.socket.isClosed) around.socket.drop(1006);
      assert.equal(calls.statuses.at(-1), "reconnecting");
    }
    while (around.time - start < 29_000) {
      around.pass(500);
      if (!around.socket.isClosed) around.socket.drop(1006);
    }
    assert.equal(calls.statuses.at(-1), "offline");
    around.pass(8_000);
    around.socket.accept();
    around.socket.says(sync());
    assert.equal(calls.statuses.at(-1), "online");
    around.socket.drop(1006);
    assert.equal(calls.statuses.at(-1), "reconnecting", "the next loss is judged by itself");
  });

  it("waits longer after each failed attempt", () => {
    const { around } = connected();
    for (const expected of [375, 750, 1500]) {
      const count = around.sockets.length;
      around.socket.drop(1006);
      around.pass(expected - 1);
      assert.equal(around.sockets.length, count);
      around.pass(1);
      assert.equal(around.sockets.length, count + 1);
    }
  });

  it("does not try again at a table that does not exist", () => {
    const { around, calls } = connected();
    around.socket.drop(4404);
    around.pass(60_000);
    assert.equal(around.sockets.length, 1);
    assert.equal(calls.statuses.at(-1), "missing");
  });

  it("does not try again when the server speaks another version", () => {
    const { around, calls } = connected({ greet: false });
    around.socket.drop(4426);
    around.pass(60_000);
    assert.equal(around.sockets.length, 1);
    assert.equal(calls.statuses.at(-1), "outdated");
  });

  for (const v of [undefined, 2]) {
    it(`closes the connection after a sync of version ${v}`, () => {
      const { around, calls } = connected({ greet: false });
      const { socket } = around;
      socket.says(sync({ v }));
      around.pass(60_000);
      assert.deepEqual(calls.syncs, []);
      assert.equal(calls.statuses.at(-1), "outdated");
      assert.ok(socket.isClosed);
      assert.equal(around.sockets.length, 1);
    });
  }

  for (const code of [4503, 4512]) {
    it(`reconnects after the server closed with ${code}`, () => {
      const { around } = connected();
      around.socket.drop(code);
      around.pass(1000);
      assert.equal(around.sockets.length, 2);
    });
  }

  it("abandons a silent connection", () => {
    const { around, calls } = connected();
    const first = around.socket;
    around.pass(16_000);
    assert.ok(first.isClosed);
    assert.ok(around.sockets.length > 1);
    assert.ok(calls.statuses.includes("offline"));
  });

  it("uses another address for each attempt", () => {
    const { around } = connected();
    assert.equal(around.socket.url, "ws://table/?v=3");
    around.socket.drop(1006);
    around.pass(1_000);
    assert.equal(around.socket.url, "ws://table/?v=3&again=1");
    around.socket.drop(1006);
    around.pass(2_000);
    assert.equal(around.socket.url, "ws://table/?v=3&again=2");
    around.socket.accept();
    around.socket.says(sync());
    around.socket.drop(4512);
    around.pass(1_000);
    assert.equal(around.socket.url, "ws://table/?v=3&again=1");
  });

  it("abandons a connection that does not open or answer", () => {
    const { around } = connected();
    around.socket.drop(1006);
    around.pass(500);
    const unopened = around.socket;
    around.pass(8_000);
    assert.ok(unopened.isClosed);
    around.pass(1_000);
    const silent = around.socket;
    silent.accept();
    around.pass(8_000);
    assert.ok(silent.isClosed);
  });

  it("pings at once when the page is visible again", () => {
    const { around, socket } = connected();
    const first = around.socket;
    socket.wake();
    around.socket.says({ t: "pong", at: around.time, now: 0 });
    around.pass(3_000);
    assert.ok(!first.isClosed);
    socket.wake();
    around.pass(3_000);
    assert.ok(first.isClosed);
    around.pass(500);
    assert.equal(around.sockets.length, 2);
  });

  it("survives the late timers of a hidden page", () => {
    const { around } = connected();
    around.socket.says({ t: "pong", at: around.time, now: around.time });
    for (let minute = 0; minute < 5; minute += 1) {
      const due = around.timers;
      around.timers = [];
      around.time += 60_000;
      for (const { call } of due) call();
      around.socket.says({ t: "pong", at: around.time, now: around.time });
    }
    assert.equal(around.sockets.length, 1);
  });

  it("follows the browser's offline and online events", () => {
    const { around, calls, socket } = connected();
    socket.goOffline();
    assert.equal(calls.statuses.at(-1), "offline");
    assert.ok(around.socket.isClosed);
    socket.wake();
    assert.equal(around.sockets.length, 2);
    assert.equal(calls.statuses.at(-1), "offline", "until the picture has come");
  });

  it("reports round trip, visibility and windows", () => {
    const { around, calls } = connected();
    assert.equal(around.socket.sentOf("ping")[0].seen, true);
    around.socket.says({ t: "pong", at: around.time, now: around.time });
    around.isInView = false;
    around.pass(8_000);
    const { at, seen } = around.socket.sentOf("ping").at(-1);
    assert.equal(seen, false);
    around.time += 40;
    around.socket.says({ t: "pong", at, now: 0 });
    assert.deepEqual(calls.trips, [0, 40]);
    around.socket.says({ t: "absent", seats: [false, true, false, false] });
    assert.deepEqual(calls.absent, [[false, true, false, false]]);
    around.socket.says({ t: "seat_sockets", count: 2 });
    around.socket.drop(1006);
    around.pass(500);
    around.socket.accept();
    around.socket.says(sync());
    assert.deepEqual(calls.windows, [1, 2, 1]);
  });

  it("asks for help after the sync and passes the answer on", () => {
    const { around, calls, socket } = connected();
    socket.send({ t: "study", q: 41 });
    assert.deepEqual(around.socket.sentOf("study"), [{ t: "study", q: 41 }]);
    around.socket.says({ t: "study", q: 41, hand: null, discards: [], kuikae: [] });
    assert.equal(calls.studies[0].q, 41);
    around.socket.drop(1006);
    socket.send({ t: "study", q: 42 });
    assert.equal(around.socket.sentOf("study").length, 1);
  });

  it("keeps a connection that answers pings", () => {
    const { around } = connected();
    around.socket.says({ t: "pong", at: around.time, now: around.time });
    for (let beat = 0; beat < 10; beat += 1) {
      around.pass(8_000);
      around.socket.says({ t: "pong", at: around.time, now: around.time });
    }
    assert.equal(around.sockets.length, 1);
    assert.ok(around.socket.sentOf("ping").length >= 10);
    assert.equal(around.socket.sentOf("ping").at(-1).seq, 10);
  });
});

describe("a connection with traffic", () => {
  /** @param {ReturnType<typeof connected>["around"]} around */
  const pings = (around) => around.socket.sentOf("ping").length;

  it("is pinged only every 16 s", () => {
    const { around } = connected();
    const first = pings(around);
    for (let seq = 11; seq <= 18; seq += 1) {
      around.pass(2_000);
      around.socket.says(ev(seq, 1));
    }
    assert.equal(pings(around), first + 1);
    assert.equal(around.socket.sentOf("ping").at(-1).seq, 17);
  });

  it("is pinged within eight seconds of the last frame", () => {
    const { around } = connected();
    around.pass(3_000);
    around.socket.says(ev(11, 1));
    const before = pings(around);
    around.pass(8_000);
    assert.equal(pings(around), before + 1);
    around.pass(8_000);
    assert.ok(around.sockets.length > 1, "and given up when nothing comes of that");
  });

  it("is pinged after 100 events", () => {
    const { around } = connected();
    const first = pings(around);
    for (let seq = 12; seq <= 310; seq += 2) around.socket.says(ev(seq, 2));
    assert.equal(pings(around), first + 3);
    assert.equal(around.socket.sentOf("ping").at(-1).seq, 310);
  });
});

describe("an answer", () => {
  const action = { type: "dahai", pai: "1m", tsumogiri: false };

  it("is sent once, however often it is given", () => {
    const { around, socket } = connected();
    assert.equal(socket.answer(4, action), true);
    assert.equal(socket.answer(4, action), false);
    const [{ cid }] = around.socket.sentOf("act");
    around.socket.says({ t: "ack", cid });
    assert.equal(socket.answer(4, action), false, "also after it has been acknowledged");
    assert.equal(around.socket.sentOf("act").length, 1);
  });

  it("carries an id of its own", () => {
    const { around, socket } = connected();
    socket.answer(4, action);
    around.socket.says({ t: "ack", cid: around.socket.sentOf("act")[0].cid });
    around.socket.says(ev(11, 1, { q: 5 }));
    socket.answer(5, action);
    const [first, second] = around.socket.sentOf("act");
    assert.notEqual(first.cid, second.cid);
    assert.match(first.cid, /^[A-Za-z0-9_-]{1,40}$/);
  });

  it("is sent again with the same id until it is acknowledged", () => {
    const { around, socket } = connected();
    socket.answer(4, action);
    around.socket.says(ev(11, 1, { q: 4 }));
    around.pass(4_000);
    const [first, second] = around.socket.sentOf("act");
    assert.deepEqual(first, second);
    around.socket.says({ t: "ack", cid: first.cid });
    around.pass(4_000);
    assert.equal(around.socket.sentOf("act").length, 2);
  });

  it("without a reply is sent again over another connection", () => {
    const { around, socket } = connected();
    socket.answer(4, action);
    const [sent] = around.socket.sentOf("act");
    around.pass(4_500);
    assert.equal(around.sockets.length, 2);
    around.socket.accept();
    around.socket.says(sync({ q: 4 }));
    assert.deepEqual(around.socket.sentOf("act"), [sent]);
  });

  it("is sent again after a reconnect, if its question is still open", () => {
    const { around, socket } = connected();
    socket.answer(4, action);
    const [{ cid }] = around.socket.sentOf("act");
    around.socket.drop(1006);
    around.pass(500);
    around.socket.accept();
    assert.equal(around.socket.sentOf("act").length, 0, "not before the picture has come");
    around.socket.says(sync({ q: 4 }));
    assert.deepEqual(around.socket.sentOf("act"), [{ t: "act", cid, q: 4, a: action }]);
  });

  it("is dropped after a reconnect, if its question is over", () => {
    const { around, calls, socket } = connected();
    socket.answer(4, action);
    around.socket.drop(1006);
    around.pass(500);
    around.socket.accept();
    around.socket.says(sync({ q: 6 }));
    assert.equal(calls.missed, 1);
    assert.equal(around.socket.sentOf("act").length, 0);
    assert.equal(socket.answer(6, action), true);
  });

  it("can be given again after a refusal", () => {
    const { around, calls, socket } = connected();
    socket.answer(4, action);
    const [{ cid }] = around.socket.sentOf("act");
    around.socket.says({ t: "error", code: "illegal", text: "no", cid });
    assert.deepEqual(calls.errors, ["illegal"]);
    assert.equal(socket.answer(4, action), true);
  });

  it("is sent again with its id after `unavailable`", () => {
    const { around, socket } = connected();
    socket.answer(4, action);
    const [first] = around.socket.sentOf("act");
    around.socket.says({ t: "error", code: "unavailable", text: "shortly", cid: first.cid });
    assert.equal(socket.answer(4, action), false);
    around.pass(4_000);
    assert.deepEqual(around.socket.sentOf("act"), [first, first]);
  });

  for (const [answer, missed] of [
    [action, 1],
    [{ type: "none" }, 0],
  ]) {
    it(`is dropped when it was late, ${missed ? "and the reader is told" : "a pass in silence"}`, () => {
      const { around, calls, socket } = connected();
      socket.answer(4, answer);
      around.socket.says({ t: "stale", cid: around.socket.sentOf("act")[0].cid, q: 5 });
      around.socket.says(sync({ q: 5 }));
      assert.deepEqual([calls.errors, calls.missed], [[], missed]);
      assert.equal(socket.answer(5, answer), true);
    });
  }
});
