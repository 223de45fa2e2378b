/**
 * The names of yaku as the reader wants them: in the page's language, in romaji, or in both, so that
 * a list never mixes them. Pure.
 *
 * @import { Words } from "./names.js"
 * @import { Values } from "../settings.js"
 */

/** Romaji by the id of events. @type {Readonly<Record<string, string>>} */
export const ROMAJI = Object.freeze({
  riichi: "Riichi",
  daburu: "Daburu riichi",
  ippatsu: "Ippatsu",
  tsumo: "Menzen tsumo",
  pinfu: "Pinfu",
  tanyao: "Tanyao",
  iipeikou: "Iipeikou",
  haku: "Yakuhai haku",
  hatsu: "Yakuhai hatsu",
  chun: "Yakuhai chun",
  seat_wind: "Yakuhai jikaze",
  round_wind: "Yakuhai bakaze",
  haitei: "Haitei raoyue",
  houtei: "Houtei raoyui",
  rinshan: "Rinshan kaihou",
  chankan: "Chankan",
  sanshoku: "Sanshoku doujun",
  ittsuu: "Ittsuu",
  chanta: "Chanta",
  chiitoi: "Chiitoitsu",
  doukou: "Sanshoku doukou",
  sanankou: "Sanankou",
  sankantsu: "Sankantsu",
  toitoi: "Toitoihou",
  shousangen: "Shousangen",
  honroutou: "Honroutou",
  ryanpeikou: "Ryanpeikou",
  junchan: "Junchan",
  honitsu: "Honitsu",
  chinitsu: "Chinitsu",
  dora: "Dora",
  ura: "Ura dora",
  aka: "Akadora",
  nukidora: "Nukidora",
  north: "Yakuhai pei",
  kokushi: "Kokushi musou",
  kokushi_13: "Kokushi juusanmen",
  chuuren: "Chuuren poutou",
  junsei_chuuren: "Junsei chuuren poutou",
  tenhou: "Tenhou",
  chiihou: "Chiihou",
  renhou: "Renhou",
  suuankou: "Suuankou",
  suuankou_tanki: "Suuankou tanki",
  daisangen: "Daisangen",
  shousuushi: "Shousuushii",
  daisuushi: "Daisuushii",
  tsuuiisou: "Tsuuiisou",
  chinroutou: "Chinroutou",
  ryuuiisou: "Ryuuiisou",
  suukantsu: "Suukantsu",
});

/**
 * @param {string} id
 * @param {Words["yaku"]} translated
 * @param {Values["yaku_names"]} wanted
 * @returns {{name: string, romaji: string}} `romaji` stands beside the name, and is empty if it
 *   says the same
 */
export function yakuName(id, translated, wanted) {
  const name = translated[id] ?? id;
  const romaji = ROMAJI[id] ?? "";
  if (wanted === "translated" || romaji === "") return { name, romaji: "" };
  if (wanted === "romaji") return { name: romaji, romaji: "" };
  return { name, romaji: name.toLowerCase() === romaji.toLowerCase() ? "" : romaji };
}
