/**
 * The sheets of settings and keys on the page of a replay. Loaded when one of them is first opened.
 *
 * @import { Words } from "../table/names.js"
 */
import { settings } from "../settings.js";
import { el } from "../ui/dom.js";
import { SPECTATOR_GROUPS } from "../table/keys.js";
import { keyList, keySections } from "../ui/help_sheet.js";
import { languageChoice } from "../ui/languages.js";
import { SOUND_KEYS, preferences } from "../ui/preferences.js";
import { Sheet } from "../ui/sheet.js";
import { isTouch } from "../ui/touch.js";
import { COMMANDS, signOf } from "./bar.js";

/** The settings that change something here. @type {import("../ui/preferences.js").Part[]} */
const PARTS = [
  {
    title: "table",
    keys: ["tiles", "tile_numbers", "dim_tsumogiri", "same_tiles", "yaku_names", "motion", "letter_keys"],
  },
  { title: "sound", keys: SOUND_KEYS.filter((key) => key !== "volume_alerts" && key !== "volume_chat") },
];

/**
 * @param {HTMLElement} root
 * @param {Words} say
 */
export function sheetsOf(root, say) {
  return {
    settings: new Sheet(root, say, say.settingsTitle, () => [
      ...preferences(settings, say, PARTS),
      ...languageChoice(say),
    ]),
    help: new Sheet(root, say, isTouch() ? say.touchHelpTitle : say.helpTitle, () => keys(root, say)),
  };
}

/** @param {HTMLElement} root @param {Words} say */
function keys(root, say) {
  const { commands, keys: names, pointers, touches } = say.replay;
  if (isTouch()) {
    const shown = COMMANDS.filter((command) => command !== "help" && root.querySelector(`[data-command="${command}"]`));
    const lines = shown.map((command) =>
      el("div", "keys-line", el("dt", "", signOf(command)), el("dd", "", commands[command])),
    );
    return [el("p", "sheet-note", touches), el("dl", "keys keys--signs", ...lines)];
  }
  const steps = Object.entries(names).map(([command, name]) => ({ keys: [name], text: commands[command] }));
  const sheets = [
    { keys: [","], text: say.keys.settings },
    { keys: ["?"], text: say.keys.help },
  ];
  return [
    el("p", "sheet-note", pointers),
    el("section", "sheet-part", el("h3", "", say.replay.controls), keyList(steps)),
    ...keySections(
      SPECTATOR_GROUPS.filter(({ title }) => title === "reading"),
      say,
    ),
    el("section", "sheet-part", el("h3", "", say.keyGroups.sheets), keyList(sheets)),
  ];
}
