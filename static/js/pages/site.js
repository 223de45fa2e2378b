/**
 * The script of every page. Once the page has loaded, it registers the service worker and shows an
 * account how many friend requests and invitations it has. If `localStorage` says that the reader
 * waits for a game, it loads `waiting.js`, which asks the server whether that is still so. In forms
 * with `data-choosing-shows` a choice is sent at once, and keeps the focus on the next page.
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

const CHOSEN = "chosen-field";

/** @param {string} place of the field that the next page gives the focus to */
function storeChosen(place) {
  try {
    sessionStorage.setItem(CHOSEN, place);
  } catch {
    // Without a store the next page begins without the focus.
  }
}

/** @returns {string} what the page before has stored; empty the next time */
function takeChosen() {
  try {
    const place = sessionStorage.getItem(CHOSEN) ?? "";
    sessionStorage.removeItem(CHOSEN);
    return place;
  } catch {
    return "";
  }
}

document.addEventListener("change", ({ target }) => {
  if (!(target instanceof HTMLSelectElement || target instanceof HTMLInputElement)) return;
  if (!target.form?.hasAttribute("data-choosing-shows")) return;
  storeChosen(`${location.pathname} ${[...target.form.elements].indexOf(target)}`);
  target.form.requestSubmit();
});

const [page, field] = takeChosen().split(" ");
if (page === location.pathname) {
  const form = document.querySelector("form[data-choosing-shows]");
  const chosen = form instanceof HTMLFormElement ? form.elements[Number(field)] : null;
  if (chosen instanceof HTMLElement) chosen.focus();
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
    void import("./waiting.js").then(({ showWaiting }) => showWaiting(ws, words));
  });
}
