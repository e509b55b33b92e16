import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** The first start over a long log builds all read models. */
const READY_WITHIN_MS = 900_000;
const STOP_WITHIN_MS = 30_000;

export function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'scrollback-bench-'));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Starts a program of the bench or the server and waits until it says `listening PORT`. */
export async function start(script, args = [], { env = {}, nodeArgs = [] } = {}) {
  const program = await run([...nodeArgs, script, ...args], /listening (?:on \S+:)?(\d+)/i, process.execPath, env);
  return { port: Number(program.said), pid: program.pid, stop: program.stop };
}

/**
 * Starts a program and waits until its output matches.
 * @returns the first group of the match, as `said`
 */
export async function run(args, expected, command = process.execPath, env = {}) {
  const child = spawn(command, args, {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ['ignore', expected === undefined ? 'ignore' : 'pipe', expected === undefined ? 'ignore' : 'inherit'],
  });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  // A failed measurement leaves no process behind.
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  void exited.then(() => process.removeListener('exit', end));
  const stop = async () => {
    // A process that waits for its clients to disconnect is killed.
    const killing = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS);
    child.kill('SIGTERM');
    await exited;
    clearTimeout(killing);
  };
  if (expected === undefined) return { pid: child.pid, stop };
  const said = await new Promise((resolve, reject) => {
    let text = '';
    const name = args.join(' ');
    const timer = setTimeout(() => reject(new Error(`${name} is not ready: ${text}`)), READY_WITHIN_MS);
    child.stdout.on('data', (chunk) => {
      text += chunk;
      const found = expected.exec(text);
      if (found === null) return;
      clearTimeout(timer);
      resolve(found[1]);
    });
    void exited.then((code) => reject(new Error(`${name} ended with ${code}: ${text}`)));
  });
  return { said, pid: child.pid, stop };
}

/** As `npm start` runs it (docs/operations.md explains why). */
const SERVER_NODE_ARGS = ['--max-semi-space-size=8', '--no-allocation-site-pretenuring'];

export const startServer = (dataDir, env = {}, nodeArgs = []) =>
  start('dist/bin/api.js', [], {
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
