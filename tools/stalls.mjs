/**
 * Runs a command, and stops one of its processes after the other for a moment, as a machine does that has other things to do: finds what
 * works only where all of them go on at the same pace. Linux only.
 *
 *     node tools/stalls.mjs LONGEST_MS COMMAND…
 */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';

/** Between two stops. */
const PAUSE_MAX_MS = 100;

const [longestMs, command, ...values] = process.argv.slice(2);
if (!(Number(longestMs) > 0) || command === undefined)
  throw new Error('Usage: node tools/stalls.mjs LONGEST_MS COMMAND…');
const child = spawn(command, values, { stdio: 'inherit' });
let stopped;
const goOn = () => {
  if (stopped !== undefined) send(stopped, 'SIGCONT');
  stopped = undefined;
};

for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => {
    goOn();
    child.kill(signal);
  });
child.on('exit', (code, signal) => {
  goOn();
  process.exit(code ?? 128 + constants.signals[signal]);
});

for (;;) {
  const all = below(child.pid);
  stopped = all[Math.floor(Math.random() * all.length)];
  if (stopped !== undefined) {
    send(stopped, 'SIGSTOP');
    // Mostly short ones.
    await pause(Math.random() ** 2 * Number(longestMs));
    goOn();
  }
  await pause(Math.random() * PAUSE_MAX_MS);
}

/** IDs of the processes that a process has started, and that those have. */
function below(pid) {
  const children = new Map();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    const parent = parentOf(name);
    children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const found = [];
  for (const next = [pid]; next.length > 0;) {
    const these = children.get(next.pop()) ?? [];
    found.push(...these);
    next.push(...these);
  }
  return found;
}

/** Undefined for a process that has ended. */
function parentOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of its program, in parentheses, may have any character.
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return undefined;
  }
}

function send(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended.
  }
}
