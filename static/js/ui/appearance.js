/**
 * How the table looks, as the reader has set it: marks on its root that the style sheets,
 * the faces of the tiles and the motions follow.
 *
 * @typedef {Pick<import("../settings.js").Settings, "get" | "subscribe">} Settings
 */

/** When nothing moves, whatever is set. */
const STILL = "(prefers-reduced-motion: reduce)";

/** @param {HTMLElement} root @param {Settings} settings */
export function followAppearance(root, settings) {
  const still = /** @type {HTMLLinkElement | null} */ (document.getElementById("still"));
  const show = () => {
    root.dataset.tiles = settings.get("tiles");
    root.dataset.motion = settings.get("motion");
    if (still !== null) still.media = settings.get("motion") === "off" ? "all" : STILL;
    root.toggleAttribute("data-dim-tsumogiri", settings.get("dim_tsumogiri"));
  };
  show();
  settings.subscribe(show);
}
