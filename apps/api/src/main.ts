import 'reflect-metadata';
import { DamagedRecord, EventStoreUnavailable } from '#event-store';
import { ReadStoreDamaged, ReadStoreUnavailable } from '#read-store';
import { FirstStartRefused } from '#users';
import { readSettings, SettingsError } from './settings.js';
import { type RunningServer, startServer } from './server.js';

/** Ending takes this long at most; whoever waits for the process group counts on it (DESIGN, "Running it"). */
const END_WITHIN_MS = 24_000;

/** For a person at the terminal, once. */
function greet({ url, firstStart, zuliprcPath }: RunningServer): void {
  console.log(`Scrollback is listening on ${url}`);
  if (firstStart === undefined) return;
  console.log(`\nA new organization, with ${firstStart.ownerEmail} as its owner.`);
  if (firstStart.generatedPassword !== undefined)
    console.log(`Password, shown this once: ${firstStart.generatedPassword}`);
  console.log(`API key for command-line clients: ${zuliprcPath}\nInterface: ${url}/api/docs\n`);
}

function endOnSignals(server: RunningServer): void {
  let ending = false;
  const end = (): void => {
    if (ending) return; // npm passes on a signal that the process group got as well.
    ending = true;
    setTimeout(() => process.exit(1), END_WITHIN_MS).unref();
    server.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error('The server did not end cleanly:', error);
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
}

const TOLD = [
  SettingsError,
  FirstStartRefused,
  EventStoreUnavailable,
  DamagedRecord,
  ReadStoreDamaged,
  ReadStoreUnavailable,
];

/** What an operator can mend is told in a sentence; a fault of ours with its stack. */
function told(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const isTold = TOLD.some((type) => error instanceof type) || 'syscall' in error;
  return isTold ? error.message : error;
}

try {
  const server = await startServer(readSettings(process.env));
  endOnSignals(server);
  greet(server);
} catch (error) {
  console.error(told(error));
  process.exit(1);
}
