import {
  Client,
  FlagBatch,
  type Call,
  type ClientState,
  type Fields,
  type Outcome,
  outcomeOf,
  type ServerEvent,
  Session,
} from '../index.js';
import type { Surroundings } from './pauses.js';
import { Backoff } from './pauses.js';

/** Time that passes when somebody sleeps. */
class Clock implements Surroundings {
  atMs = 0;
  readonly pauses: number[] = [];

  now(): number {
    return this.atMs;
  }

  random(): number {
    return 0.5;
  }

  async sleep(ms: number): Promise<void> {
    this.pauses.push(ms);
    this.atMs += ms;
    await new Promise(setImmediate);
  }
}

type Scripted = Outcome | ((call: Call) => Outcome);
const answer = (body: Fields): Outcome => ({ kind: 'ok', body });
const refused = (status: number, code: string): Outcome => ({ kind: 'refused', status, code, message: code, body: {} });
const lost: Outcome = { kind: 'lost', reason: 'gone' };
const registered = (id: string, more: Fields = {}): Outcome =>
  answer({ queue_id: id, last_event_id: 10, user_id: 1, max_message_id: 0, alert_words: [], ...more });
const events = (...list: object[]): Outcome => answer({ events: list });
const words = (id: number, ...alert_words: string[]): object => ({ id, type: 'alert_words', alert_words });

interface Ran {
  readonly calls: Call[];
  readonly state: ClientState;
  readonly reports: string[];
  readonly told: ServerEvent[];
  readonly clock: Clock;
}

/** Runs a client against these outcomes, until none is left. */
async function run(...script: Scripted[]): Promise<Ran> {
  const calls: Call[] = [];
  const [reports, told]: [string[], ServerEvent[]] = [[], []];
  const clock = new Clock();
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const client = new Client({
    transport: {
      send: (call) => {
        if (call.method === 'DELETE') return Promise.resolve(answer({}));
        calls.push(call);
        const next = script.shift();
        if (next !== undefined) return Promise.resolve(typeof next === 'function' ? next(call) : next);
        end();
        return new Promise((resolve) => {
          call.signal?.addEventListener('abort', () => {
            resolve(lost);
          });
        });
      },
    },
    surroundings: clock,
    onReport: (text) => reports.push(text),
    onEvent: (event) => told.push(event),
  });
  await client.start();
  await ended;
  const state = client.store.get();
  await client.stop();
  return { calls, state, reports, told, clock };
}

const wordsOf = ({ state }: ClientState): unknown => state?.fields.alert_words;

test('registers, and takes each event once, in order, from where it is', async () => {
  const { calls, state, told } = await run(
    registered('q'),
    events(words(11, 'a')),
    events(words(11, 'a'), words(12, 'b')),
  );
  expect(wordsOf(state)).toEqual(['b']);
  expect(told.map(({ id }) => id)).toEqual([11, 12]);
  expect(calls.map(({ params }) => params?.['last_event_id'])).toEqual([undefined, 10, 11, 12]);
  expect(state.status).toEqual({ kind: 'live' });
});

test('who asks for a few fields knows who it is as well', async () => {
  const { state, calls } = await run(
    registered('lost', { user_id: undefined }),
    lost,
    registered('q', { user_id: undefined }),
    answer({ user_id: 7 }),
  );
  expect(calls.map(({ path }) => path)).toEqual(['/register', '/users/me', '/register', '/users/me', '/events']);
  expect(state.state?.self).toBe(7);
});

describe('a queue that nobody will poll is ended', () => {
  /** A server that names who one is when the test says so. */
  const begun = async (path: string) => {
    const ended: unknown[] = [];
    let give = (_: Outcome): void => undefined;
    const session = new Session(
      {
        send: (call) => {
          if (call.method === 'DELETE') ended.push(call.params?.['queue_id']);
          if (call.path === path && call.method !== 'DELETE') {
            return new Promise((resolve) => {
              give = resolve;
              // As a real one, which drops the answer.
              call.signal?.addEventListener('abort', () => resolve(lost));
            });
          }
          return Promise.resolve(call.path === '/register' ? registered('q', { user_id: undefined }) : answer({}));
        },
      },
      { registered: jest.fn(), event: jest.fn(), status: jest.fn(), report: jest.fn() },
      { surroundings: new Clock() },
    );
    session.start();
    await new Promise(setImmediate);
    return { session, ended, give: (outcome: Outcome) => give(outcome) };
  };

  test('when it stays unknown who one is', async () => {
    const { session, ended, give } = await begun('/users/me');
    give(lost);
    await new Promise(setImmediate);
    expect(ended).toEqual(['q']);
    const stopped = session.stop();
    give(lost);
    await stopped;
  });

  test.each([
    ['/register', registered('q')],
    ['/users/me', answer({ user_id: 7 })],
    ['/users/me', refused(401, 'UNAUTHORIZED')],
  ])('when the session is stopped before the answer to %s', async (path, outcome) => {
    const { session, ended, give } = await begun(path);
    const stopped = session.stop();
    give(outcome);
    await stopped;
    expect(ended).toEqual(['q']);
  });

  test('and none is waited for when nobody is signed in at the stop', async () => {
    const { session, ended, give } = await begun('/register');
    const stopped = session.stop();
    give(refused(401, 'UNAUTHORIZED'));
    await stopped;
    expect(ended).toEqual([]);
  });
});

