/**
 * The live part of the first page: a table that is being played, and who is here. It is loaded after
 * the page, and every five seconds while the page is seen. All visitors share it.
 */
import { useSprite } from "../ui/tile.js";
import { styleSheet } from "../ui/style_sheet.js";
import { drawBoards } from "./live_boards.js";
import { LiveFragments } from "./live_fragments.js";

const EVERY_MS = 5000;

/** @param {HTMLElement} root with the addresses of the part, its style sheet and the tiles */
function keepUpToDate(root) {
  const { from = "", sheet = "", sprite = "" } = root.dataset;
  const fragments = new LiveFragments(root, () => drawBoards(root));
  const load = async () => {
    if (document.hidden) return;
    const answer = await fetch(from).catch(() => undefined);
    if (answer?.ok) fragments.receive({ live: await answer.text() });
  };
  useSprite(sprite);
  void styleSheet(new URL(sheet, location.href)).then(load);
  setInterval(() => void load(), EVERY_MS);
  document.addEventListener("visibilitychange", () => void load());
}

const root = document.getElementById("front-live");
if (root !== null) {
  if (document.readyState === "complete") keepUpToDate(root);
  else addEventListener("load", () => keepUpToDate(root), { once: true });
}
