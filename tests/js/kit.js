/** Building blocks of the tests: a view to start from, and a fake browser. */

import { emptyView } from "../../static/js/replay/steps.js";
import { wordsOf } from "../../static/js/table/names.js";
import { texts as en } from "../../static/js/table/names/en.js";
import { texts as fr } from "../../static/js/table/names/fr.js";
import { texts as ja } from "../../static/js/table/names/ja.js";
import { emptyHand } from "../../static/js/table/reduce.js";

/** The words of the table, by language. */
export const words = { en: wordsOf(en), fr: wordsOf(fr), ja: wordsOf(ja) };

/** @param {object} [change] */
export function hand(change = {}) {
  return { ...emptyHand(), ...change };
}

/** A view of an ordinary turn. @param {object} [change] */
export function view(change = {}) {
  return {
    ...emptyView(["Anna", "Berta", "Clara", "Dora"]),
    rules: { name: "tenhou", length: "east_south" },
    bots: [false, true, true, true],
    phase: "turn",
    scores: [25000, 25000, 25000, 25000],
    left: 50,
    dora: ["3p"],
    ...change,
  };
}

/** @param {string} text tiles with spaces between */
export const tiles = (text) => (text === "" ? [] : text.split(" "));

/** River entries: `*` after a tile lays it sideways, `x` marks it as called. @param {string} text */
export const river = (text) =>
  tiles(text).map((word) => ({
    pai: word.replace(/[*x]+$/, ""),
    tsumogiri: false,
    riichi: word.includes("*"),
    taken: word.endsWith("x"),
  }));

/** A socket whose other end is the test. */
export class FakeSocket {
  constructor() {
    this.readyState = 0;
    this.url = "";
    /** @type {any[]} */
    this.sent = [];
    this.isClosed = false;
  }

  /** @param {string} text */
  send(text) {
    this.sent.push(JSON.parse(text));
  }

  close() {
    this.isClosed = true;
  }

  /** Open the connection, as when the server accepts it. */
  accept() {
    this.readyState = 1;
    this.onopen();
  }

  /** @param {object} frame */
  says(frame) {
    this.onmessage({ data: JSON.stringify(frame) });
  }

  /** @param {number} code */
  drop(code) {
    this.readyState = 3;
    this.onclose({ code });
  }

  /** @param {string} type */
  sentOf(type) {
    return this.sent.filter((message) => message.t === type);
  }
}

/** A browser whose time the test moves. */
export class FakeSurroundings {
  constructor() {
    this.time = 1_000_000;
    /** @type {FakeSocket[]} */
    this.sockets = [];
    /** @type {{at: number, call: () => void}[]} */
    this.timers = [];
    this.isInView = true;
  }

  /** @param {string} url */
  open = (url) => {
    const socket = new FakeSocket();
    socket.url = url;
    this.sockets.push(socket);
    return socket;
  };

  now = () => this.time;
  random = () => 0.5;
  seen = () => this.isInView;

  later = (call, ms) => {
    const timer = { at: this.time + ms, call };
    this.timers.push(timer);
    return timer;
  };

  cancel = (timer) => {
    this.timers = this.timers.filter((other) => other !== timer);
  };

  /** @param {number} ms */
  pass(ms) {
    const end = this.time + ms;
    for (;;) {
      const [next] = this.timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      if (next === undefined) break;
      this.cancel(next);
      this.time = Math.max(this.time, next.at);
      next.call();
    }
    this.time = end;
  }

  /** The newest socket. */
  get socket() {
    return this.sockets[this.sockets.length - 1];
  }
}
