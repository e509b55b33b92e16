import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Type } from 'typebox';
import { EventRegistry, eventType, type ReadBarrier, SqliteEventStore, streams } from '#event-store';
import { newId, SystemClock } from '#kernel';
import type { Directory } from '#organization';
import type { PushService } from '#push';
import { MemoryKeyValueStore, until } from '#testing';
import type { HiddenMessages } from './hidden-messages.js';
import type { MailBatches } from './mail-batches.js';
import type { NoticeQueue } from './notice-queue.js';
import { Notifier } from './notifier.js';
import type { PushedReader } from './pushed.reader.js';
import type { Recipients } from './recipients.js';

const SENT = 'message.sent.v1';
const barrier = { waitFor: () => Promise.resolve() } as unknown as ReadBarrier;
const directory = { listen: () => () => undefined, users: () => [] } as unknown as Directory;

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

/** The notifier of one process. @param considered IDs of messages that it has looked at */
function notifier(considered: number[]): Notifier {
  const recipients = {
    of: (messageId: number) => {
      considered.push(messageId);
      return Promise.resolve({ push: [], mail: [] });
    },
  } as unknown as Recipients;
  const queue = { message: () => Promise.resolve() } as unknown as NoticeQueue;
  const unused = {} as unknown;
  return new Notifier(
    store,
    barrier,
    side,
    directory,
    recipients,
    queue,
    unused as MailBatches,
    unused as PushedReader,
    { isConfigured: false } as unknown as PushService,
    unused as HiddenMessages,
    new SystemClock(),
  );
}

async function send(): Promise<void> {
  await store.append(streams.messages, 'any', [{ id: newId(), type: SENT, data: {} }]);
}

/** Runs a notifier until it has looked at the messages. */
async function considers(messageIds: readonly number[]): Promise<void> {
  const considered: number[] = [];
  const process = notifier(considered);
  process.start((error) => {
    throw error;
  });
  await until(() => considered.length >= messageIds.length);
  await process.stop();
  expect(considered).toEqual(messageIds);
}

test('The first start of all considers what follows, and the next start goes on there', async () => {
  await send();
  const first = notifier([]);
  first.start(() => undefined);
  await until(async () => (await side.get('notifier', 'checkpoint')) !== undefined);
  await first.stop();
  await send();
  await considers([2]);
  await send();
  await considers([3]);
});

test('A process that ends before the first message lets the next one begin with that message', async () => {
  const first = notifier([]);
  first.start(() => undefined);
  await until(async () => (await side.get('notifier', 'checkpoint')) !== undefined);
  await first.stop();
  await send();
  await send();
  await considers([1, 2]);
});
