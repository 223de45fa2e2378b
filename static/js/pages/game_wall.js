/** The page of a finished game: checks its walls by itself, and shows how to check them alone. */
import { words } from "../table/names.js";
import { figures, checkedRecord, verdict, verdictNode } from "../ui/wall_record.js";
import { Receipts } from "../wall/receipts.js";

const root = document.getElementById("wall-check");
if (root !== null) {
  const { table = "", record = "" } = root.dataset;
  const names = JSON.parse(document.getElementById("wall-names")?.textContent ?? "[]");
  const say = await words();
  root.setAttribute("aria-live", "polite");
  const finding = await checkedRecord(record, [0, 2_000]);
  root.append(verdictNode(verdict(finding, new Receipts().of(table), names, say)));
  if (finding?.proof) root.append(figures(finding, record, names, say));
}
