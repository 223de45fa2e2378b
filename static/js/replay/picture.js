/**
 * Draws the board as a separate SVG file, with the faces of the sprite in the page.
 *
 * @import { Words } from "../table/names.js"
 * @import { View } from "../table/types.js"
 * @typedef {{pai: string, x: number, y: number, turned?: boolean, dim?: boolean}} Laid
 */
import { display } from "../table/display.js";
import { TURNS } from "../motion/geometry.js";
import { HIDDEN } from "../table/tiles.js";

const SIZE = 1000;
const MIDDLE = SIZE / 2;
const WIDTH = 42;
const HEIGHT = 56;
const HAND = 44;
const HAND_HEIGHT = (HAND * 4) / 3;
const CENTRE = 150;

/** @param {string} text */
const escaped = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** @param {string} pai */
const nameOf = (pai) => (pai === HIDDEN ? "back" : pai);

/**
 * A tile, placed by its upper left corner.
 * @param {Laid} tile
 * @param {number} width
 */
function tileText({ pai, x, y, turned = false, dim = false }, width) {
  const height = (width * 4) / 3;
  const place = turned ? `translate(${x} ${y + width}) rotate(-90)` : `translate(${x} ${y})`;
  const colour = pai === HIDDEN ? "#c6841f" : "#f7f2e3";
  const body = `<rect width="${width}" height="${height}" rx="4" fill="${colour}" stroke="#a68f5a"/>`;
  const face = `<use href="#${nameOf(pai)}" width="${width}" height="${height}"/>`;
  return `<g transform="${place}"${dim ? ' opacity="0.35"' : ""}>${body}${face}</g>`;
}

/**
 * A seat as if it sat at the bottom.
 * @param {ReturnType<typeof display>["seats"][number]} seat
 */
function seatText({ river, tiles, drawn, melds, norths }) {
  let text = "";
  for (const [row, cells] of river.entries()) {
    let x = MIDDLE - 3 * WIDTH;
    const y = MIDDLE + CENTRE + 8 + row * (HEIGHT + 3);
    for (const { pai, turned, taken } of cells) {
      const drop = turned ? HEIGHT - WIDTH : 0;
      text += tileText({ pai, x, y: y + drop, turned, dim: taken }, WIDTH);
      x += turned ? HEIGHT : WIDTH;
    }
  }
  const bottom = SIZE - HAND_HEIGHT - 8;
  let x = 110;
  for (const pai of tiles) {
    text += tileText({ pai, x, y: bottom }, HAND);
    x += HAND;
  }
  if (drawn !== null) text += tileText({ pai: drawn, x: x + 10, y: bottom }, HAND);
  let right = SIZE - 90;
  const width = WIDTH * 0.85;
  const height = (width * 4) / 3;
  for (let north = 0; north < norths; north += 1) {
    right -= width;
    text += tileText({ pai: "N", x: right, y: SIZE - 8 - height }, width);
  }
  for (const meld of melds) {
    for (const { pai, turned, added } of [...meld.tiles].reverse()) {
      right -= turned ? height : width;
      const y = SIZE - 8 - (turned ? width : height);
      text += tileText({ pai, x: right, y, turned }, width);
      if (added) text += tileText({ pai: added, x: right, y: y - width, turned: true }, width);
    }
    right -= 8;
  }
  return text;
}

/**
 * @param {View} view as it is shown
 * @param {number} bottom the seat at the bottom
 * @param {Words} say
 * @returns {string} an SVG file
 */
export function picture(view, bottom, say) {
  const model = display(view, bottom);
  let text = "";
  for (const seat of model.seats) {
    const name = `${say.windLetters[seat.wind]} ${seat.name}  ${say.points(seat.score)}`;
    const stick =
      seat.riichi === "accepted" ? `<rect x="430" y="608" width="140" height="7" rx="3" fill="#fffdf5"/>` : "";
    text += `<g transform="rotate(${TURNS[seat.place]} ${MIDDLE} ${MIDDLE})">${seatText(seat)}${stick}
<text x="${MIDDLE}" y="${MIDDLE + CENTRE - 48}" font-size="21" text-anchor="middle">${escaped(name)}</text></g>`;
  }
  const shown = model.dora.map((pai, at) => tileText({ pai: pai ?? HIDDEN, x: 425 + at * 30, y: 505 }, 29));
  const round = say.handName(model.wind, model.kyoku, model.honba);
  text += `<text x="${MIDDLE}" y="470" font-size="34" text-anchor="middle">${escaped(round)}</text>
<text x="${MIDDLE}" y="496" font-size="18" text-anchor="middle">${escaped(say.left(model.left))}</text>`;
  text += shown.join("");
  const box = `viewBox="0 0 ${SIZE} ${SIZE}" width="${SIZE}" height="${SIZE}"`;
  const corner = MIDDLE - CENTRE;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${box} font-family="sans-serif" fill="#f4f1e6">
<defs>${symbols(text)}</defs><rect width="${SIZE}" height="${SIZE}" fill="#1f664d"/>
<rect x="${corner}" y="${corner}" width="${2 * CENTRE}" height="${2 * CENTRE}" rx="12" fill="#10241f"/>
${text}</svg>`;
}

/** The faces that a picture uses, from the sprite in the page. @param {string} text */
function symbols(text) {
  const used = new Set([...text.matchAll(/href="#([^"]+)"/g)].map(([, name]) => name));
  const found = [...document.querySelectorAll(".sprite symbol")];
  return [...used]
    .map((name) => {
      const symbol = found.find(({ id }) => id.endsWith(`-t-${name}`));
      if (symbol === undefined) return "";
      return `<symbol id="${name}" viewBox="0 0 300 400">${symbol.innerHTML}</symbol>`;
    })
    .join("");
}
