/**
 * Puts the settings of appearance on the root of the table, where styles, tiles and motion read them.
 *
 * @typedef {Pick<import("../settings.js").Settings, "get" | "subscribe">} Settings
 */

/** The setting of the system, which the reader cannot overrule. */
const STILL = "(prefers-reduced-motion: reduce)";

/** @param {HTMLElement} root @param {Settings} settings */
export function followAppearance(root, settings) {
  const still = /** @type {HTMLLinkElement | null} */ (document.getElementById("reduced-motion"));
  const show = () => {
    root.dataset.tiles = settings.get("tiles");
    root.dataset.motion = settings.get("motion");
    if (still !== null) still.media = settings.get("motion") === "off" ? "all" : STILL;
    root.toggleAttribute("data-dim-tsumogiri", settings.get("dim_tsumogiri"));
  };
  show();
  settings.subscribe(show);
}