test('a dropped queue is registered anew', async () => {
  const { state, calls } = await run(
    registered('one'),
    refused(400, 'BAD_EVENT_QUEUE_ID'),
    registered('two', { alert_words: ['new'] }),
  );
  expect(wordsOf(state)).toEqual(['new']);
  expect(calls.at(-1)?.params?.['queue_id']).toBe('two');
});

test('queues that go at once are registered after longer and longer pauses', async () => {
  const gone = [registered('q'), refused(400, 'BAD_EVENT_QUEUE_ID')];
  const { clock } = await run(...gone, ...gone, ...gone, registered('last'), events());
  expect(clock.pauses.slice(0, 3)).toEqual([375, 750, 1500]);
});

test('a loss after a registration that ended a longer one is followed by a short pause', async () => {
  const { clock } = await run(
    registered('q'),
    events(),
    ...[lost, lost, lost, refused(400, 'BAD_EVENT_QUEUE_ID')],
    ...[registered('r'), lost, events()],
  );
  expect(clock.pauses.filter((ms) => ms > 200)).toEqual([375, 750, 1500, 3000, 375]);
});

test('a registration that does not fit is made again, and nobody keeps its queue', async () => {
  const { state, calls, reports, clock } = await run(
    registered('odd', { realm_users: 5 }),
    registered('odd', { realm_users: 5 }),
    registered('q'),
    events(words(11, 'a')),
  );
  expect(calls.map(({ path }) => path)).toEqual(['/register', '/register', '/register', '/events', '/events']);
  expect(clock.pauses.slice(0, 2)).toEqual([375, 750]);
  expect(reports).toHaveLength(1);
  expect([wordsOf(state), state.status.kind]).toEqual([['a'], 'live']);
});

test('what no event tells is asked for in a new registration, once for events that come together', async () => {
  const subscribed = (id: number): ServerEvent => ({
    id,
    type: 'subscription',
    op: 'add',
    subscriptions: [{ stream_id: id, name: `channel ${id}`, first_message_id: 1 }],
  });
  const lists = {
    subscriptions: [],
    unread_msgs: { count: 0, pms: [], streams: [], huddles: [], mentions: [], old_unreads_missing: false },
  };
  const { calls, told } = await run(
    registered('one', lists),
    events(subscribed(11), subscribed(12)),
    registered('two', lists),
  );
  expect(calls.map(({ path }) => path)).toEqual(['/register', '/events', '/register', '/events']);
  expect(told.map(({ id }) => id)).toEqual([11, 12]);
});

test('a client is settled once the registration is there that an event asked for', async () => {
  const unread = { count: 0, pms: [], streams: [], huddles: [], mentions: [], old_unreads_missing: false };
  const lists = { subscriptions: [], unread_msgs: unread };
  const channel = { stream_id: 5, name: 'news', first_message_id: 1 };
  let answered = (_: Outcome): void => undefined;
  const script: (Outcome | Promise<Outcome>)[] = [
    registered('one', lists),
    events({ id: 11, type: 'subscription', op: 'add', subscriptions: [channel] }),
    new Promise<Outcome>((resolve) => (answered = resolve)),
  ];
  const client = new Client({
    transport: {
      send: ({ method, signal }) => {
        if (method === 'DELETE') return Promise.resolve(answer({}));
        const next = script.shift();
        if (next !== undefined) return Promise.resolve(next);
        return new Promise((resolve) => signal?.addEventListener('abort', () => resolve(lost)));
      },
    },
    surroundings: new Clock(),
  });
  await client.start();
  while (script.length > 0) await new Promise(setImmediate);
  const settled = client.settled().then(() => client.store.get().state?.unread?.count);
  for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
  answered(registered('two', { ...lists, unread_msgs: { ...unread, count: 1 } }));
  expect(await settled).toBe(1);
  await client.stop();
});

test.each([
  ['that was not started', () => Promise.resolve()],
  ['of nobody', (client: Client) => client.start()],
])('a client %s waits for no registration', async (_, begin) => {
  const client = new Client({
    transport: { send: () => Promise.resolve(refused(401, 'UNAUTHORIZED')) },
    surroundings: new Clock(),
  });
  await begin(client);
  await client.settled();
  await client.stop();
});

