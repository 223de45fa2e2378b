// Runs the page's verifier and the programs for players over many records in one process, and
// prints the verdict of each of them on each record, by its name.
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [root, cases, scratch] = process.argv.slice(2);
const { verify } = await import(pathToFileURL(`${root}/static/js/wall/verify.js`).href);
const urlOf = (name) => pathToFileURL(`${root}/static/fair/${name}.mjs`).href;
const verdicts = { page: {}, program: {}, seed: {} };
let said = "";
console.error = (text) => (said ||= text);
console.log = console.error;
process.exit = () => {
  throw new Error("refused");
};
process.argv = [process.argv[0], "check", scratch];
for (const [at, [name, text]] of JSON.parse(readFileSync(cases, "utf8")).entries()) {
  const { proof, problems } = await verify(text);
  verdicts.page[name] = problems.length > 0 ? "DOES NOT FIT" : proof === null ? "NO PROOF" : "FITS";
  writeFileSync(scratch, text);
  for (const [key, program] of [["program", "check_wall"], ["seed", "check_seed"]]) {
    said = "";
    await import(`${urlOf(program)}?${at}`).catch(() => undefined);
    verdicts[key][name] = said;
  }
}
process.stdout.write(JSON.stringify(verdicts));
