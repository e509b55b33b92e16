import type { PendingWork as PendingSources } from '#feature';
import type { OpenFollowUpDocument } from '#follow-ups';
import type { Clock } from '#kernel';
import { type ReadStore, where } from '#read-store';
import type { TimerDocument } from '#timers';
import type { Composition } from '../composition.js';
import type { FailingWork, PendingWork, Waiting } from './metrics.js';

/** A count beyond this is told as this: it says all that an operator needs. */
const COUNT_MAX = 10_000;
/** Pieces of work of each kind that are asked whether they failed. */
const FAILING_MAX = 10;
/** Looks at the store are at least this far apart, however often somebody asks. */
const LOOK_EVERY_MS = 5_000;

/** Counts the work that waits: timers of all kinds, such as mails and calls of services, and follow-ups. */
export function pendingWork(
  readStore: ReadStore,
  { features, openFollowUps, dueIndex }: Composition,
  clock: Clock,
  sources: PendingSources,
): () => Promise<Waiting> {
  const kinds = features.timers.map(({ kind }) => kind);
  const timers = readStore.collection<TimerDocument>(dueIndex.collection);
  const followUps = readStore.collection<OpenFollowUpDocument>(openFollowUps.collection);
  // Whoever asks first meets the failure.
  for (const opening of [timers, followUps]) opening.catch(() => undefined);
  let looked: { readonly atMs: number; readonly found: Promise<Waiting> } | undefined;
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
  /** The next to be tried say enough, and each costs a call to the log. */
  const ofSource = async (kind: string): Promise<FailingWork> => {
    const items = await sources.source(kind).list(FAILING_MAX);
    const ages = items.filter(({ attempts }) => attempts > 0).map(({ since }) => lateness(since));
    return { kind, ageSeconds: Math.max(0, ...ages) };
  };
  const look = async (): Promise<Waiting> => {
    const [pending, failing] = await Promise.all([
      Promise.all([...kinds.map(ofTimers), ofFollowUps()]),
      Promise.all(sources.kinds.map(ofSource)),
    ]);
    return { pending, failing };
  };
  return () => {
    const nowMs = performance.now();
    if (looked === undefined || nowMs - looked.atMs > LOOK_EVERY_MS) looked = { atMs: nowMs, found: look() };
    return looked.found;
  };
}
