import type { OpenFollowUpDocument } from '#follow-ups';
import type { Clock } from '#kernel';
import { type ReadStore, where } from '#read-store';
import type { TimerDocument } from '#timers';
import type { Composition } from '../composition.js';
import type { PendingWork } from './metrics.js';

/** A count beyond this is told as this: it says all that an operator needs. */
const COUNT_MAX = 10_000;
/** Looks at the store are at least this far apart, however often somebody asks. */
const LOOK_EVERY_MS = 5_000;

/** Counts the work that waits: timers of all kinds, such as mails and calls of services, and follow-ups. */
export function pendingWork(
  readStore: ReadStore,
  { features, openFollowUps, dueIndex }: Composition,
  clock: Clock,
): () => Promise<readonly PendingWork[]> {
  const kinds = features.timers.map(({ kind }) => kind);
  const timers = readStore.collection<TimerDocument>(dueIndex.collection);
  const followUps = readStore.collection<OpenFollowUpDocument>(openFollowUps.collection);
  // Whoever asks first meets the failure.
  for (const opening of [timers, followUps]) opening.catch(() => undefined);
  let looked: { readonly atMs: number; readonly found: Promise<readonly PendingWork[]> } | undefined;
  const ofTimers = async (kind: string): Promise<PendingWork> => {
    const index = await timers;
    const ofKind = where.eq('kind', kind);
    const count = await index.count(ofKind, COUNT_MAX);
    if (count === 0) return { kind, count, overdueSeconds: 0 };
    const sort = [{ field: 'dueAt', direction: 'ascending' }] as const;
    const [first] = await index.find({ where: ofKind, sort, limit: 1 });
    return { kind, count, overdueSeconds: lateness(first?.doc.dueAt) };
  };
  const ofFollowUps = async (): Promise<PendingWork> => {
    const open = await followUps;
    const sort = [{ field: 'position', direction: 'ascending' }] as const;
    const [first] = await open.find({ sort, limit: 1 });
    return {
      kind: 'follow-up',
      count: await open.count(undefined, COUNT_MAX),
      overdueSeconds: lateness(first?.doc.since),
    };
  };
  const lateness = (sinceSeconds: number | undefined): number =>
    sinceSeconds === undefined ? 0 : Math.max(0, clock.nowSeconds() - sinceSeconds);
  return () => {
    const nowMs = performance.now();
    if (looked === undefined || nowMs - looked.atMs > LOOK_EVERY_MS)
      looked = { atMs: nowMs, found: Promise.all([...kinds.map(ofTimers), ofFollowUps()]) };
    return looked.found;
  };
}
