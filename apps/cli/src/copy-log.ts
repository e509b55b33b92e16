import { copyLog, type CopyLogProgress, type EventStore, openEventStore } from '#event-store';
import { scrollback } from '#runtime';
import { assertLogExists, streamPrefix } from './log-address.js';

const TOLD_EVERY_MS = 1_000;

type Environment = Readonly<Record<string, string | undefined>>;

/** The given address, or that in the variable that `env:NAME` names, so that passwords need not be typed. */
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
  /** Called about once a second, and at the end. */
  readonly tell: (line: string) => void;
}

/**
 * Copies a log, or continues a copy. A log in a file is opened as by its server, so one with a running server is
 * refused: the copy would lack what it writes meanwhile.
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
    return await openEventStore(address, scrollback.registry, { streamPrefix: streamPrefix() });
  } catch (error) {
    throw error instanceof TypeError ? new Error(`The log to copy ${which}: ${error.message}`) : error;
  }
}
