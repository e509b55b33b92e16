/** Scheduled messages (endpoints.md §6). */
import { applyEvents, until } from '#testing';
import { expectRefusal } from '../../support/answers.js';
import type { Answer, ApiClient, TestQueue } from '../../support/client.js';
import { later } from '../../support/later.js';
import { channelOf, startWithPeople, type Cast } from '../../support/people.js';

let cast: Cast;
let ann: ApiClient, ben: ApiClient, cleo: ApiClient;
let annex: number;

beforeAll(async () => {
  cast = await startWithPeople();
  ({ ann, ben, cleo } = cast);
  annex = await channelOf('annex', ann, ben);
});
afterAll(() => cast.server.stop());
afterEach(async () => {
  for (const { scheduled_message_id: id } of await list()) await ann.call('DELETE', `${PATH}/${id}`);
});

const PATH = '/scheduled_messages';
const HOUR = 3_600;
const soon = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds;
const list = async (client = ann): Promise<any[]> => (await client.ok('GET', PATH)).scheduled_messages;
const add = async (parameters: object, client = ann): Promise<number> =>
  (await client.ok('POST', PATH, { ...parameters })).scheduled_message_id;
const toAnnex = (parameters: object = {}): object => ({
  type: 'channel',
  to: annex,
  topic: 'plans',
  content: 'later',
  scheduled_delivery_timestamp: soon(86_400),
  ...parameters,
});
const eventOf = ({ id: _, ...event }: any): any => event;

/** Polls until an event of this type and op has come; gives all since. */
async function polled(queue: TestQueue, type: string, op?: string): Promise<any[]> {
  const events: any[] = [];
  await until(async () => {
    events.push(...(await queue.pending()));
    return events.some((event) => event.type === type && (op === undefined || event.op === op));
  });
  return events;
}

test('are added, changed, removed, and told to all of their owner’s clients alone', async () => {
  const queue = await ann.register();
  const others = await ben.register();
  const at = soon(86_400);
  const one = await add({
    type: 'direct',
    to: [ben.userId, ann.userId],
    content: '*hi* \n',
    scheduled_delivery_timestamp: at + 60,
  });
  const two = await add(toAnnex({ type: 'stream', to: [annex], content: 'later', scheduled_delivery_timestamp: at }));
  const self = await add({
    type: 'private',
    to: [ann.userId],
    content: 'note',
    scheduled_delivery_timestamp: at + 120,
  });
  expect([two, self]).toEqual([one + 1, one + 2]);
  const direct = {
    scheduled_message_id: one,
    type: 'private',
    to: [ben.userId],
    content: '*hi*',
    rendered_content: '<p><em>hi</em></p>',
    scheduled_delivery_timestamp: at + 60,
    failed: false,
  };
  const channel = {
    scheduled_message_id: two,
    type: 'stream',
    to: annex,
    topic: 'plans',
    content: 'later',
    rendered_content: '<p>later</p>',
    scheduled_delivery_timestamp: at,
    failed: false,
  };
  const note = {
    ...direct,
    scheduled_message_id: self,
    to: [ann.userId],
    content: 'note',
    rendered_content: '<p>note</p>',
    scheduled_delivery_timestamp: at + 120,
  };
  expect(await list()).toEqual([channel, direct, note]);

  await ann.ok('PATCH', `${PATH}/${two}`, { content: 'sooner', topic: 'other' });
  await ann.ok('PATCH', `${PATH}/${two}`, { content: 'sooner' });
  await ann.ok('PATCH', `${PATH}/${one}`, { scheduled_delivery_timestamp: at - 60 });
  await ann.ok('PATCH', `${PATH}/${self}`, { type: 'channel', to: annex, topic: '' });
  await ann.ok('PATCH', `${PATH}/${self}`, { type: 'direct', to: [cleo.userId, ben.userId] });
  await ann.ok('DELETE', `${PATH}/${two}`);
  const changed = { ...channel, content: 'sooner', rendered_content: '<p>sooner</p>', topic: 'other' };
  const earlier = { ...direct, scheduled_delivery_timestamp: at - 60 };
  const moved = { ...note, type: 'stream', to: annex, topic: '' };
  const again = { ...note, to: [ben.userId, cleo.userId].sort((a, b) => a - b) };
  expect(await list()).toEqual([earlier, again]);

  const events = await queue.pending();
  const type = 'scheduled_messages';
  expect(events.map(eventOf)).toEqual([
    { type, op: 'add', scheduled_messages: [direct] },
    { type, op: 'add', scheduled_messages: [channel] },
    { type, op: 'add', scheduled_messages: [note] },
    { type, op: 'update', scheduled_message: changed },
    { type, op: 'update', scheduled_message: earlier },
    { type, op: 'update', scheduled_message: moved },
    { type, op: 'update', scheduled_message: again },
    { type, op: 'remove', scheduled_message_id: two },
  ]);
  const { scheduled_messages } = (await ann.register({ fetch_event_types: ['scheduled_messages'] })).state;
  expect(scheduled_messages).toEqual([earlier, again]);
  expect(applyEvents(queue.state, events)['scheduled_messages']).toEqual(scheduled_messages);
  expect(await others.pending()).toEqual([]);
  expect(await list(ben)).toEqual([]);
  await cast.server.restart(() => cast.server.forgetReadModels());
  expect(await list()).toEqual([earlier, again]);
});

