/** Makes elements, and changes them only if something differs. */

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {string} className
 * @param {...(Node | string | null)} children null is left out
 * @returns {HTMLElementTagNameMap[K]}
 */
export function el(tag, className, ...children) {
  const node = document.createElement(tag);
  if (className !== "") node.className = className;
  node.append(...children.filter((child) => child !== null));
  return node;
}

/**
 * A button that runs a script; it sends no form.
 * @param {string} className
 * @param {() => void} press
 * @param {...(Node | string)} children
 */
export function button(className, press, ...children) {
  const node = el("button", className, ...children);
  node.type = "button";
  node.addEventListener("click", press);
  return node;
}

/** @param {string} className @param {string} href @param {string} text */
export function link(className, href, text) {
  const node = el("a", className, text);
  node.href = href;
  return node;
}

/**
 * Set text only if it differs, since browsers also compute a new layout for the same text.
 * @param {Node} node
 * @param {string} text
 */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** @param {HTMLElement} node @param {boolean} isHidden */
export function hide(node, isHidden) {
  if (node.hidden !== isHidden) node.hidden = isHidden;
}

/**
 * The element that a key goes to; the page, if that element is in a sheet that was just
 * closed, since that keeps the focus until the next frame.
 *
 * @param {KeyboardEvent} event
 */
export function keyTarget({ target }) {
  const isGone = !(target instanceof Element) || target.closest("dialog:not([open])") !== null;
  return isGone ? document.body : target;
}

/**
 * Set or remove an attribute only if it differs.
 * @param {Element} node
 * @param {string} name
 * @param {string | null} value null to remove it
 */
export function setAttribute(node, name, value) {
  if (node.getAttribute(name) === value) return;
  if (value === null) node.removeAttribute(name);
  else node.setAttribute(name, value);
}

/**
 * Whether two plain objects hold the same.
 * @param {Record<string, any> | undefined} before
 * @param {Record<string, any>} after
 */
export const isSame = (before, after) =>
  before !== undefined && Object.keys(after).every((key) => before[key] === after[key]);

/** The key and item of each node of a list. @type {WeakMap<Element, {key: string, item: any}>} */
const drawnItems = new WeakMap();

/**
 * Make one child of `parent` for each item. Nodes with the same key are kept, and with them the
 * focus; a node is patched if its item has changed, so an item has to hold all that is drawn.
 *
 * @template {object} T
 * @param {Element} parent
 * @param {readonly T[]} items
 * @param {(item: T) => string} keyOf
 * @param {(item: T) => HTMLElement} make
 * @param {(node: HTMLElement, item: T) => void} [patch]
 */
export function reconcile(parent, items, keyOf, make, patch) {
  const keys = new Set(items.map(keyOf));
  /** @type {Map<string, HTMLElement>} */
  const kept = new Map();
  for (const node of [...parent.children]) {
    const key = drawnItems.get(node)?.key ?? "";
    if (keys.has(key)) kept.set(key, /** @type {HTMLElement} */ (node));
    else node.remove();
  }
  let before = parent.firstElementChild;
  for (const item of items) {
    const key = keyOf(item);
    let node = kept.get(key);
    if (node === undefined) {
      node = make(item);
      node.dataset.key = key;
    }
    if (!isSame(drawnItems.get(node)?.item, item)) patch?.(node, item);
    drawnItems.set(node, { key, item });
    if (node === before) before = before.nextElementSibling;
    else parent.insertBefore(node, before);
  }
}

/**
 * Make an element of an SVG image.
 *
 * @param {string} tag
 * @param {Record<string, string | number>} attributes
 * @param {...(Node | string)} children
 */
export function svg(tag, attributes, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, `${value}`);
  node.append(...children);
  return node;
}
