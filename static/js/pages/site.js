/**
 * The script of every page. Once the page has loaded, it registers the service worker and shows an
 * account how many friend requests and invitations it has. If `localStorage` says that the reader
 * waits for a game, it loads `waiting.js`, which asks the server whether that is still so.
 */
import { storedWait } from "./stored_wait.js";

const REQUESTS_EVERY_MS = 120_000;

/**
 * Show in the menu how many requests and invitations await the reader. The server notes meanwhile
 * that the reader is online.
 * @param {string} address
 */
async function showFriendRequests(address) {
  if (document.hidden) return;
  const answer = await fetch(address).catch(() => undefined);
  if (answer === undefined || !answer.ok) return;
  const { requests, invitations } = await answer.json();
  const badge = document.getElementById("friend-requests");
  if (badge === null) return;
  badge.textContent = String(requests + invitations);
  badge.hidden = requests + invitations === 0;
}

const script = document.getElementById("site-script");

/** Call it when the page has loaded, so that it delays nothing. */
const afterLoad = (/** @type {() => void} */ act) =>
  document.readyState === "complete" ? act() : addEventListener("load", act, { once: true });

if (script !== null) {
  const { worker = "", ws = "", friendRequests = "", ...words } = script.dataset;
  afterLoad(() => {
    if (friendRequests !== "") {
      void showFriendRequests(friendRequests);
      setInterval(() => void showFriendRequests(friendRequests), REQUESTS_EVERY_MS);
    }
    if (worker !== "") navigator.serviceWorker?.register(worker, { scope: "/" }).catch(() => undefined);
    // On pages where people wait, `lobby.js` follows the wait.
    if (storedWait() === "" || document.querySelector("#live-page[data-waits]") !== null) return;
    void import("./waiting.js").then(({ follow }) => follow(ws, words));
  });
}
