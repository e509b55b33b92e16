import { copyLog, type CopyLogProgress, type EventStore, openEventStore } from '#event-store';
import { scrollback } from '#runtime';
import { logFile, openLog, streamPrefix } from './log-address.js';
import { assertWhole } from './verify.js';
import { telling } from './until-interrupted.js';

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
 * Copies a log, or continues a copy, up to where the log ends at the start: its server may go on writing. The target is opened as by
 * its server, so one with a running server is refused.
 */
export async function copyBetween({ from, to, signal, tell }: CopyParts): Promise<CopyLogProgress> {
  if (from === to) throw new Error('These are one and the same log.');
  const source = await opened('from', () => openLog(from));
  try {
    await assertWhole(source, logFile(from));
    const target = await opened('to', () => openEventStore(to, scrollback.registry, { streamPrefix: streamPrefix() }));
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
  return telling(
    () => {
      tell(`${progress.found} events were there, ${progress.copied} copied`);
    },
    async () => (progress = await copyLog(source, target, { signal, onProgress: (now) => (progress = now) })),
  );
}

async function opened(which: 'from' | 'to', open: () => Promise<EventStore>): Promise<EventStore> {
  try {
    return await open();
  } catch (error) {
    throw error instanceof TypeError ? new Error(`The log to copy ${which}: ${error.message}`) : error;
  }
}
