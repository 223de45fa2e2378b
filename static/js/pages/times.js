/**
 * Shows times in the reader's time zone. Without scripts the page shows UTC.
 */
const language = document.documentElement.lang || undefined;
const format = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });

for (const time of document.querySelectorAll("time[datetime]")) {
  if (!(time instanceof HTMLTimeElement)) continue;
  const moment = new Date(time.dateTime);
  if (Number.isNaN(moment.getTime())) continue;
  time.title = (time.textContent ?? "").trim();
  time.textContent = format.format(moment);
}
