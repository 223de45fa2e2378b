"""Parts of the table page, and scripts that find parts which overlap, stick out or are covered."""

from __future__ import annotations

import json

GROUPS = {
    "centre": "mj-centre",
    "bottom river": ".side--bottom mj-river .tile",
    "right river": ".side--right mj-river .tile",
    "top river": ".side--top mj-river .tile",
    "left river": ".side--left mj-river .tile",
    "right rack": ".side--right .rack .tile",
    "top rack": ".side--top .rack .tile",
    "left rack": ".side--left .rack .tile",
    "own hand": ".own mj-hand .tile",
    "own melds": ".own mj-melds .tile",
    "automatics": ".auto",
    "corner": ".tool, .leave",
    "connection": ".status-trip, .status-watching, .status-dot",
    "dora": "mj-info",
    "asked": ".call, .prompt-hint, mj-clock, .furiten",
}

EVERY_HELP = json.dumps({f"hint_{name}": True for name in ("shanten", "score")})
"""Settings that show also the kinds of help that are off by default."""

OVERLAPS = """(groups) => {
  const boxes = Object.entries(groups).flatMap(([name, selector]) =>
    [...document.querySelectorAll(selector)].map((node) => [name, node.getBoundingClientRect()]));
  const found = new Set();
  for (const [one, a] of boxes) for (const [other, b] of boxes) {
    if (one >= other) continue;
    const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (across > 2 && down > 2) found.add(`${one} and ${other}`);
  }
  return [...found];
}"""

OUTSIDE = """(selector) => [...document.querySelectorAll(selector)].filter((node) => {
  const { left, right, top, bottom } = node.getBoundingClientRect();
  return left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1;
}).length"""

COVERED = """(selector) => [...document.querySelectorAll(selector)].filter((node) => {
  const { left, width, top, height } = node.getBoundingClientRect();
  const hit = document.elementFromPoint(left + width / 2, top + height / 2);
  return hit === null || !node.contains(hit);
}).length"""

CUT_CHOICES = """() => [...document.querySelectorAll("main select")].filter((select) => {
  const style = getComputedStyle(select);
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = style.font;
  const arrow = 20;
  const room = select.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
  return pen.measureText(select.selectedOptions[0].text).width > room - arrow;
}).map((select) => select.name)"""
"""The fields of which the chosen text is wider than the field."""

TEXT_OVERLAPS = """(within) => {
  const table = document.querySelector(within ?? ".table");
  const walker = document.createTreeWalker(table, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) {
    const { currentNode: node, currentNode: { parentElement: parent } } = walker;
    const isSeen = parent.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    if (!isSeen || parent.closest(".visually-hidden, dialog, .chat")) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const { left, right, top, bottom } of range.getClientRects()) {
      const box = { left, right, top, bottom };
      for (let part = parent; part !== table; part = part.parentElement) {
        if (getComputedStyle(part).overflow === "visible") continue;
        const cut = part.getBoundingClientRect();
        for (const side of ["left", "top"]) box[side] = Math.max(box[side], cut[side]);
        for (const side of ["right", "bottom"]) box[side] = Math.min(box[side], cut[side]);
      }
      texts.push([node, box]);
    }
  }
  // The letters fill less than the height of their line.
  const air = (box) => 0.15 * Math.min(box.right - box.left, box.bottom - box.top);
  return texts.flatMap(([one, a], at) => texts.slice(at + 1).flatMap(([other, b]) => {
    const room = air(a) + air(b);
    const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    return one !== other && across > room && down > room ? [`${one.data} and ${other.data}`] : [];
  }));
}"""
"""Pairs of texts that lie over each other."""

OUT_OF_REACH = """(selector) => {
  const lost = [];
  for (const node of document.querySelectorAll(selector)) {
    if (!node.checkVisibility()) continue;
    node.scrollIntoView({ block: "center", behavior: "instant" });
    const { left, width, top, height } = node.getBoundingClientRect();
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    if (hit === null || !node.contains(hit)) lost.push(node.className);
  }
  scrollTo(0, 0);
  return lost;
}"""
"""Controls that are covered or cannot be scrolled to."""
