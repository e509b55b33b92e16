import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '#testing';
import { type NewEvent, type RecordedEvent, SqliteEventStore } from '#event-store';
import { scrollback } from '#runtime';
import type { ApiClient } from '../support/client.js';
import { describeShared, isShared } from '../support/pairings.js';
import { build, ServerProcess } from '../support/process.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { openSharedStores, type SharedStores } from '../support/shared-stores.js';

/** Longer than a follow-up is left to the process that recorded its event. */
const LONG_AGO_MS = 60_000;

/** The longest: no mail about what is unread falls due, however long the suite takes. */
const MAIL_BATCH_S = 7 * 86_400;

/** More than one event moves. */
const LONG_MESSAGES = 60;
const LONG_TEXT = 'word '.repeat(2_000).trim();

let server: TestServer;
let log: RecordedEvent[];

/** Requests with every kind of follow-up, one after the other. */
async function story(owner: ApiClient, ann: ApiClient, bob: ApiClient): Promise<void> {
  for (const client of [owner, ann, bob])
    await client.ok('PATCH', '/settings', { email_notifications_batching_period_seconds: MAIL_BATCH_S });
  await owner.subscribe('hall');
  const others = { principals: [ann.userId, bob.userId], send_new_subscription_messages: true };
  await owner.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'hall' }], ...others });
  const made = { subscriptions: [{ name: 'den' }, { name: 'nook' }], announce: true };
  await owner.ok('POST', '/users/me/subscriptions', { ...made, ...others });
  const { streams } = await owner.ok('GET', '/streams');
  const hall: number = streams.find((channel: any) => channel.name === 'hall').stream_id;
  const policy = (client: ApiClient, topic: string, visibility_policy: number): Promise<unknown> =>
    client.ok('POST', '/user_topics', { stream_id: hall, topic, visibility_policy });
  await owner.send(hall, 'dinner', 'what there was');
  const moved = await ann.send(hall, 'lunch', 'what moves');
  await bob.send(hall, 'lunch', 'and this');
  await policy(ann, 'lunch', 3);
  await policy(bob, 'lunch', 1);
  await policy(bob, 'dinner', 1);
  await policy(owner, 'dinner', 2);
  await owner.ok('PATCH', `/messages/${moved}`, {
    topic: 'dinner',
    propagate_mode: 'change_all',
    send_notification_to_old_thread: true,
    send_notification_to_new_thread: true,
  });
  const change = (topic: string): Promise<unknown> =>
    ann.ok('PATCH', `/messages/${moved}`, { topic, propagate_mode: 'change_all' });
  await change('✔ dinner');
  await change('dinner');
  const long: number[] = [];
  for (let sent = 0; sent < LONG_MESSAGES; sent++) long.push(await bob.send(hall, 'long', LONG_TEXT));
  await bob.ok('PATCH', `/messages/${long.at(-1)!}`, {
    topic: '✔ long',
    propagate_mode: 'change_all',
  });
  await ann.send('den', 'talk', 'unread by others');
  await ann.send(hall, 'talk', 'unread by others');
  await ann.send('nook', 'talk', 'unread by others');
  await bob.ok('DELETE', '/users/me/subscriptions', { subscriptions: ['hall'] });
  await bob.ok('DELETE', '/users/me/subscriptions', { subscriptions: ['den', 'nook'] });
  await bob.sendTo([ann], 'unread');
  await ann.ok('POST', `/users/me/muted_users/${bob.userId}`);
}

beforeAll(async () => {
  if (isShared) return;
  server = await startTestServer();
  await story(server.owner, await server.user('Ann'), await server.user('Bob'));
  await server.restart(async () => {
    log = await recorded();
  });
});

afterAll(async () => {
  if (!isShared) await server.stop();
});

const eventsPath = (): string => join(server.dataDir, 'events.db');

async function recorded(): Promise<RecordedEvent[]> {
  const store = SqliteEventStore.openReadOnly(eventsPath(), scrollback.registry);
  const events: RecordedEvent[] = [];
  for await (const page of store.readAll({})) events.push(...page);
  await store.close();
  return events;
}

/** The log at the death of a process: these events, recorded a while ago. */
async function replaceLog(events: readonly RecordedEvent[]): Promise<void> {
  for (const file of ['', '-wal', '-shm', '.acknowledged']) rmSync(eventsPath() + file, { force: true });
  await server.forgetReadModels();
  const store = SqliteEventStore.open(eventsPath(), scrollback.registry);
  for (const { stream, id, type, data, metadata, recordedAtMs } of events) {
    const event: NewEvent = { id, type, data, metadata, recordedAtMs: recordedAtMs - LONG_AGO_MS };
    await store.append(stream, 'any', [event]);
  }
  await store.close();
}