test('a poll that is refused for another reason is followed by a registration, after a pause', async () => {
  const { state, calls, clock } = await run(registered('one'), refused(400, 'BAD_REQUEST'), registered('two'));
  expect(state.status).toEqual({ kind: 'live' });
  expect(calls.map(({ path }) => path)).toEqual(['/register', '/events', '/register', '/events']);
  expect(clock.pauses[0]).toBe(375);
});

describe('an answer that does not fit', () => {
  test.each([
    ['has no events', answer({})],
    ['has an event without an ID', events({ type: 'alert_words', alert_words: [] })],
    ['has an event without a type', events({ id: 11 })],
    ['has nothing for an event', events(null as unknown as object)],
    ['has events that are out of order', events(words(12, 'b'), words(11, 'a'))],
    [
      'has an event that breaks its reducer',
      events({ id: 11, type: 'update_message_flags', op: 'add', flag: 'read', messages: 7 }),
    ],
  ])('%s: the client registers anew, and says so once', async (_, misfit) => {
    const unread = { count: 0, pms: [], streams: [], huddles: [], mentions: [], old_unreads_missing: false };
    const state = { unread_msgs: unread };
    const ran = await run(registered('a', state), misfit, registered('b', state), misfit, registered('c', state));
    expect(ran.calls.at(-1)?.params?.['queue_id']).toBe('c');
    expect(ran.reports).toHaveLength(1);
  });
});

test('unknown events are kept, and reported once for each kind', async () => {
  const surprise = (id: number): object => ({ id, type: 'surprise', op: 'add' });
  const { state, reports } = await run(
    registered('q'),
    events(surprise(11), surprise(12), { id: 13, type: 'stream', op: 'surprise' }, words(14, 'a')),
  );
  expect(state.unknown.map(({ id }) => id)).toEqual([11, 12, 13]);
  expect(reports).toEqual(['The event surprise/add is not known.', 'The event stream/surprise is not known.']);
  expect(wordsOf(state)).toEqual(['a']);
});

test('what has the name of something that every object has is an unknown event', async () => {
  const { state } = await run(registered('q'), events({ id: 11, type: 'constructor' }, { id: 12, type: '__proto__' }));
  expect(state.unknown).toHaveLength(2);
});

test('lost answers are asked for again, after longer and longer pauses', async () => {
  const { calls, clock, state } = await run(
    registered('q'),
    ...Array.from({ length: 9 }, () => lost),
    events(words(11, 'a')),
  );
  // Without the pause before the last poll, which waits.
  expect(clock.pauses.slice(0, 9)).toEqual([375, 750, 1500, 3000, 6000, 12_000, 22_500, 22_500, 22_500]);
  expect(wordsOf(state)).toEqual(['a']);
  // A poll that waits would leave it open for a minute whether all is well again.
  expect(calls.map(({ params }) => params?.['dont_block'])).toEqual([...Array(2), ...Array(9).fill(true), undefined]);
});

test('429 and 503 wait as long as the server says', async () => {
  const { clock } = await run(
    { kind: 'later', status: 503, afterMs: 7_000 },
    registered('q'),
    { kind: 'later', status: 429, afterMs: 20_000 },
    events(),
  );
  expect(clock.pauses.slice(0, 2)).toEqual([7_250, 20_250]);
});

test('a session that has ended waits for the next one, and loses nothing', async () => {
  const script: Outcome[] = [registered('q'), refused(401, 'UNAUTHORIZED'), registered('r')];
  const client = new Client({
    transport: {
      send: (call) =>
        new Promise((resolve) => {
          const next = script.shift();
          if (next === undefined) call.signal?.addEventListener('abort', () => resolve(lost));
          resolve(next ?? lost);
        }),
    },
    surroundings: new Clock(),
  });
  const statuses: string[] = [];
  client.store.subscribe(() => statuses.push(client.store.get().status.kind));
  await client.start();
  while (!statuses.includes('signed-out')) await new Promise(setImmediate);
  client.session.resume();
  while (client.session.queueId !== 'r') await new Promise(setImmediate);
  await client.stop();
});

