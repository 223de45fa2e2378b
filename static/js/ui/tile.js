/** One tile: a body that the style sheet shapes, and a face out of the sprite. */
import { HIDDEN, isRed } from "../table/tiles.js";

const SVG = "http://www.w3.org/2000/svg";
let spriteUrl = "";

/** Where the faces are; those that are shown already change with it. @param {string} url */
export function useSprite(url) {
  const before = `${spriteUrl}#`;
  spriteUrl = url;
  for (const use of document.querySelectorAll(".face use")) {
    const href = use.getAttribute("href") ?? "";
    if (href.startsWith(before)) use.setAttribute("href", `${url}#${href.slice(before.length)}`);
  }
}

/**
 * Faces as the table's `data-tiles` says, also when it changes.
 * @param {HTMLElement} root
 */
export function followSprite(root) {
  const choose = () => {
    const { tiles, sprite = "", spriteContrast = sprite, spriteFourColour = sprite } = root.dataset;
    const others = { contrast: spriteContrast, four_colour: spriteFourColour };
    useSprite(others[/** @type {keyof typeof others} */ (tiles)] ?? sprite);
  };
  choose();
  new MutationObserver(choose).observe(root, { attributeFilter: ["data-tiles"] });
}

/** @param {string} pai @returns {SVGSVGElement} */
export function face(pai) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", "face");
  svg.setAttribute("viewBox", "0 0 300 400");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `${spriteUrl}#t-${pai === HIDDEN ? "back" : pai}`);
  svg.append(use);
  return svg;
}

/**
 * @param {string} pai
 * @param {string} label what it is called; empty if something around it says so
 * @param {{turned?: boolean, tag?: "span" | "button"}} [how]
 * @returns {HTMLElement}
 */
export function tile(pai, label, { turned = false, tag = "span" } = {}) {
  const node = document.createElement(tag);
  node.className = "tile";
  node.classList.toggle("tile--turned", turned);
  node.classList.toggle("tile--back", pai === HIDDEN);
  node.classList.toggle("tile--red", isRed(pai));
  node.dataset.pai = pai;
  if (label !== "") {
    node.setAttribute("aria-label", label);
    if (tag === "span") node.setAttribute("role", "img");
  } else {
    node.setAttribute("aria-hidden", "true");
  }
  node.append(face(pai));
  return node;
}
