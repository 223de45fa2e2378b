/**
 * What every page does once it has loaded: registers the service worker, shows an account what its
 * friends ask, and follows the reader's
 * search for a game if the reader is waiting for one. The mark of that is in the browser's store. It
 * may be old: the server knows.
 */
const STORED_AS = "waiting";

/** @returns {string} `queue`, or `gathering` at a table before the game; empty for no wait */
export function waitingFor() {
  try {
    return localStorage.getItem(STORED_AS) ?? "";
  } catch {
    return "";
  }
}

/** @param {string} place as the server names it; others than the two end the wait */
export function markWaiting(place) {
  try {
    if (place === "queue" || place === "gathering") localStorage.setItem(STORED_AS, place);
    else localStorage.removeItem(STORED_AS);
  } catch {
    // Without a store only pages of the lobby tell.
  }
}

const NEWS_EVERY_MS = 120_000;

/**
 * Show in the menu how many requests and invitations await the reader. The server notes meanwhile
 * that the reader is online.
 * @param {string} address
 */
async function showNews(address) {
  if (document.hidden) return;
  const answer = await fetch(address).catch(() => undefined);
  if (answer === undefined || !answer.ok) return;
  const { requests, invitations } = await answer.json();
  const badge = document.getElementById("friend-news");
  if (badge === null) return;
  badge.textContent = String(requests + invitations);
  badge.hidden = requests + invitations === 0;
}

const script = document.getElementById("site-script");

/** Let the page finish first. */
const later = (/** @type {() => void} */ act) =>
  document.readyState === "complete" ? act() : addEventListener("load", act, { once: true });

if (script !== null) {
  const { worker = "", ws = "", news = "", ...words } = script.dataset;
  later(() => {
    if (news !== "") {
      void showNews(news);
      setInterval(() => void showNews(news), NEWS_EVERY_MS);
    }
    if (worker !== "") navigator.serviceWorker?.register(worker, { scope: "/" }).catch(() => undefined);
    // Where one waits, `lobby.js` does it.
    if (waitingFor() === "" || document.querySelector("#live-page[data-waits]") !== null) return;
    void import("./waiting.js").then(({ follow }) => follow(ws, words));
  });
}
