import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** The first start over a long log builds all read models. */
const READY_WITHIN_MS = 300_000;

export function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'scrollback-bench-'));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Starts a program of the bench or the server and waits until it says `listening PORT`. */
export async function start(script, args = [], { env = {}, nodeArgs = [] } = {}) {
  const child = spawn(process.execPath, [...nodeArgs, join(ROOT, script), ...args], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const port = await new Promise((resolve, reject) => {
    let text = '';
    const timer = setTimeout(() => reject(new Error(`${script} is not ready: ${text}`)), READY_WITHIN_MS);
    child.stdout.on('data', (chunk) => {
      text += chunk;
      const found = /listening (?:on \S+:)?(\d+)/i.exec(text);
      if (found === null) return;
      clearTimeout(timer);
      resolve(Number(found[1]));
    });
    void exited.then((code) => reject(new Error(`${script} ended with ${code}: ${text}`)));
  });
  return {
    port,
    pid: child.pid,
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

/** As `npm start` runs it: with a small young generation, which keeps the idle server within its memory. */
const SERVER_NODE_ARGS = ['--max-semi-space-size=8'];

export const startServer = (dataDir, env = {}, nodeArgs = []) =>
  start('dist/apps/api/src/main.js', [], {
    env: { DATA_DIR: dataDir, PORT: '0', RATE_LIMITS: 'off', LOG_LEVEL: 'warn', ...env },
    nodeArgs: [...SERVER_NODE_ARGS, ...nodeArgs],
  });

/** User and system CPU time of a process so far, in ms. */
export function cpuMs(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

export function residentBytes(pid) {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) * 1024;
}
