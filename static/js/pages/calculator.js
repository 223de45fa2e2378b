/**
 * The calculator: tiles that are clicked are written into its fields, and the hand is drawn as it is
 * typed. Without this script people type.
 */
import { withoutLast, withTile } from "./typed_tiles.js";

/** @param {HTMLElement} keys */
function startKeys(keys) {
  const drawing = keys.querySelector(".typed");
  const hand = document.getElementById(keys.dataset.field ?? "");
  if (!(hand instanceof HTMLInputElement) || drawing === null) return;

  const chosen = () => /** @type {HTMLInputElement} */ (keys.querySelector("input:checked"));
  const written = () => {
    const other = document.getElementById(chosen().dataset.field ?? "");
    return other instanceof HTMLInputElement ? other : hand;
  };
  const draw = () => drawing.replaceChildren(...pictures(hand.value));
  /** @param {string} tile @returns {Node[]} the picture on its key */
  const picture = (tile) => {
    const found = keys.querySelector(`[data-tile="${tile}"] .tile-row`);
    return found === null ? [] : [found.cloneNode(true)];
  };
  /** @param {string} text @returns {Node[]} */
  const pictures = (text) =>
    text
      .split(/\s+/)
      .flatMap((group, place) => [
        ...(place > 0 ? [document.createTextNode(" ")] : []),
        ...[...group.matchAll(/(\d+)([mpsz])/g)].flatMap(([, ranks, suit]) =>
          [...ranks].flatMap((rank) => picture(rank + suit)),
        ),
      ]);

  keys.addEventListener("click", ({ target }) => {
    const button = target instanceof Element ? target.closest("button") : null;
    if (button === null) return;
    const field = written();
    const { tile, does } = button.dataset;
    const sign = field === hand ? chosen().value : "";
    if (tile) field.value = withTile(field.value, tile, sign);
    if (does === "back") field.value = withoutLast(field.value, sign);
    if (does === "clear") field.value = "";
    draw();
  });
  hand.addEventListener("input", draw);
  keys.hidden = false;
  draw();
}

const keys = document.querySelector(".tile-keys");
if (keys instanceof HTMLElement) startKeys(keys);
