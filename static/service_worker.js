/**
 * The service worker of the site. It caches files whose names change with their content, and one page
 * that says that there is no network. It caches no other page, so nothing personal stays in the
 * browser, and no file whose content could change under the same name.
 *
 * The site serves it at /sw.js (`mahjong_site/installable.py`), or `service_worker_removal.js` there.
 */
const FILES = "files-1";
const OFFLINE = "offline-3";
const PAGE = "/offline/";
const STYLES = ["/static/css/tokens.css", "/static/css/site/offline.css"];
/** Bundles, as `tools/bundle.py` names them, and fonts, as `tools/subset_fonts.py` does. */
const HASHED = /^\/static\/(?:(?:css|js)\/bundle|fonts)\/[^/]+-[A-Z0-9]{8}\.(?:css|js|woff2)$/;
/** Above this number the oldest files are removed. */
const MOST_FILES = 60;

self.addEventListener("install", (event) => {
  self.skipWaiting();
  event.waitUntil(keepPage());
});

self.addEventListener("activate", (event) => {
  event.waitUntil(begin());
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname, search } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin) return;
  if (request.mode === "navigate") event.respondWith(page(event));
  else if (STYLES.includes(pathname)) event.respondWith(style(request));
  else if (search === "" && HASHED.test(pathname)) event.respondWith(file(event));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data));
});

/** Show the page that sent the notification, or the address that it names. */
async function open({ page, address }) {
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const found = windows.find(({ url }) => url === page);
  if (found === undefined) return self.clients.openWindow(address || page);
  const shown = await found.focus();
  return address === "" ? shown : shown.navigate(address);
}

/** Keep what is shown without a network. It is the same for everybody who reads that language. */
async function keepPage() {
  const cache = await caches.open(OFFLINE);
  await cache.addAll([PAGE, ...STYLES].map((address) => new Request(address, { cache: "reload" })));
}

async function begin() {
  const old = (await caches.keys()).filter((name) => name !== FILES && name !== OFFLINE);
  await Promise.all(old.map((name) => caches.delete(name)));
  await self.registration.navigationPreload?.enable();
  await self.clients.claim();
}

/** A page always comes from the site. */
async function page(event) {
  try {
    const answer = (await event.preloadResponse) ?? (await fetch(event.request));
    event.waitUntil(followLanguage(answer.headers.get("Content-Language")));
    return answer;
  } catch {
    return (await caches.match(PAGE)) ?? Response.error();
  }
}

/** Keep the page in the language that the reader has chosen since. */
async function followLanguage(language) {
  const kept = await caches.match(PAGE);
  if (language === null || kept?.headers.get("Content-Language") === language) return;
  try {
    await keepPage();
  } catch {
    // The network was lost: the page stays in the earlier language.
  }
}

async function style(request) {
  try {
    return await fetch(request);
  } catch {
    return (await caches.match(request)) ?? Response.error();
  }
}

/** A file with a hash in its name is always the same. */
async function file(event) {
  const cache = await caches.open(FILES);
  const kept = await cache.match(event.request);
  if (kept !== undefined) return kept;
  const answer = await fetch(event.request);
  if (answer.status === 200) event.waitUntil(keepFile(cache, event.request, answer.clone()));
  return answer;
}

async function keepFile(cache, request, answer) {
  try {
    await cache.put(request, answer);
    const kept = await cache.keys(); // the oldest first
    await Promise.all(kept.slice(0, -MOST_FILES).map((one) => cache.delete(one)));
  } catch {
    // The browser has no room. The file is fetched again next time.
  }
}
