import type { EventStore } from '#event-store';
import type { Clock } from '#kernel';
import type { Directory } from '#people';
import type { MessagesReader } from '../existing/messages.reader.js';
import { DueMessages } from './due-messages.js';

const CHANNELS = 2_000;
const LIMIT = 300;
/** What a look at the index of an embedded store costs, roughly. */
const LOOK_MS = 0.05;

/** Answers at once, as an embedded store does: nothing but the caller lets others run. */
function counted(): Promise<number> {
  const untilMs = performance.now() + LOOK_MS;
  while (performance.now() < untilMs);
  return Promise.resolve(1);
}

const due = new DueMessages(
  {
    settings: { message_retention_days: 7 },
    channels: () =>
      Array.from({ length: CHANNELS }, (_, index) => ({ channelId: index + 1, name: 'c', messageRetentionDays: null })),
  } as unknown as Directory,
  { newestId: () => Promise.resolve(0), count: counted } as unknown as MessagesReader,
  {} as unknown as EventStore,
  { nowSeconds: () => 1_800_000_000 } as unknown as Clock,
);

test('others are served while thousands of channels are counted, page by page, each once', async () => {
  let isDone = false;
  let served = 0;
  const serve = (): void => {
    served++;
    if (!isDone) setImmediate(serve);
  };
  setImmediate(serve);
  const found: (number | undefined)[] = [];
  let largest = 0;
  for (let [after, isLast] = [0, false]; !isLast;) {
    const page = await due.counts({ after, limit: LIMIT });
    largest = Math.max(largest, page.rows.length);
    found.push(...page.rows.map(({ channel }) => channel?.channelId));
    isLast = page.isLast;
    after = found.at(-1) ?? after;
  }
  isDone = true;
  expect(found).toEqual([...Array.from({ length: CHANNELS }, (_, index) => index + 1), undefined]);
  expect(largest).toBeLessThanOrEqual(LIMIT);
  expect(served).toBeGreaterThan(20);
});
