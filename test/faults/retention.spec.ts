/** Retention, in a process that is killed while it removes: each message goes once, and none that is to stay. */
import { randomUUID } from 'node:crypto';
import { openEventStore, streams } from '#event-store';
import { idsIn } from '#kernel';
import { scrollback } from '#runtime';
import { SEED, seeded, sized, until } from '#testing';
import { isShared } from '../support/pairings.js';
import { build, ServerProcess } from '../support/process.js';
import { openSharedStores, type SharedStores } from '../support/shared-stores.js';

const OLD = sized({ nightly: isShared ? 5_000 : 100_000, usual: isShared ? 60 : 3_000 });
const KILLS = sized({ nightly: 10, usual: 3 });
const AT_ONCE = 200;
/** Guards against hanging only: a shared work is given up by who was killed some seconds later, and looked at every half minute. */
const LIMIT_MS = 240_000;
const DAY = 86_400;
const random = seeded(SEED);

let stores: SharedStores | undefined;
let server: ServerProcess;

beforeAll(async () => {
  build();
  if (isShared) stores = await openSharedStores();
  server = new ServerProcess('api', stores?.environment);
});
afterAll(async () => {
  await server.end('SIGKILL');
  await server.discard();
  await stores?.stop();
});

const openLog = () =>
  openEventStore(stores?.environment['EVENT_STORE_URL'] ?? `sqlite:${server.dataDir}/events.db`, scrollback.registry);

/** Sends of a year ago, in a few topics and one direct conversation, as the log has them. */
async function writeOld(userId: number, channelId: number): Promise<void> {
  const log = await openLog();
  const at = Math.floor(Date.now() / 1000) - 365 * DAY;
  for (let from = 0; from < OLD; from += AT_ONCE) {
    const events = Array.from({ length: Math.min(AT_ONCE, OLD - from) }, (_, index) => {
      const number = from + index;
      const place = number % 10 === 0 ? { to: [userId] } : { channelId, topic: `topic ${number % 7}` };
      const data = { senderId: userId, ...place, content: `old ${number}`, client: 'test', at: at + number };
      return { id: randomUUID(), type: 'message.sent.v1', data, metadata: { by: { kind: 'server' } } };
    });
    await log.append(streams.messages, 'any', events);
  }
  await log.close();
}

test('a process that is killed while messages expire goes on with the next start', async () => {
  await server.start();
  const owner = server.owner();
  owner.userId = (await owner.ok('GET', '/users/me')).user_id;
  const { stream_id: channelId } = await owner.ok('GET', '/get_stream_id', { stream: 'general' });
  await owner.ok('PATCH', '/realm', { message_retention_days: 30 });
  await server.end('SIGTERM');
  await writeOld(owner.userId, channelId);

  const young: number[] = [];
  const due = async (): Promise<number> => {
    const { policies } = await owner.ok('GET', '/operator/retention');
    return (policies as { messages: number }[]).reduce((sum, { messages }) => sum + messages, 0);
  };
  let kills = 0;
  let left = Infinity;
  for (; kills < KILLS && left > 0; kills++) {
    await server.start({ RETENTION: 'on' });
    const first = await due();
    young.push(await owner.send('general', 'topic 1', 'young'));
    await until(async () => (left = await due()) < first || left === 0, LIMIT_MS);
    await new Promise((next) => setTimeout(next, random() * 100));
    await server.end('SIGKILL');
  }
  expect(kills).toBeGreaterThan(1);
  await server.start({ RETENTION: 'on' });
  await until(async () => (await due()) === 0, LIMIT_MS);

  const narrow = [{ operator: 'channel', operand: 'general' }];
  const found = await owner.ok('GET', '/messages', { narrow, anchor: 'newest', num_before: 1000, num_after: 0 });
  const ids = found.messages.map(({ id }: { id: number }) => id);
  expect(ids).toEqual(expect.arrayContaining(young));
  expect(found.messages.filter(({ content }: any) => String(content).includes('old'))).toEqual([]);
  await server.end('SIGTERM');

  const log = await openLog();
  const [sent, expired] = [[] as number[], [] as number[]];
  for await (const page of log.readAll({ streamPrefixes: [streams.messages, streams.allMessageChanges] }))
    for (const { type, revision, data } of page) {
      if (type === 'message.sent.v1' && data.content.startsWith('old')) sent.push(revision + 1);
      if (type === 'messages.expired.v1') expired.push(...idsIn(data.ids));
    }
  await log.close();
  expect(expired.toSorted((a, b) => a - b)).toEqual(sent);
}, 600_000);
