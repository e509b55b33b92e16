/** An event on which a projection fails: it is set aside, and the rest of the server goes on. */
import { setTimeout as pause } from 'node:timers/promises';
import type { RecordedEvent } from '#event-store';
import type { Projection } from '#read-store';
import { compose, FEATURES } from '#runtime';
import { fetch, until } from '#testing';
import type { ApiClient } from '../../support/client.js';
import { startTestServer, type TestServer } from '../../support/server.js';

const POISON = 'message.sent.v1';
const SECRET = 'only for our eyes';

/** Projections that fail on the next message. */
const sick = new Set<string>();

/** Reads sends as well as what it reads anyway, so that one event can poison any projection. */
function poisonable<Poisonable extends Projection>(projection: Poisonable): Poisonable {
  const { name } = projection.collection;
  const fail = (event: RecordedEvent): void => {
    if (event.type === POISON && sick.has(name)) throw new Error(`cannot digest ${JSON.stringify(event.data)}`);
  };
  return {
    ...projection,
    handles: new Set([...projection.handles, POISON]),
    keys(event: RecordedEvent) {
      fail(event);
      return projection.handles.has(event.type) ? projection.keys(event) : [];
    },
  };
}

const healthy = compose(FEATURES);
const composition = {
  ...compose(
    FEATURES.map((feature) => ({
      ...feature,
      ...(feature.projections === undefined ? {} : { projections: feature.projections.map(poisonable) }),
    })),
  ),
  openFollowUps: poisonable(healthy.openFollowUps),
  dueIndex: poisonable(healthy.dueIndex),
};
const NAMES = [...healthy.features.projections, healthy.openFollowUps, healthy.dueIndex].map(
  ({ collection }) => collection.name,
);

let server: TestServer;
let reader: ApiClient;
let log = '';

beforeAll(async () => {
  server = await startTestServer({}, (line) => (log += line), composition);
  reader = await server.user();
  await server.owner.ok('POST', '/users/me/subscriptions', {
    subscriptions: [{ name: 'den' }],
    principals: [server.owner.userId, reader.userId].filter((id) => id !== 0),
  });
});
afterAll(() => server.stop());

/** What can be asked, and which projections the answer needs. */
const ROUTES: readonly {
  readonly path: string;
  readonly parameters?: Record<string, unknown>;
  readonly needs: readonly string[];
}[] = [
  { path: '/users', needs: [] },
  { path: '/streams', needs: [] },
  { path: '/users/me/subscriptions', needs: [] },
  { path: '/realm/linkifiers', needs: [] },
  { path: '/user_groups', needs: [] },
  // The ID of the newest message is known from the log.
  { path: '/users/me', needs: [] },
  {
    path: '/messages',
    parameters: { anchor: 'newest', num_before: 5, num_after: 0 },
    needs: ['messages', 'user_flags'],
  },
  { path: '/users/me/1/topics', needs: ['messages', 'conversations'] },
  { path: '/drafts', needs: ['drafts'] },
  { path: '/saved_snippets', needs: ['saved_snippets'] },
  { path: '/navigation_views', needs: ['navigation_views'] },
  { path: '/scheduled_messages', needs: ['scheduled_messages'] },
  { path: '/attachments', needs: ['files', 'file_space'] },
];
const MESSAGE = { type: 'stream', to: 'den', topic: 'poison', content: SECRET };

async function participant(name: string): Promise<any> {
  const { participants } = await server.owner.ok('GET', '/operator/projections');
  return participants.find((one: { name: string }) => one.name === name);
}

async function poison(name: string): Promise<void> {
  sick.add(name);
  await server.owner.ok('POST', '/messages', MESSAGE);
}

/** As a release does that can digest the event. */
async function mend(name: string): Promise<void> {
  sick.delete(name);
  await server.owner.ok('POST', `/operator/projections/${name}/rebuild`);
  // On shared stores the status is that of the last three seconds.
  await until(async () => (await participant(name)).setAside === undefined);
}

test('commands are accepted while other processes are told of it', async () => {
  const told = new AbortController();
  const poisoned = poison('drafts').finally(() => {
    told.abort();
  });
  const hasty = Object.assign(server.owner.as('ScrollbackTest/hasty'), { isPatient: false });
  const sends: Promise<{ readonly body: any }>[] = [];
  while (!told.signal.aborted) {
    // Each waits for its message to be shown; the next ones are refused when that takes too long.
    sends.push(hasty.call('POST', '/messages', { ...MESSAGE, content: 'bread' }));
    await pause(20);
  }
  await poisoned;
  const refused = (await Promise.all(sends)).filter(({ body }) => body.result !== 'success');
  expect(refused.map(({ body }) => body.msg)).toEqual([]);
  await mend('drafts');
});

