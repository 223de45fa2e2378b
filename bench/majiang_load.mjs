// The load of `bench.load` on a majiang-server, for comparison: four players a table, who discard what
// they draw after 1.0 to 3.0 s and let everything pass.
//
//     npm install --no-save @kobalab/majiang-server@1.4.3 socket.io-client@4
//     node bench/majiang_load.mjs TABLES [SECONDS] [WARM_UP_SECONDS]
//
// The server gets the first processor and this process the second.

import { execFileSync, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { io } from "socket.io-client";

const PORT = 4615;
const URL_OF_SERVER = `http://127.0.0.1:${PORT}`;
const THINK_MS = 2_000;
const CLOCK_TICKS = 100;
const require = createRequire(import.meta.url);
const [tables, seconds = 25, warmUp = 20] = process.argv.slice(2).map(Number);

const server = spawn(
  "taskset",
  ["-c", "0", process.execPath, require.resolve("@kobalab/majiang-server/bin/server.js"), "-p", `${PORT}`],
  { stdio: "ignore" },
);
process.on("exit", () => server.kill());
execFileSync("taskset", ["-a", "-p", "-c", "1", `${process.pid}`], { stdio: "ignore" });

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const once = (socket, event) => new Promise((resolve) => socket.once(event, resolve));

/** The processor seconds and the resident KiB that the server has used so far. */
function used() {
  const fields = readFileSync(`/proc/${server.pid}/stat`, "utf8").split(") ")[1].split(" ");
  const status = readFileSync(`/proc/${server.pid}/status`, "utf8");
  return {
    cpu: (Number(fields[11]) + Number(fields[12])) / CLOCK_TICKS,
    resident: Number(/VmRSS:\s+(\d+)/.exec(status)[1]),
  };
}

const counts = { isCounting: false, discards: 0, waits: [], errors: 0 };

async function signIn(name) {
  const answer = await fetch(`${URL_OF_SERVER}/server/auth/`, {
    method: "POST",
    body: new URLSearchParams({ name, passwd: "*" }),
    redirect: "manual",
  });
  const [cookie] = /MAJIANG=[^;]*/.exec(answer.headers.get("set-cookie"));
  const options = { path: "/server/socket.io/", transports: ["websocket"], forceNew: true };
  return io(URL_OF_SERVER, { ...options, extraHeaders: { Cookie: cookie } });
}

/** Play for one seat: discard what is drawn, answer everything else with a pass. */
function play(socket, seat, latest) {
  socket.on("ERROR", () => counts.errors++);
  socket.on("GAME", (message) => {
    if (message.dapai && seat !== latest.seat && counts.isCounting)
      counts.waits.push(performance.now() - latest.sentAt);
    if (!message.seq) return;
    const drawn = message.zimo?.p;
    if (!drawn) {
      socket.emit("GAME", { seq: message.seq });
      return;
    }
    setTimeout(
      () => {
        Object.assign(latest, { seat, sentAt: performance.now() });
        counts.discards += counts.isCounting;
        socket.emit("GAME", { seq: message.seq, dapai: `${drawn}_` });
      },
      THINK_MS * (0.5 + Math.random()),
    );
  });
}

async function openTable(number) {
  const latest = { seat: -1, sentAt: 0 };
  const sockets = [];
  for (let seat = 0; seat < 4; seat++) {
    sockets.push(await signIn(`p${number}_${seat}`));
    play(sockets[seat], seat, latest);
  }
  sockets[0].emit("ROOM");
  const { room_no: room } = await once(sockets[0], "ROOM");
  for (const socket of sockets.slice(1)) {
    socket.emit("ROOM", room);
    await once(socket, "ROOM");
  }
  sockets[0].emit("START", room, require("@kobalab/majiang-core").rule(), [60, 60, 3]);
}

await sleep(1_500);
const atFirst = used();
for (let first = 0; first < tables; first += 10) {
  const numbers = Array.from({ length: Math.min(10, tables - first) }, (_, index) => first + index);
  await Promise.all(numbers.map(openTable));
}
await sleep(warmUp * 1_000);
const before = used();
counts.isCounting = true;
await sleep(seconds * 1_000);
counts.isCounting = false;
const after = used();
const waits = counts.waits.sort((one, other) => one - other);
const share = (part) => waits[Math.floor(waits.length * part)]?.toFixed(1);
console.log(`${tables} tables, a discard every ${((tables * seconds) / counts.discards).toFixed(2)} s
CPU of the server for a discard: ${(((after.cpu - before.cpu) / counts.discards) * 1_000).toFixed(2)} ms
from a discard to the others: p50 ${share(0.5)}, p99 ${share(0.99)} ms
memory of a table: ${((after.resident - atFirst.resident) / tables).toFixed(0)} KiB
errors: ${counts.errors}`);
process.exit(0);
