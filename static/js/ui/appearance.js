/**
 * Puts the settings of appearance on the root of the table, where styles, tiles and motion read them.
 *
 * @typedef {Pick<import("../settings.js").Settings, "get" | "subscribe">} Settings
 */

import { styleSheet } from "./style_sheet.js";

/** The setting of the system, which the reader cannot overrule. */
const STILL = "(prefers-reduced-motion: reduce)";
const FORCED_COLOURS = matchMedia("(forced-colors: active)");
const FORCED_SHEET = new URL("../../css/table/forced_colours.css", import.meta.url);

/** @param {HTMLElement} root @param {Settings} settings */
export function followAppearance(root, settings) {
  const still = /** @type {HTMLLinkElement | null} */ (document.getElementById("reduced-motion"));
  const show = () => {
    root.dataset.tiles = settings.get("tiles");
    root.dataset.tileNumbers = settings.get("tile_numbers");
    root.dataset.motion = settings.get("motion");
    if (still !== null) still.media = settings.get("motion") === "off" ? "all" : STILL;
    root.toggleAttribute("data-dim-tsumogiri", settings.get("dim_tsumogiri"));
  };
  show();
  settings.subscribe(show);
  // A change while the page is open shows with the next page.
  if (FORCED_COLOURS.matches) styleSheet(FORCED_SHEET);
}
