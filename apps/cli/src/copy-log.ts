import { copyLog, type CopyLogProgress, type EventStore, openEventStore } from '#event-store';
import { eventRegistry } from '../../api/src/event-registry.js';
import { assertLogExists } from './log-address.js';

const TOLD_EVERY_MS = 1_000;

type Environment = Readonly<Record<string, string | undefined>>;

/** An address as it was given, or the one in the variable that `env:NAME` names: passwords need not be typed. */
export function givenAddress(argument: string, environment: Environment): string {
  const name = /^env:(\w+)$/.exec(argument)?.[1];
  if (name === undefined) return argument;
  const address = environment[name];
  if (address === undefined || address === '') throw new Error(`The environment has no ${name}.`);
  return address;
}

export interface CopyParts {
  readonly from: string;
  readonly to: string;
  readonly signal: AbortSignal;
  /** Told about once a second, and at the end. */
  readonly tell: (line: string) => void;
}

/**
 * Copies a log to another place, or goes on with a copy. A log in a file is opened as by its server, so one that a server
 * is writing is refused: what it writes meanwhile would not be in the copy.
 */
export async function copyBetween({ from, to, signal, tell }: CopyParts): Promise<CopyLogProgress> {
  if (from === to) throw new Error('These are one and the same log.');
  assertLogExists(from);
  const source = await open('from', from);
  try {
    const target = await open('to', to);
    try {
      return await copy(source, target, signal, tell);
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

async function copy(
  source: EventStore,
  target: EventStore,
  signal: AbortSignal,
  tell: (line: string) => void,
): Promise<CopyLogProgress> {
  let progress: CopyLogProgress = { found: 0, copied: 0 };
  const say = (): void => {
    tell(`${progress.found} events were there, ${progress.copied} copied`);
  };
  const telling = setInterval(say, TOLD_EVERY_MS);
  try {
    progress = await copyLog(source, target, { signal, onProgress: (now) => (progress = now) });
    return progress;
  } finally {
    clearInterval(telling);
    say();
  }
}

async function open(which: 'from' | 'to', address: string): Promise<EventStore> {
  try {
    return await openEventStore(address, eventRegistry);
  } catch (error) {
    throw error instanceof TypeError ? new Error(`The log to copy ${which}: ${error.message}`) : error;
  }
}
