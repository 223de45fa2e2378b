/** The service worker in a fake browser: what it keeps, and what it never keeps. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { beforeEach, describe, it } from "node:test";
import { createContext, runInContext } from "node:vm";

const ORIGIN = "https://mahjong.example";
const source = (name) => readFileSync(new URL(`../../static/${name}.js`, import.meta.url), "utf8");
const BUNDLE = `${ORIGIN}/static/js/bundle/main-ABCD1234.js`;

/** A cache of a browser. */
class Cache {
  kept = new Map();
  constructor(site) {
    this.site = site;
  }
  async addAll(requests) {
    for (const request of requests) await this.put(request, await this.site.fetch(request));
  }
  async put(request, answer) {
    this.kept.set(new URL(request.url, ORIGIN).href, answer);
  }
  async match(request) {
    return this.kept.get(new URL(request.url ?? request, ORIGIN).href)?.clone();
  }
  async keys() {
    return [...this.kept.keys()].map((url) => ({ url }));
  }
  async delete({ url }) {
    return this.kept.delete(url);
  }
}

/** A browser with that worker, and a site behind it. */
class Browser {
  caches = new Map();
  listeners = {};
  asked = [];
  isOnline = true;
  language = "en";
  isRegistered = true;
  windows = [];
  shown = [];

  constructor(worker) {
    const self = {
      location: new URL(`${ORIGIN}/sw.js`),
      registration: {
        unregister: async () => (this.isRegistered = false),
        navigationPreload: { enable: async () => undefined },
      },
      clients: {
        claim: async () => undefined,
        matchAll: async () => this.windows,
        openWindow: async (address) => this.shown.push(`opened ${address}`),
      },
      skipWaiting: () => undefined,
      addEventListener: (type, listener) => (this.listeners[type] = listener),
    };
    const caches = {
      open: async (name) => {
        if (!this.caches.has(name)) this.caches.set(name, new Cache(this));
        return this.caches.get(name);
      },
      keys: async () => [...this.caches.keys()],
      delete: async (name) => this.caches.delete(name),
      match: async (request) => {
        for (const cache of this.caches.values()) {
          const found = await cache.match(request);
          if (found !== undefined) return found;
        }
      },
    };
    const Request = class {
      constructor(url) {
        this.url = new URL(url, ORIGIN).href;
      }
    };
    const fetch = (request) => this.fetch(request);
    runInContext(worker, createContext({ self, caches, fetch, Request, Response, URL }));
  }

  async fetch({ url }) {
    if (!this.isOnline) throw new TypeError("no network");
    const { pathname } = new URL(url, ORIGIN);
    this.asked.push(pathname);
    return new Response(`${pathname} in ${this.language}`, {
      headers: { "Content-Language": this.language },
    });
  }

  /** Dispatch an event, and wait for all work that it starts. */
  async dispatch(type, event = {}) {
    const waits = [];
    let answer;
    this.listeners[type]?.({
      ...event,
      waitUntil: (wait) => waits.push(wait),
      respondWith: (given) => {
        answer = given;
      },
    });
    const given = await answer;
    await Promise.all(waits);
    return given;
  }

  async get(url, { mode = "no-cors", method = "GET" } = {}) {
    const request = { url: new URL(url, ORIGIN).href, method, mode };
    const answer = await this.dispatch("fetch", { request, preloadResponse: Promise.resolve(undefined) });
    return answer === undefined ? null : await answer.text();
  }

  get keptPaths() {
    return [...this.caches.values()].flatMap(({ kept }) => [...kept.keys()].map((url) => new URL(url).pathname));
  }
}

describe("the service worker", () => {
  /** @type {Browser} */
  let browser;
  beforeEach(async () => {
    browser = new Browser(source("service_worker"));
    await browser.dispatch("install");
    await browser.dispatch("activate");
    browser.asked = [];
  });

  it("asks for a file with a hash in its name once", async () => {
    assert.equal(await browser.get(BUNDLE), await browser.get(BUNDLE));
    assert.deepEqual(browser.asked, ["/static/js/bundle/main-ABCD1234.js"]);
  });

  it("leaves files that can change to the browser", async () => {
    for (const path of ["/static/js/main.js", "/static/img/tiles.svg", "/static/css/base.css"]) {
      assert.equal(await browser.get(path), null);
    }
  });

  it("keeps no page of any reader", async () => {
    const before = browser.keptPaths;
    for (const path of ["/", "/profile/", "/table/abc/", "/privacy/own-data/", "/game/abc/"]) {
      assert.equal(await browser.get(path, { mode: "navigate" }), `${path} in en`);
    }
    assert.deepEqual(browser.keptPaths, before);
    assert.deepEqual(before.sort(), ["/offline/", "/static/css/site/offline.css", "/static/css/tokens.css"]);
  });

  it("handles no form and no other site", async () => {
    assert.equal(await browser.get("/lobby/seek/", { method: "POST", mode: "navigate" }), null);
    assert.equal(await browser.get("https://other.example/", { mode: "navigate" }), null);
  });

  it("says that there is no network, in the language of the last page", async () => {
    browser.language = "fr";
    await browser.get("/", { mode: "navigate" });
    browser.isOnline = false;
    assert.equal(await browser.get("/lobby/", { mode: "navigate" }), "/offline/ in fr");
  });

  it("shows the page that notified its reader, and opens the notification's address", async () => {
    const page = `${ORIGIN}/learn/`;
    const shown = { navigate: async (address) => browser.shown.push(`went ${address}`) };
    const focus = async () => {
      browser.shown.push("focused");
      return shown;
    };
    const press = (address) =>
      browser.dispatch("notificationclick", { notification: { close: () => undefined, data: { page, address } } });
    await press("/table/abc/");
    await press("");
    browser.windows = [
      { url: `${ORIGIN}/`, focus: undefined },
      { url: page, focus },
    ];
    await press("/table/abc/");
    await press("");
    assert.deepEqual(browser.shown, ["opened /table/abc/", `opened ${page}`, "focused", "went /table/abc/", "focused"]);
  });

  it("keeps the fonts, whose names change with their contents", async () => {
    const font = "/static/fonts/figtree-latin-6ECE4587.woff2";
    await browser.get(font);
    await browser.get(font);
    assert.deepEqual(browser.asked, [font]);
    await browser.get("/static/fonts/other.woff2");
    assert.ok(!browser.keptPaths.includes("/static/fonts/other.woff2"));
  });

  it("keeps a bounded number of files", async () => {
    for (let number = 0; number < 100; number += 1) {
      await browser.get(`/static/js/bundle/part-${String(number).padStart(8, "0")}.js`);
    }
    assert.ok(browser.keptPaths.length <= 63, `${browser.keptPaths.length}`);
    assert.ok(browser.keptPaths.includes("/static/js/bundle/part-00000099.js"));
  });

  it("is removed with all that it has kept", async () => {
    await browser.get(BUNDLE);
    const { caches } = browser;
    const next = new Browser(source("service_worker_removal"));
    next.caches = caches;
    await next.dispatch("install");
    await next.dispatch("activate");
    assert.equal(caches.size, 0);
    assert.equal(next.isRegistered, false);
  });
});
