// Runs the page's verifier and the program for players over many records in one process, and
// prints the names of those that each of them accepts.
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [root, cases, scratch] = process.argv.slice(2);
const { verify } = await import(pathToFileURL(`${root}/static/js/wall/verify.js`).href);
const program = pathToFileURL(`${root}/static/fair/check_wall.mjs`).href;
const accepted = { page: [], program: [] };
console.error = () => undefined;
console.log = () => undefined;
process.exit = () => {
  throw new Error("refused");
};
process.argv[2] = scratch;
for (const [at, [name, text]] of JSON.parse(readFileSync(cases, "utf8")).entries()) {
  const { proof, problems } = await verify(text);
  if (proof !== null && problems.length === 0) accepted.page.push(name);
  writeFileSync(scratch, text);
  await import(`${program}?${at}`).then(() => accepted.program.push(name), () => undefined);
}
process.stdout.write(JSON.stringify(accepted));
