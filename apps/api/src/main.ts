import 'reflect-metadata';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DamagedRecord, EventStoreUnavailable, UnreadableEvent } from '#event-store';
import { createLogger, faultText, ignoreOutputFailures } from '#http';
import { SERVER_VERSION } from '#realm/model';
import { ReadStoreDamaged, ReadStoreUnavailable } from '#read-store';
import { FirstStartRefused } from '#users';
import { EndingSteps, endOnSignals, handOver, readSettings, SettingsError } from '#runtime';
import { type RunningServer, startServer } from './running-server.js';

/** Of dist/bin/api.js, whose neighbour the built page is. */
const WEB_FOLDER = fileURLToPath(new URL('../web', import.meta.url));

/** Greeting for a person at the terminal, once. A password goes to a terminal, or into a file, but into no journal. */
function greet({ url, firstStart, zuliprcPath, ownerLink }: RunningServer): void {
  console.log(`Scrollback is listening on ${url}`);
  if (firstStart === undefined) return;
  console.log(`\nA new organization, with ${firstStart.ownerEmail} as its owner.`);
  if (firstStart.generatedPassword !== undefined)
    console.log(handOver(firstStart.generatedPassword, dirname(zuliprcPath), process.stdout.isTTY));
  // In a file of logs, others may read it in time.
  if (process.stdout.isTTY && ownerLink !== undefined)
    console.log(`Sign in as the owner, once, within ten minutes, on this machine: ${ownerLink()}`);
  console.log(`API key for command-line clients: ${zuliprcPath}\nInterface: ${url}/api/docs\n`);
}

const TOLD = [
  SettingsError,
  FirstStartRefused,
  EventStoreUnavailable,
  DamagedRecord,
  UnreadableEvent,
  ReadStoreDamaged,
  ReadStoreUnavailable,
];

/** An operator's error is shown as a sentence, a fault of the server with its stack. */
function told(error: unknown): string {
  const isTold = error instanceof Error && (TOLD.some((type) => error instanceof type) || 'syscall' in error);
  return isTold ? error.message : faultText(error);
}

if (process.argv.includes('--version')) {
  console.log(SERVER_VERSION);
  process.exit(0);
}
ignoreOutputFailures();
const starting = new AbortController();
try {
  const settings = { ...readSettings(process.env), webFolder: WEB_FOLDER };
  const logger = createLogger(settings.logLevel);
  const steps = new EndingSteps();
  const start = startServer(settings, logger, undefined, starting.signal, steps);
  const end = async (): Promise<void> => {
    starting.abort();
    const server = await steps.run('start', () => start.catch(() => undefined));
    await server?.stop();
  };
  endOnSignals({ end, steps, logger });
  const server = await start;
  void server.lost.then((reason) => {
    console.error(told(reason));
    process.exit(1);
  });
  greet(server);
} catch (error) {
  if (!starting.signal.aborted) {
    console.error(told(error));
    process.exit(1);
  }
}
