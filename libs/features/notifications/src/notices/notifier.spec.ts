import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Type } from 'typebox';
import {
  EventRegistry,
  eventType,
  type ReadBarrier,
  type RecordedEvent,
  SqliteEventStore,
  streams,
} from '#event-store';
import { newId, SystemClock } from '#kernel';
import type { Directory } from '#people';
import type { PushService } from '#push';
import type { BackgroundRunner } from '#read-store';
import { MemoryKeyValueStore, OpenGate, startedWith, until } from '#testing';
import type { MissedMessages } from '../missed/missed-messages.js';
import type { Missed } from '../missed/missed-messages.decider.js';
import type { HiddenMessages } from './hidden-messages.js';
import type { MailBatches } from './mail-batches.js';
import type { NoticeQueue } from './notice-queue.js';
import { Notifier } from './notifier.js';
import type { PushedReader } from './pushed.reader.js';
import type { Recipients } from './recipients.js';

const BEN = 4;
const SENT = 'message.sent.v1';
const barrier = { waitFor: () => Promise.resolve() } as unknown as ReadBarrier;
const listeners = new Set<(event: RecordedEvent) => void>();
const directory = {
  listen: (listener: (event: RecordedEvent) => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  users: () => [],
} as unknown as Directory;

let folder: string;
let store: SqliteEventStore;
let side: MemoryKeyValueStore;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'notifier-'));
  store = SqliteEventStore.open(join(folder, 'log.db'), new EventRegistry([eventType(SENT, Type.Object({}))]));
  side = new MemoryKeyValueStore();
});

afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

/**
 * The notifier of one process. Each message notifies a user by mail.
 * @param considered IDs of messages that it has looked at
 * @param noted IDs of messages that it has noted together
 */
function notifier(considered: number[], noted: number[][] = []): Notifier {
  const recipients = {
    of: (messageId: number) => {
      considered.push(messageId);
      return Promise.resolve({ push: [], mail: [BEN] });
    },
  } as unknown as Recipients;
  const queue = { message: () => Promise.resolve() } as unknown as NoticeQueue;
  const missed = {
    note: (some: readonly Missed[]) => {
      if (some.length > 0) noted.push(some.map(({ messageId }) => messageId));
      return Promise.resolve();
    },
  } as unknown as MissedMessages;
  const unused = {} as unknown;
  return new Notifier(
    store,
    barrier,
    side,
    directory,
    recipients,
    queue,
    missed,
    { join: () => 1 } as unknown as MailBatches,
    unused as PushedReader,
    { isConfigured: false } as unknown as PushService,
    unused as HiddenMessages,
    new SystemClock(),
    new OpenGate(),
  );
}

/** A notifier that has found its place in the log. */
async function started(
  considered: number[],
  noted: number[][] = [],
  onError: (error: unknown) => void = fail,
): Promise<BackgroundRunner> {
  const process = startedWith(notifier(considered, noted), onError);
  await until(async () => (await side.get('notifier', 'checkpoint')) !== undefined);
  return process;
}

function fail(error: unknown): never {
  throw error;
}

/** Records a message, and passes it on as the directory does. */
async function send(): Promise<void> {
  await store.append(streams.messages, 'any', [{ id: newId(), type: SENT, data: {} }]);
  const [event] = await store.readStream(streams.messages, { direction: 'backwards', limit: 1 });
  if (event !== undefined) for (const listener of listeners) listener(event);
}

/** Runs a notifier until it has looked at the messages. */
async function considers(messageIds: readonly number[]): Promise<void> {
  const considered: number[] = [];
  const process = startedWith(notifier(considered));
  await until(() => considered.length >= messageIds.length);
  await process.stop();
  expect(considered).toEqual(messageIds);
}

test('The first start of all considers what follows, and the next start goes on there', async () => {
  await send();
  const first = await started([]);
  await first.stop();
  await send();
  await considers([2]);
  await send();
  await considers([3]);
});

test('A process that ends before the first message lets the next one begin with that message', async () => {
  const first = await started([]);
  await first.stop();
  await send();
  await send();
  await considers([1, 2]);
});

test('What is sent while it runs is considered once each, also after a failure', async () => {
  await send();
  const considered: number[] = [];
  const errors: unknown[] = [];
  const process = await started(considered, [], (error) => errors.push(error));
  await send();
  await until(() => considered.length === 1);
  jest.spyOn(barrier, 'waitFor').mockRejectedValueOnce(new Error('The read side is stuck.'));
  await send();
  await send();
  await until(() => considered.length === 3);
  await send();
  await until(() => considered.length === 4);
  await process.stop();
  expect(considered).toEqual([2, 3, 4, 5]);
  expect(errors).toHaveLength(1);
  expect(listeners.size).toBe(0);
});

test('What is missed is noted together, and considered again when the process ends before', async () => {
  await send();
  const considered: number[] = [];
  const noted: number[][] = [];
  const process = await started(considered, noted);
  await send();
  await until(() => noted.length === 1);
  await send();
  await send();
  await until(() => noted.length === 2);
  await send();
  await until(() => considered.length === 4);
  await process.stop();
  expect(noted).toEqual([[2], [3, 4]]);
  await considers([5]);
});