describe('refused, changing and telling nothing:', () => {
  const past = /^Scheduled delivery time must be in the future\.$/;
  let id: number;
  let secret: number;
  let queue: TestQueue;
  let kept: any[];
  beforeAll(async () => {
    secret = (
      await ben.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'vault' }], invite_only: true })
    ).status;
    secret = (await ben.ok('GET', '/get_stream_id', { stream: 'vault' })).stream_id;
  });
  beforeEach(async () => {
    id = await add(toAnnex());
    kept = await list();
    queue = await ann.register({ event_types: ['scheduled_messages', 'message'] });
  });
  afterEach(async () => {
    expect(await list()).toEqual(kept);
    expect(await queue.pending()).toEqual([]);
  });

  test.each<[string, () => object, string, RegExp]>([
    ['now', () => toAnnex({ scheduled_delivery_timestamp: soon(0) }), 'BAD_REQUEST', past],
    ['a time before all clocks', () => toAnnex({ scheduled_delivery_timestamp: -1 }), 'BAD_REQUEST', past],
    ['no time', () => toAnnex({ scheduled_delivery_timestamp: undefined }), 'REQUEST_VARIABLE_MISSING', /./],
    ['a time in words', () => toAnnex({ scheduled_delivery_timestamp: 'soon' }), 'REQUEST_VARIABLE_INVALID', /./],
    [
      'a time after the year 9999',
      () => toAnnex({ scheduled_delivery_timestamp: 253_402_300_800 }),
      'BAD_REQUEST',
      /./,
    ],
    ['no type', () => toAnnex({ type: undefined }), 'REQUEST_VARIABLE_MISSING', /./],
    ['another type', () => toAnnex({ type: 'dm' }), 'BAD_REQUEST', /./],
    ['no recipients named', () => toAnnex({ to: undefined }), 'REQUEST_VARIABLE_MISSING', /./],
    ['a channel by name', () => toAnnex({ to: '"annex"' }), 'BAD_REQUEST', /./],
    ['two channels', () => toAnnex({ to: [annex, annex] }), 'BAD_REQUEST', /./],
    ['no content', () => toAnnex({ content: ' \n' }), 'BAD_REQUEST', /empty/],
    ['a null byte', () => toAnnex({ content: 'a\0b' }), 'BAD_REQUEST', /null bytes/],
    ['an unknown channel', () => toAnnex({ to: 99_999 }), 'STREAM_DOES_NOT_EXIST', /./],
    ['a channel out of sight', () => toAnnex({ to: secret }), 'STREAM_DOES_NOT_EXIST', /./],
    ['nobody', () => toAnnex({ type: 'direct', to: [] }), 'BAD_REQUEST', /recipients/],
    ['an unknown user', () => toAnnex({ type: 'direct', to: [99_999] }), 'BAD_REQUEST', /99999/],
  ])('%s', async (_, parameters, code, words) => {
    const answer = await ann.call('POST', PATH, { ...parameters() });
    expect(expectRefusal(answer, code).msg).toMatch(words);
  });

  test.each<[string, () => object, string, RegExp]>([
    ['a change of nothing', () => ({}), 'BAD_REQUEST', /^Nothing to change$/],
    ['a change into the past', () => ({ scheduled_delivery_timestamp: soon(-5) }), 'BAD_REQUEST', past],
    ['a type without recipients', () => ({ type: 'direct' }), 'BAD_REQUEST', /^Recipient required/],
    ['a channel without a topic', () => ({ type: 'channel', to: annex }), 'BAD_REQUEST', /^Topic required/],
    ['a change to a channel out of sight', () => ({ to: secret }), 'STREAM_DOES_NOT_EXIST', /./],
    ['a change to nothing to say', () => ({ content: '' }), 'BAD_REQUEST', /empty/],
  ])('%s', async (_, parameters, code, words) => {
    const answer = await ann.call('PATCH', `${PATH}/${id}`, { ...parameters() });
    expect(expectRefusal(answer, code).msg).toMatch(words);
  });

  test('what one does not own, alike for what there is not', async () => {
    const calls: [ApiClient, string][] = [
      [ben, `${PATH}/${id}`],
      [ann, `${PATH}/99999`],
      [ann, `${PATH}/0`],
      [ann, `${PATH}/x`],
    ];
    for (const [client, path] of calls) {
      const answers = [await client.call('PATCH', path, { content: 'x' }), await client.call('DELETE', path)];
      for (const answer of answers)
        expect(expectRefusal(answer, 'BAD_REQUEST', 404).msg).toBe('Scheduled message does not exist');
    }
  });
});

