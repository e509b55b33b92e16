// Loaded into the server with --import: measures how long its event loop was blocked, by the clock and in CPU time of
// the main thread, which the load of the machine does not affect.
import { closeSync, openSync, readSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';

const TICK_MS = 1;

const schedule = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r');
const text = Buffer.alloc(128);
/** CPU time of the main thread so far, in ms. */
function cpuMs() {
  const length = readSync(schedule, text, 0, text.length, 0);
  return Number(text.latin1Slice(0, text.indexOf(' ', 0, 'latin1') === -1 ? length : text.indexOf(' '))) / 1e6;
}

let wall = performance.now();
let cpu = cpuMs();
let longest = { wallMs: 0, cpuMs: 0 };

function tick() {
  const [nowWall, nowCpu] = [performance.now(), cpuMs()];
  longest.wallMs = Math.max(longest.wallMs, nowWall - wall - TICK_MS);
  longest.cpuMs = Math.max(longest.cpuMs, nowCpu - cpu);
  [wall, cpu] = [nowWall, nowCpu];
}
setInterval(tick, TICK_MS).unref();

/** Answers with the longest block since the last request. */
const server = createServer((_, response) => {
  tick();
  const answer = JSON.stringify({ ...longest, residentBytes: process.memoryUsage.rss() });
  longest = { wallMs: 0, cpuMs: 0 };
  response.end(answer);
});
server.listen(0, '127.0.0.1', () => writeFileSync(process.env.LOOP_WATCH_FILE, String(server.address().port)));
server.unref();
process.on('exit', () => closeSync(schedule));
