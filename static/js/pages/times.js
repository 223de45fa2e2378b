/**
 * Shows times in the reader's time zone. Without scripts the page shows UTC. Both are written in the
 * way of `mahjong_site/formats`.
 */
const tag = document.documentElement.lang;
const language = tag === "en" || tag === "" ? "en-GB" : tag;
const day = new Intl.DateTimeFormat(language, { dateStyle: "long" });
const clock = new Intl.DateTimeFormat(language, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

for (const time of document.querySelectorAll("time[datetime]")) {
  if (!(time instanceof HTMLTimeElement)) continue;
  const moment = new Date(time.dateTime);
  if (Number.isNaN(moment.getTime())) continue;
  time.title = (time.textContent ?? "").trim();
  time.textContent = `${day.format(moment)}${tag === "ja" ? " " : ", "}${clock.format(moment)}`;
}
