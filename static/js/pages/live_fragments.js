/**
 * Replaces the fragments of a page that have changed. While a pointer or the space bar is down, the
 * page stays as it is: the browser sends a click only if press and release meet the same element.
 */

/** @param {string} html @returns {DocumentFragment} */
function parseHtml(html) {
  const page = new DOMParser().parseFromString(html, "text/html");
  const fragment = document.createDocumentFragment();
  fragment.append(...page.body.childNodes);
  return fragment;
}

/** Return the selector that finds a link or button again. @param {Element | null} node */
function selectorOf(node) {
  if (node instanceof HTMLAnchorElement) return `a[href="${node.getAttribute("href")}"]`;
  if (node instanceof HTMLButtonElement) return `button[value="${node.value}"]`;
  return "";
}

/**
 * Give the node the children of the fresh one. Equal children stay, also in lists, so that screen
 * readers read only what is new.
 *
 * @param {Node} node @param {Node} fresh
 */
function takeChildren(node, fresh) {
  let next = node.firstChild;
  for (const child of [...fresh.childNodes]) {
    let same = next;
    while (same !== null && !same.isEqualNode(child)) same = same.nextSibling;
    if (same !== null) {
      while (next !== same) next = removeNode(/** @type {ChildNode} */ (next));
      next = same.nextSibling;
    } else if (isList(next) && next.nodeName === child.nodeName) {
      takeChildren(next, child);
      next = next.nextSibling;
    } else node.insertBefore(child, next);
  }
  while (next !== null) next = removeNode(next);
}

/** @param {Node | null} node @returns {node is HTMLUListElement | HTMLOListElement} */
const isList = (node) => node instanceof HTMLUListElement || node instanceof HTMLOListElement;

/** Remove the node. Return the one that followed it. @param {ChildNode} node */
function removeNode(node) {
  const following = node.nextSibling;
  node.remove();
  return following;
}

/** Replace a fragment and keep the focus. @param {Element} fragment @param {string} html */
function replaceFragment(fragment, html) {
  const fresh = document.createElement("div");
  fresh.append(parseHtml(html));
  if (fresh.innerHTML.trim() === fragment.innerHTML.trim()) return;
  const focused = fragment.contains(document.activeElement) ? selectorOf(document.activeElement) : "";
  takeChildren(fragment, fresh);
  if (focused === "" || fragment.contains(document.activeElement)) return;
  const target = fragment.querySelector(focused);
  if (target instanceof HTMLElement) target.focus();
}

export class LiveFragments {
  /** @param {HTMLElement} root @param {() => void} onShown Is called after fragments were replaced. */
  constructor(root, onShown) {
    this.root = root;
    this.onShown = onShown;
    this.isPressed = false;
    /** The latest text of each fragment that is not shown yet. @type {Map<string, string>} */
    this.waiting = new Map();
    root.addEventListener("pointerdown", ({ button }) => button === 0 && this.press());
    root.addEventListener("keydown", ({ key }) => key === " " && this.press());
    for (const end of ["pointerup", "pointercancel", "keyup", "blur"]) {
      window.addEventListener(end, () => this.release());
    }
  }

  /** Take the text of each fragment that has changed. @param {Record<string, string>} texts */
  receive(texts) {
    for (const [name, html] of Object.entries(texts)) this.waiting.set(name, html);
    if (!this.isPressed) this.show();
  }

  press() {
    this.isPressed = true;
  }

  /** Show what came during the press, after the click that the release causes. */
  release() {
    if (!this.isPressed) return;
    this.isPressed = false;
    setTimeout(() => {
      if (!this.isPressed && this.waiting.size > 0) this.show();
    });
  }

  /** Replace the fragments of which a text waits. */
  show() {
    for (const fragment of this.root.querySelectorAll("[data-fragment]")) {
      const html = this.waiting.get(fragment.getAttribute("data-fragment") ?? "");
      if (html !== undefined) replaceFragment(fragment, html);
    }
    this.waiting.clear();
    this.onShown();
  }
}