test('the doctor names what is set aside, and says no more of it when it is well again', async () => {
  const failures = async (): Promise<string[]> =>
    (await server.owner.ok('GET', '/operator/doctor')).checks
      .filter(({ name, state }: Record<string, string>) => name === 'read models' && state === 'failure')
      .map(({ text }: { text: string }) => text);
  await poison('drafts');
  await until(async () => (await failures()).length > 0);
  expect(await failures()).toEqual([
    expect.stringMatching(
      /^drafts failed on message\.sent\.v1 at position \d+ and is set aside: `projections show drafts` /,
    ),
  ]);
  await mend('drafts');
  await until(async () => (await failures()).length === 0);
});

test.each(NAMES)('%s is set aside on an event: sends and what does not need it go on', async (name) => {
  const before = (await participant(name)) as { position: number };
  await poison(name);
  await server.owner.ok('POST', '/messages', { ...MESSAGE, content: 'the next one' });
  const { setAside, ...status } = await participant(name);
  expect(setAside).toMatchObject({
    participant: name,
    type: POISON,
    stream: '1.messages',
    id: expect.any(String),
    reason: expect.stringContaining('Error: cannot digest'),
  });
  expect(JSON.stringify(setAside)).not.toContain(SECRET);
  expect(setAside.position).toBeGreaterThan(before.position);
  expect(status.lagEvents).toBeGreaterThan(0);
  for (const { path, parameters, needs } of ROUTES) {
    const answer = await reader.call('GET', path, parameters);
    const told = [answer.status, answer.body.code, answer.body.projection];
    expect([path, ...told]).toEqual(
      needs.includes(name) ? [path, 503, 'PROJECTION_SET_ASIDE', name] : [path, 200, undefined, undefined],
    );
  }
  await mend(name);
  for (const { path, parameters } of ROUTES) await reader.ok('GET', path, parameters);
});

test('a registration that needs it is refused by its name, and one that does not is not', async () => {
  await poison('drafts');
  const refused = await reader.call('POST', '/register', { fetch_event_types: ['drafts'] });
  expect([refused.status, refused.body.code, refused.body.projection]).toEqual([503, 'PROJECTION_SET_ASIDE', 'drafts']);
  await reader.ok('POST', '/register', { fetch_event_types: ['subscription'] });
  await mend('drafts');
});

test('a queue says what it lacks, and misses nothing', async () => {
  const { queue_id, last_event_id } = await reader.ok('POST', '/register', { event_types: ['message'] });
  const poll = { queue_id, last_event_id, dont_block: true };
  await poison('messages');
  const refused = await reader.call('GET', '/events', poll);
  expect([refused.status, refused.body.code, refused.body.projection]).toEqual([
    503,
    'PROJECTION_SET_ASIDE',
    'messages',
  ]);
  await mend('messages');
  const { events } = await reader.ok('GET', '/events', poll);
  expect(events.map(({ message }: any) => message?.content)).toEqual([expect.stringContaining(SECRET)]);
});

test('a send that needs it is refused before anything is recorded', async () => {
  await poison('keyed_sends');
  const { id } = await server.owner.ok('POST', '/messages', MESSAGE);
  const authorization = `Basic ${Buffer.from(`${reader.email}:${reader.apiKey}`).toString('base64')}`;
  const refused = await fetch(`${server.url}/api/v1/messages`, {
    method: 'POST',
    headers: { authorization, 'idempotency-key': 'a-key-of-this-test' },
    body: new URLSearchParams(MESSAGE),
  });
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '60']);
  expect(await refused.json()).toMatchObject({ code: 'PROJECTION_SET_ASIDE', projection: 'keyed_sends' });
  expect(await server.owner.ok('POST', '/messages', MESSAGE)).toMatchObject({ id: Number(id) + 1 });
  await mend('keyed_sends');
});

test('a start with the fix resumes it, and one without sets it aside again', async () => {
  await poison('conversations');
  await server.restart();
  await until(async () => (await participant('conversations')).setAside !== undefined);
  await server.owner.ok('POST', '/messages', MESSAGE);
  sick.clear();
  await server.restart();
  await until(async () => (await participant('conversations')).setAside === undefined);
  await reader.ok('GET', '/users/me/1/topics');
  expect(log).toMatch(
    /"projection":"conversations","position":\d+,"msg":"A projection that was set aside, or left behind, follows the log again\."/,
  );
});

test('nothing of the contents is in the log of the server', () => {
  expect(log).toContain('It is set aside, and the others go on.');
  expect(log).not.toContain(SECRET);
});