test('what is due is sent once, as its sender and client, and its sender is told', async () => {
  const phone = ann.as('Phone/1');
  const [annQueue, benQueue] = [await ann.register(), await ben.register()];
  const at = soon(HOUR);
  const id = await add(toAnnex({ content: 'now @**Ben Baker**', scheduled_delivery_timestamp: at }), phone);
  await add(
    { type: 'direct', to: [ann.userId], content: 'to me', scheduled_delivery_timestamp: at },
    ann.as('website'),
  );
  const told: any[] = [];
  await later(HOUR + 1, () =>
    until(async () => {
      told.push(...(await annQueue.pending()));
      return told.filter(({ type, op }) => type === 'scheduled_messages' && op === 'remove').length === 2;
    }),
  );
  expect(await list()).toEqual([]);
  expect(told.filter(({ type }) => type === 'message').map(({ message, flags }) => [message.content, flags])).toEqual(
    expect.arrayContaining([
      [expect.stringContaining('now'), []],
      ['to me', []],
    ]),
  );
  const places = told.map(({ type, op, scheduled_message_id: gone }) => [type, op, gone]);
  const removed = places.findIndex(
    ([type, op, gone]) => type === 'scheduled_messages' && op === 'remove' && gone === id,
  );
  const sent = told.findIndex(({ message }) => message?.content.includes('now'));
  expect([sent >= 0, sent < removed]).toEqual([true, true]);
  const { message, flags } = (await polled(benQueue, 'message')).find(({ type }) => type === 'message');
  expect(flags).toEqual(['mentioned']);
  expect(message).toMatchObject({ sender_id: ann.userId, client: 'Phone', stream_id: annex, subject: 'plans' });
  expect(message.timestamp).toBeGreaterThanOrEqual(at);
  expect(expectRefusal(await ann.call('PATCH', `${PATH}/${id}`, { content: 'x' }), 'BAD_REQUEST').msg).toBe(
    'Scheduled message was already sent',
  );
  expectRefusal(await ann.call('DELETE', `${PATH}/${id}`), 'BAD_REQUEST', 404);
  expect(applyEvents(annQueue.state, told)['scheduled_messages']).toEqual([]);
});

test('what is due at the same time is sent in the order in which it was scheduled', async () => {
  const queue = await ben.register({ event_types: ['message'] });
  const at = soon(HOUR);
  const contents = ['one', 'two', 'three', 'four', 'five'];
  for (const content of contents) await add(toAnnex({ content, scheduled_delivery_timestamp: at }));
  const sent: string[] = [];
  await later(HOUR + 1, () =>
    until(async () => {
      sent.push(...(await queue.pending()).map(({ message }: any) => message.content));
      return sent.length === contents.length;
    }),
  );
  expect(sent).toEqual(contents.map((content) => expect.stringContaining(content)));
});