/** Begin the types of what is recorded at its own pace: notifications, and who signs in and visits. */
const APART = ['notice.', 'missed-', 'uses.', 'visit.'];

/** Contents of the events, without times and order. */
function told(events: readonly RecordedEvent[]): string[] {
  const others = events.filter(({ type }) => !APART.some((begin) => type.startsWith(begin)));
  return others.map(({ stream, type, data: { at: _, ...data } }) => `${stream} ${type} ${JSON.stringify(data)}`).sort();
}

const keyOf = ({ stream, revision }: RecordedEvent): string => `${stream}@${revision}`;

function indexOfDone(events: readonly RecordedEvent[], cause: RecordedEvent): number {
  return events.findIndex(({ type, data }) => type === 'follow-up.done.v1' && data.cause === keyOf(cause));
}

async function whenDone(cause: RecordedEvent): Promise<RecordedEvent[]> {
  for (;;) {
    const events = await recorded();
    if (indexOfDone(events, cause) !== -1) return events;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

// On shared stores the log cannot be truncated; follow-ups do not depend on the stores.
const onFiles = isShared ? describe.skip : describe;

onFiles('wherever a process dies after a fact, what follows from it is done once', () => {
  test.each([
    ['channel.subscribed.v1', 2],
    ['channels.subscribed.v1', 3],
    ['messages.moved.v1', 16],
    ['channel.unsubscribed.v1', 1],
    ['channels.unsubscribed.v1', 1],
    ['mute.added.v1', 2],
  ])('%s', async (type, least) => {
    let deaths = 0;
    for (const cause of log.filter((event) => event.type === type && 'entails' in event.data)) {
      const done = indexOfDone(log, cause);
      for (let end = log.indexOf(cause) + 1; end <= done; end++) {
        // The events of one append are recorded together, or not at all; those of a long move are not.
        const isContinued = log[end]?.data.continues !== undefined;
        if (!isContinued && log[end - 1]?.stream === log[end]?.stream) continue;
        await server.restart(() => replaceLog(log.slice(0, end)));
        expect(told(await whenDone(cause))).toEqual(told(log.slice(0, done + 1)));
        deaths++;
      }
    }
    expect(deaths).toBeGreaterThanOrEqual(least);
  });
});

describeShared('an api that dies in the middle', () => {
  const DELAY_MS = 500;
  /** Longer than the time until other processes carry out a follow-up, and their next look. */
  const DONE_WITHIN_MS = 40_000;
  let stores: SharedStores;
  let processes: ServerProcess[] = [];

  beforeAll(async () => {
    build();
    stores = await openSharedStores();
    const environment = { ...stores.environment, PROJECTOR: 'off' };
    processes = (['projector', 'api', 'api'] as const).map((app) => new ServerProcess(app, environment));
    await Promise.all(processes.map((process) => process.start()));
  });

  afterAll(async () => {
    for (const process of processes) await process.discard();
    await stores.stop();
  });

  test('leaves what is to follow to the other one', async () => {
    const [, dying, other] = processes as [ServerProcess, ServerProcess, ServerProcess];
    const doomed = dying.owner();
    const owner = doomed.at(() => other.url);
    const moved = await owner.send('general', 'lunch', 'what moves');
    const contents = async (topic: string): Promise<string[]> => {
      const narrow = [{ operator: 'topic', operand: topic }];
      const asked = { anchor: 'oldest', num_before: 0, num_after: 10, narrow, apply_markdown: false };
      const { messages } = await owner.ok('GET', '/messages', asked);
      return messages.map(({ content }: any) => content);
    };
    stores.standIn.faults.delayAppends(DELAY_MS);
    const request = {
      topic: 'dinner',
      send_notification_to_old_thread: true,
      send_notification_to_new_thread: true,
    };
    const asking = doomed.ok('PATCH', `/messages/${moved}`, request).then(
      () => 'answered',
      () => 'cut off',
    );
    await until(async () => (await contents('dinner')).length === 1);
    await dying.end('SIGKILL');
    stores.standIn.faults.heal();
    expect(await asking).toBe('cut off');
    await until(async () => (await contents('lunch')).length === 1, DONE_WITHIN_MS);
    expect(await contents('lunch')).toEqual([expect.stringContaining('This topic was moved to')]);
    expect(await contents('dinner')).toEqual(['what moves', expect.stringContaining('This topic was moved here')]);
  });
});
