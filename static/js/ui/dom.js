/** Making and keeping elements. */

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
 * Text that is there already is left alone: new text has to be laid out anew, even if it is
 * the same.
 * @param {Node} node
 * @param {string} text
 */
export function write(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** @param {HTMLElement} node @param {boolean} isHidden */
export function hide(node, isHidden) {
  if (node.hidden !== isHidden) node.hidden = isHidden;
}

/**
 * Make the children of `parent` those of `items`, keeping the nodes whose key is still
 * there, so that focus stays and only what is new moves in.
 *
 * @template T
 * @param {Element} parent
 * @param {readonly T[]} items
 * @param {(item: T) => string} keyOf
 * @param {(item: T) => HTMLElement} make
 * @param {(node: HTMLElement, item: T) => void} [patch]
 */
export function reconcile(parent, items, keyOf, make, patch) {
  const kept = new Map(
    [...parent.children].map((node) => [/** @type {HTMLElement} */ (node).dataset.key, node]),
  );
  let before = parent.firstElementChild;
  for (const item of items) {
    const key = keyOf(item);
    let node = /** @type {HTMLElement | undefined} */ (kept.get(key));
    if (node === undefined) {
      node = make(item);
      node.dataset.key = key;
    }
    kept.delete(key);
    patch?.(node, item);
    if (node === before) before = before.nextElementSibling;
    else parent.insertBefore(node, before);
  }
  for (const node of kept.values()) node.remove();
}