describe('what cannot be sent', () => {
  /** A message that is due in an hour, in a private channel that Ann is put out of meanwhile. */
  async function lost(name: string): Promise<{ id: number; queue: TestQueue; channel: number }> {
    const subscriptions = [{ name }];
    const principals = [ben.userId, ann.userId];
    await ben.ok('POST', '/users/me/subscriptions', { subscriptions, principals, invite_only: true });
    const channel = (await ben.ok('GET', '/get_stream_id', { stream: name })).stream_id;
    const queue = await ann.register();
    const id = await add(toAnnex({ to: channel, content: 'lost', scheduled_delivery_timestamp: soon(HOUR) }));
    await ben.ok('DELETE', '/users/me/subscriptions', { subscriptions: [name], principals: [ann.userId] });
    return { id, queue, channel };
  }

  test('for want of access, is kept and told with the reason; another time clears it', async () => {
    const { id, queue, channel } = await lost('side');
    const events = await later(HOUR + 1, () => polled(queue, 'message'));
    const [failed] = await list();
    expect(failed).toMatchObject({ scheduled_message_id: id, to: channel, content: 'lost', failed: true });
    expect(events.filter(({ type }) => type === 'scheduled_messages').map(eventOf)).toEqual([
      { type: 'scheduled_messages', op: 'add', scheduled_messages: [{ ...failed, failed: false }] },
      { type: 'scheduled_messages', op: 'update', scheduled_message: failed },
    ]);
    const { message, flags } = events.find(({ type }) => type === 'message');
    expect(message).toMatchObject({ type: 'private', sender_email: expect.stringMatching(/^notification-bot@/) });
    expect(message.content).toContain(`Channel with ID '${channel}' does not exist`);
    expect(flags).toEqual([]);
    const path = `${PATH}/${id}`;
    const untimed = await later(HOUR + 1, () => ann.call('PATCH', path, { to: annex }));
    expect(expectRefusal(untimed, 'BAD_REQUEST').msg).toMatch(/in the future/);
    await ann.ok('PATCH', path, { to: annex, scheduled_delivery_timestamp: soon(2 * HOUR) });
    expect(await list()).toEqual([expect.objectContaining({ to: annex, failed: false })]);
    const again = await later(2 * HOUR + 1, () => polled(queue, 'scheduled_messages', 'remove'));
    expect(again.find(({ type }) => type === 'message').message).toMatchObject({ content: 'lost', stream_id: annex });
    expect(applyEvents(queue.state, [...events, ...again])['scheduled_messages']).toEqual(await list());
  });

  test('for want of access, can be removed', async () => {
    const { id, queue } = await lost('cellar');
    await later(HOUR + 1, () => polled(queue, 'message'));
    await ann.ok('DELETE', `${PATH}/${id}`);
    expect(await list()).toEqual([]);
  });

  test('because its sender is deactivated, waits for them to come back', async () => {
    const dan = await cast.server.user('Dan Deer');
    const watching = await ben.register({ event_types: ['message'] });
    await add({ type: 'direct', to: [ben.userId], content: 'bye', scheduled_delivery_timestamp: soon(HOUR) }, dan);
    await cast.owner.ok('DELETE', `/users/${dan.userId}`);
    await add({ type: 'direct', to: [ben.userId], content: 'still here', scheduled_delivery_timestamp: soon(HOUR) });
    const [{ message }] = await later(HOUR + 1, () => polled(watching, 'message'));
    expect(message.content).toBe('still here');
    await cast.owner.ok('POST', `/users/${dan.userId}/reactivate`);
    expect(await list(dan)).toEqual([expect.objectContaining({ content: 'bye', failed: true })]);
  });

  test('because more than ten minutes have passed, fails', async () => {
    const queue = await ann.register();
    const late = await add(toAnnex({ content: 'late', scheduled_delivery_timestamp: soon(HOUR) }));
    const inTime = await add(toAnnex({ content: 'in time', scheduled_delivery_timestamp: soon(HOUR + 300) }));
    await later(HOUR + 660, async () => {
      const events = await polled(queue, 'scheduled_messages', 'remove');
      expect(events.filter(({ op }) => op === 'remove')).toMatchObject([{ scheduled_message_id: inTime }]);
      await until(async () => (await list())[0].failed);
      expect(await list()).toMatchObject([{ scheduled_message_id: late, content: 'late', failed: true }]);
    });
  });
});

test('a user’s take 2 MiB at most', async () => {
  const content = '𝐀'.repeat(10_000);
  const schedule = (): Promise<Answer> => ann.call('POST', PATH, { ...toAnnex({ content }) });
  let [answer, added] = [await schedule(), 0];
  // A busy server may ask for another try.
  for (; answer.status === 200 || answer.status === 503; answer = await schedule())
    added += answer.status === 200 ? 1 : 0;
  expect(expectRefusal(answer, 'BAD_REQUEST').msg).toMatch(/2097152 bytes/);
  // Each takes 40 kB as Markdown, and as much as HTML.
  expect([added > 20, added < 30]).toEqual([true, true]);
  expect(await list()).toHaveLength(added);
}, 300_000);

test('two changes at the same time both count', async () => {
  const id = await add(toAnnex());
  const times = Array.from({ length: 4 }, (_, index) => soon(90_000 + index));
  await Promise.all([
    ...times.map((time) => ann.ok('PATCH', `${PATH}/${id}`, { scheduled_delivery_timestamp: time })),
    ann.ok('PATCH', `${PATH}/${id}`, { content: 'both' }),
  ]);
  const [{ content, scheduled_delivery_timestamp: time }] = await list();
  expect([content, times.includes(time)]).toEqual(['both', true]);
});
