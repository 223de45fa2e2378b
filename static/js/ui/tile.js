/**
 * One tile: a body and a face of the sprite. Sprites are put into the page, since browsers would
 * request faces of another file again for each tile.
 */
import { HIDDEN, isRed } from "../table/tiles.js";
import { setAttribute, svg } from "./dom.js";

const RETRY_MS = 2_000;
let spriteUrl = "";
/** The sprite of the numbers on tiles; empty while there are none. */
let numbersUrl = "";
/** @type {Set<string>} sprites in the page or being fetched */
const loaded = new Set();

/** Set the sprite of new tiles, and change the shown ones. @param {string} url */
export function useSprite(url) {
  changeSprite(document.body, url, spriteUrl);
  spriteUrl = url;
}

/** The name of a face in the page. @param {string} url @param {string} name */
const idOf = (url, name) => `${setOf(url)}-${name}`;

/** @param {string} url */
const setOf = (url) => (url.split("/").pop() ?? "").replace(/\W/g, "-");

/** Put the faces of a sprite into the page, once. @param {string} url */
async function loadSprite(url) {
  if (url === "" || loaded.has(url)) return;
  loaded.add(url);
  try {
    const answer = await fetch(url);
    if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
    const text = await answer.text();
    const sprite = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
    for (const symbol of sprite.querySelectorAll("symbol")) symbol.id = idOf(url, symbol.id);
    sprite.setAttribute("class", "sprite");
    sprite.setAttribute("aria-hidden", "true");
    document.body.append(document.adoptNode(sprite));
  } catch {
    loaded.delete(url);
    setTimeout(() => loadSprite(url), RETRY_MS);
  }
}

/**
 * Give the tiles in a node, or only those with the sprite `oldUrl`, the faces of another sprite.
 * @param {Element} node
 * @param {string} url
 * @param {string} [oldUrl]
 */
export function changeSprite(node, url, oldUrl) {
  loadSprite(url);
  for (const use of node.querySelectorAll(".face use")) {
    const [, set, name] = (use.getAttribute("href") ?? "").match(/^#(.*)-(t-.*)$/) ?? [];
    if (name === undefined) continue;
    if (oldUrl === undefined || set === setOf(oldUrl)) use.setAttribute("href", `#${idOf(url, name)}`);
  }
}

/** Where the faces of each set are, as the root of the page says. @param {HTMLElement} root */
export function sprites({ dataset: { sprite = "", spriteContrast = "", spriteFourColour = "" } }) {
  return { plain: sprite, contrast: spriteContrast || sprite, four_colour: spriteFourColour || sprite };
}

/**
 * Choose the set of tiles and their numbers by the table's data attributes, now and whenever these change.
 * @param {HTMLElement} root
 */
export function followSprite(root) {
  const choose = () => {
    const all = sprites(root);
    useSprite(all[/** @type {keyof typeof all} */ (root.dataset.tiles)] ?? all.plain);
    useNumbers(hasNumbers(root.dataset) ? (root.dataset.spriteNumbers ?? "") : "");
  };
  choose();
  new MutationObserver(choose).observe(root, {
    attributeFilter: ["data-tiles", "data-tile-numbers", "data-beginners"],
  });
}

/** @param {DOMStringMap} dataset of the table */
const hasNumbers = ({ tileNumbers, tiles, beginners }) =>
  tileNumbers === "always" || (tileNumbers === "some" && (tiles === "contrast" || beginners !== undefined));

/** Lay numbers over all tiles, or remove them. @param {string} url empty for none */
function useNumbers(url) {
  if (url === numbersUrl) return;
  numbersUrl = url;
  loadSprite(url);
  for (const node of document.querySelectorAll(".face")) setNumber(node);
}

/** Give a face its number if numbers are wanted. @param {Element} node */
function setNumber(node) {
  node.querySelector(".tile-number")?.remove();
  const [, sign] = (node.querySelector("use")?.getAttribute("href") ?? "").match(/-t-([1-9ESWN])/) ?? [];
  const isWanted = numbersUrl !== "" && sign !== undefined;
  node.classList.toggle("face--numbered", isWanted);
  if (!isWanted) return;
  node.append(svg("use", { class: "tile-number", href: `#${idOf(numbersUrl, `n-${sign}`)}` }));
}

/** @param {string} pai */
export function face(pai) {
  const href = `#${idOf(spriteUrl, `t-${pai === HIDDEN ? "back" : pai}`)}`;
  const node = svg("svg", { class: "face", viewBox: "0 0 300 400", "aria-hidden": "true" }, svg("use", { href }));
  if (numbersUrl !== "") setNumber(node);
  return node;
}

/**
 * @param {string} pai
 * @param {string} label its name; empty if an element around it has one
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
  node.append(face(pai));
  nameTile(node, label);
  return node;
}

/**
 * Name a tile for screen readers: a button by itself, any other by its face, so that it can be the
 * item of a list.
 * @param {HTMLElement} node
 * @param {string} label empty for a tile that is not read
 */
export function nameTile(node, label) {
  const picture = /** @type {Element} */ (node.querySelector(".face"));
  const named = node instanceof HTMLButtonElement ? node : picture;
  setAttribute(named, "aria-label", label || null);
  if (named !== picture) return;
  setAttribute(picture, "role", label === "" ? null : "img");
  setAttribute(picture, "aria-hidden", label === "" ? "true" : null);
}
