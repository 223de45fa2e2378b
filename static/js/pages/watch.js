/**
 * Keeps the list of live tables fresh: asks again while the page is being looked at, and
 * leaves it alone while something in it has the focus.
 */
const list = document.getElementById("tables");

async function refresh() {
  if (list === null || document.hidden || list.contains(document.activeElement)) return;
  const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const fresh = page.getElementById("tables");
  if (fresh !== null && fresh.innerHTML !== list.innerHTML) {
    list.replaceChildren(...fresh.childNodes);
  }
}

if (list !== null) {
  const seconds = Number(list.dataset.refreshS) || 10;
  setInterval(() => refresh().catch(() => undefined), seconds * 1000);
}
