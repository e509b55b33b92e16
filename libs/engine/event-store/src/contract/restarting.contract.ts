import {
  type Checkpoint,
  type EventStore,
  EventStoreUnavailable,
  type NewEvent,
  type RecordedEvent,
} from '../event-store.js';
import { type ContractLog, everything, note, PATIENCE_MS, textsOf } from './log.contract.js';

/** Contract of restarts during each operation: acknowledged events stay, and readers resume where they were. */
export function describeRestarting(log: ContractLog): void {
  describe('a restart in the middle', () => {
    test('of appends loses nothing acknowledged and stores nothing twice', async () => {
      const events = Array.from({ length: 120 }, (_, index) => note(String(index)));
      const outcomes = events.map((event, index) => log.store.append(`1.s-${index % 5}`, 'any', [event]));
      const settled = Promise.allSettled(outcomes);
      await Promise.race(outcomes);
      await log.restart();
      const acknowledged = (await settled).map(({ status }) => status === 'fulfilled');
      const stored = await everything(log.store);
      expect(acknowledged.some((isStored) => isStored)).toBe(true);
      for (const [index, { id }] of events.entries()) {
        const copies = stored.filter((event) => event.id === id).length;
        expect(copies).toBeLessThanOrEqual(1);
        if (acknowledged[index] === true) expect(copies).toBe(1);
      }
    });

    test('of appends at exact revisions can be repeated until they are answered', async () => {
      const events = Array.from({ length: 40 }, (_, index) => note(String(index)));
      const restarting = new Promise<void>((resolve, reject) => {
        setTimeout(() => {
          log.restart().then(resolve, reject);
        }, 5);
      });
      for (const [index, event] of events.entries()) {
        expect(await appendUntilAnswered(log, '1.a', index, event)).toBe(index);
      }
      await restarting;
      expect((await log.store.readStream('1.a', { limit: 100 })).map(({ id }) => id)).toEqual(
        events.map(({ id }) => id),
      );
    });

    test('of reading lets it go on from a checkpoint', async () => {
      await log.fill('1.a', 5_000);
      const read: RecordedEvent[] = [];
      let restarted = false;
      while (read.length < 5_000) {
        await whileAvailable(async () => {
          for await (const page of log.store.readAll(afterLast(log.store, read))) {
            read.push(...page);
            if (restarted) continue;
            restarted = true;
            await log.restart();
          }
        });
      }
      expect(textsOf(read)).toEqual(Array.from({ length: 5_000 }, (_, index) => String(index)));
    });

    test('of a subscription resumes from a checkpoint, with events appended meanwhile', async () => {
      const count = 400;
      const taken: RecordedEvent[] = [];
      const signal = AbortSignal.timeout(PATIENCE_MS);
      const following = (async () => {
        while (taken.length < count && !signal.aborted) {
          await whileAvailable(async () => {
            for await (const batch of log.store.subscribe({ ...afterLast(log.store, taken), signal })) {
              taken.push(...batch);
              if (taken.length >= count) return;
            }
          });
        }
      })();
      const events = Array.from({ length: count }, (_, index) => note(String(index)));
      for (const [index, event] of events.entries()) {
        if (index % 100 === 50) await log.restart();
        await appendUntilAnswered(log, '1.a', index, event);
      }
      await following;
      expect(textsOf(taken)).toEqual(Array.from({ length: count }, (_, index) => String(index)));
    });
  });
}

function afterLast(store: EventStore, events: readonly RecordedEvent[]): { readonly after?: Checkpoint } {
  const last = events.at(-1);
  return last === undefined ? {} : { after: store.checkpointAfter(last) };
}

/** Repeats the work until it ends or the store reports that it is unavailable. */
async function whileAvailable(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof EventStoreUnavailable)) throw error;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/**
 * Appends until an attempt is acknowledged.
 * @returns the event's revision
 */
async function appendUntilAnswered(log: ContractLog, stream: string, index: number, event: NewEvent): Promise<number> {
  const deadlineMs = Date.now() + PATIENCE_MS;
  for (;;) {
    try {
      return (await log.store.append(stream, index === 0 ? 'none' : index - 1, [event])).lastRevision;
    } catch (error) {
      if (!(error instanceof EventStoreUnavailable) || Date.now() > deadlineMs) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}