test('a machine that is online again tries all that was lost at once', async () => {
  let isOnline = true;
  const paths: string[] = [];
  const client = new Client({
    transport: {
      send: (call) => {
        if (call.path !== '/events') paths.push(call.path);
        if (isOnline && call.path === '/register') return Promise.resolve(registered('q'));
        if (isOnline && call.path !== '/events') return Promise.resolve(answer({ id: 7, messages: [] }));
        return Promise.resolve(lost);
      },
    },
    flags: FlagBatch,
    // Nothing comes by waiting.
    surroundings: {
      now: () => 0,
      random: () => 0.5,
      sleep: (_, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
    },
  });
  await client.start();
  while (client.session.queueId === undefined) await new Promise(setImmediate);
  isOnline = false;
  client.send({ userIds: [2] }, 'Hello');
  client.flags?.set('starred', [5], true);
  void client.open([{ operator: 'is', operand: 'starred' }], { anchor: 'newest' });
  for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
  isOnline = true;
  client.wake();
  for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
  const once = ['/messages', '/messages', '/messages/flags'];
  expect(paths.sort()).toEqual([...once, ...once, '/register'].sort());
  await client.stop();
});

describe('what an answer means', () => {
  test.each([
    ['a page of a proxy', 502, null, '<html><h1>502 Bad Gateway</h1></html>', { kind: 'lost' }],
    [
      'a page of a proxy that says all is well',
      200,
      null,
      '<!doctype html><p>Sign in to the Wi-Fi</p>',
      { kind: 'lost' },
    ],
    ['JSON that is cut', 200, null, '{"result":"success","events":[{"id":1', { kind: 'lost' }],
    ['JSON of something else', 200, null, '{"status":"fine"}', { kind: 'lost' }],
    ['a list', 200, null, '[]', { kind: 'lost' }],
    ['nothing', 200, null, '', { kind: 'lost' }],
    ['a fault', 500, null, '{"result":"error","code":"INTERNAL","msg":"x"}', { kind: 'lost' }],
    ['a page with 503', 503, '3', '<html>', { kind: 'later', afterMs: 3_000 }],
    ['503 with a date', 503, 'Wed, 21 Oct 2026 07:28:00 GMT', '', { kind: 'later', afterMs: undefined }],
    [
      '429',
      429,
      '9',
      '{"result":"error","code":"RATE_LIMIT_HIT","msg":"","retry-after":2.5}',
      { kind: 'later', afterMs: 2_500 },
    ],
    [
      'a refusal',
      400,
      null,
      '{"result":"error","code":"BAD_REQUEST","msg":"No."}',
      { kind: 'refused', message: 'No.' },
    ],
    ['a success', 200, null, '{"result":"success","msg":"","id":7}', { kind: 'ok', body: { id: 7 } }],
  ])('%s', (_, status, retryAfter, text, expected) => {
    expect(outcomeOf(status, retryAfter, text)).toMatchObject(expected);
  });
});

test.each([
  [
    'at once',
    () => {
      throw new Error('A fault of the bot.');
    },
  ],
  ['later', () => Promise.reject(new Error('A fault of the bot.'))],
])('an event that a bot fails at, %s, is applied and reported, and those after it are told', async (_, fail) => {
  const told: number[] = [];
  const reports: string[] = [];
  let isAnswered = false;
  const client: Client = new Client({
    transport: {
      send: (call) => {
        if (call.path === '/register') return Promise.resolve(registered('q'));
        if (call.method === 'DELETE') return Promise.resolve(answer({}));
        if (isAnswered) return new Promise((resolve) => call.signal?.addEventListener('abort', () => resolve(lost)));
        isAnswered = true;
        return Promise.resolve(events(words(11, 'a'), words(12, 'b')));
      },
    },
    surroundings: new Clock(),
    onReport: (text) => reports.push(text),
    onEvent: ({ id }) => {
      told.push(id);
      return fail();
    },
  });
  await client.start();
  for (let turn = 0; turn < 30; turn++) await new Promise(setImmediate);
  expect(told).toEqual([11, 12]);
  expect(reports).toEqual(['onEvent: Error: A fault of the bot.']);
  expect([wordsOf(client.store.get()), client.session.queueId]).toEqual([['b'], 'q']);
  await client.stop();
});

test('what is reported is remembered up to a number of texts', () => {
  const report = jest.fn();
  const session = new Session(
    { send: jest.fn() },
    { registered: jest.fn(), event: jest.fn(), status: jest.fn(), report },
  );
  for (let index = 0; index < 100; index++) session.report(`The fault of event ${index}.`);
  session.report('The fault of event 0.');
  expect(report).toHaveBeenCalledTimes(100);
  session.report('The fault of event 100.');
  session.report('The fault of event 0.');
  expect(report).toHaveBeenCalledTimes(102);
});

test('pauses differ by chance, and never exceed 30 s unless the server asks for more, or an hour', () => {
  for (const random of [0, 0.999]) {
    const backoff = new Backoff({ random: () => random });
    for (let attempt = 0; attempt < 50; attempt++) {
      const ms = backoff.next();
      expect(ms).toBeGreaterThanOrEqual(250);
      expect(ms).toBeLessThanOrEqual(30_000);
    }
    expect(backoff.next(100_000)).toBeGreaterThanOrEqual(100_000);
    // A timer of 34 days would end at once.
    expect(backoff.next(3_000_000_000)).toBeLessThanOrEqual(3_600_500);
  }
});
