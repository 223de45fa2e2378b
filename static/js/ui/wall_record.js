/**
 * The wall of a finished game: reads its record, says whether it fits, and shows the figures and
 * the programs with which players check it alone.
 *
 * @import { Words } from "../table/names.js"
 * @import { Finding, Problem, Proof } from "../wall/verify.js"
 * @typedef {import("../wall/receipts.js").KeptTable} KeptTable
 */
import { keptProblems, tookPart, verify } from "../wall/verify.js";
import { el, link } from "./dom.js";

/** How long to wait before each next try: a game is archived some seconds after its end. */
const TRIES_MS = [0, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000];
/** The status of a game without a record, such as one that ended before its first hand was over. */
const NO_RECORD = 409;
const PROGRAMS = ["check_seed.py", "check_seed.mjs", "check_wall.py", "check_wall.mjs"];

/**
 * Read a record and check it.
 * @param {string} url the record in mjai
 * @param {readonly number[]} [triesMs]
 * @returns {Promise<Finding | null>} null if it cannot be read
 */
export async function checkedRecord(url, triesMs = TRIES_MS) {
  const archived = new URL("../archived/", new URL(url, document.baseURI));
  for (const ms of triesMs) {
    await new Promise((resolve) => setTimeout(resolve, ms));
    if (!(await isArchived(archived))) continue;
    const answer = await fetch(url, { cache: "no-store" }).catch(() => null);
    if (answer?.ok) return verify(await answer.text());
    if (answer?.status === NO_RECORD)
      return { proof: null, seed: "", problems: [], pages: [], hands: 0, isOver: false, isMissing: true };
  }
  return null;
}

/** Whether the game is archived; asking for its record before that would be an error. @param {URL} archived */
async function isArchived(archived) {
  const answer = await fetch(archived, { cache: "no-store" }).catch(() => null);
  return answer?.ok === true && (await answer.json()).archived === true;
}

/**
 * The verdict on a finished game.
 * @param {Finding | null} finding null if the record cannot be read
 * @param {KeptTable | null} kept what this browser keeps of the table
 * @param {readonly string[]} names by seat
 * @param {Words} say
 * @returns {{kind: "fits" | "none" | "wrong" | "unknown", text: string, problems: string[]}}
 */
export function verdict(finding, kept, names, { wall: say }) {
  if (finding === null) return { kind: "unknown", text: say.unavailable, problems: [] };
  const { proof, pages } = finding;
  if (finding.isMissing) return { kind: "unknown", text: say.noRecord, problems: [] };
  if (proof === null && finding.problems.length === 0) {
    const wasFixed = Object.values(kept?.draws ?? {}).some(({ fixed }) => fixed === true);
    if (wasFixed) return { kind: "wrong", text: say.noProof, problems: [say.lost] };
    return { kind: "none", text: say.noProof, problems: [] };
  }
  const own = proof === null || kept === null ? [] : keptProblems(proof, kept);
  const problems = [...finding.problems, ...own].map((problem) => say.problem(problem, names));
  if (problems.length > 0) return { kind: "wrong", text: say.wrong, problems };
  const isOwn = proof !== null && tookPart(proof, kept);
  const who = isOwn ? [say.fits] : [say.fitsOthers(pages.length), say.notKept];
  const extent = (finding.isOver ? say.untilEnd : say.withoutEnd)(finding.hands);
  const signed = say.signatures[finding.signature ?? "none"] ?? "";
  return { kind: "fits", text: [...who, extent, signed].filter(Boolean).join(" "), problems: [] };
}

/** The verdict as an element. @param {ReturnType<typeof verdict>} found */
export function verdictNode({ kind, text, problems }) {
  const node = el("div", `wall-verdict wall-verdict--${kind}`, el("p", "", text));
  if (problems.length > 0) node.append(el("ul", "", ...problems.map((problem) => el("li", "", problem))));
  return node;
}

/**
 * A button that opens the figures and the programs.
 * @param {Finding} finding
 * @param {string} record
 * @param {readonly string[]} names by seat
 * @param {Words} say
 */
export function figures({ proof, seed }, record, names, say) {
  const body = el("div", "wall-figures");
  const node = el("details", "wall-check", el("summary", "button button--quiet quiet", say.wall.check), body);
  let isFilled = false;
  node.addEventListener("toggle", () => {
    if (isFilled || proof === null) return;
    isFilled = true;
    body.append(...figureList(proof, seed, names, say), ...programs(record, say));
  });
  return node;
}

/** @param {Proof} proof @param {string} seed @param {readonly string[]} names @param {Words} say */
function figureList({ table, seats, draws }, seed, names, { wall: say }) {
  const lines = draws.flatMap(({ commitments, secret, binding, contributions, key = "", signature = "" }, at) => {
    const isVoid = commitments.some((commitment, seat) => commitment !== "" && contributions[seat] === "");
    return [
      el("h4", "", say.drawNumber(at + 1, isVoid)),
      el(
        "dl",
        "wall-values",
        ...commitments.flatMap((commitment, seat) =>
          commitment === "" ? [] : valueRow(say.commitment(names[seat]), commitment),
        ),
        ...valueRow(say.binding, binding),
        ...(signature === "" ? [] : [...valueRow(say.key, key), ...valueRow(say.signature, signature)]),
        ...contributions.flatMap((bytes, seat) => (bytes === "" ? [] : valueRow(say.bytes(names[seat]), bytes))),
        ...valueRow(say.secret, secret),
      ),
    ];
  });
  const who = el("p", "wall-note", `${table}: ${seats.join(", ")}`);
  return [el("h3", "", say.figures), who, ...lines, el("dl", "wall-values", ...valueRow(say.seed, seed))];
}

/** @param {string} label @param {string} hex */
const valueRow = (label, hex) => [el("dt", "", label), el("dd", "hash", hex)];

/** @param {string} record @param {Words} say */
function programs(record, { wall: say }) {
  const file = `${record.split("/").at(-3) ?? "record"}.jsonl`;
  const save = link("button button--quiet quiet", record, say.record);
  save.download = "";
  const shown = PROGRAMS.map((name) => {
    const url = new URL(`../../fair/${name}`, import.meta.url).href;
    const code = el("code", "");
    const open = link("", url, name);
    open.download = name;
    const text = el("pre", "wall-program", code);
    text.lang = "en";
    text.tabIndex = 0;
    text.setAttribute("role", "region");
    text.setAttribute("aria-label", name);
    fetch(url)
      .then((answer) => (answer.ok ? answer.text() : ""))
      .then(
        (source) => code.append(source),
        () => undefined,
      );
    return el(
      "section",
      "",
      el("h4", "", open),
      el("p", "wall-note", el("code", "", `${name.endsWith(".py") ? "python3" : "node"} ${name} ${file}`)),
      text,
    );
  });
  return [el("h3", "", say.programs), el("p", "wall-note", say.runThem), save, ...shown];
}
