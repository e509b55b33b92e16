/** Reminders of messages (endpoints.md §6). */
import { applyEvents, until } from '#testing';
import { expectRefusal } from '../../support/answers.js';
import type { ApiClient, TestQueue } from '../../support/client.js';
import { later, moveClock } from '../../support/later.js';
import { channelOf, startWithPeople, type Cast } from '../../support/people.js';

let cast: Cast;
let ann: ApiClient, ben: ApiClient;
let annex: number;

beforeAll(async () => {
  cast = await startWithPeople();
  ({ ann, ben } = cast);
  annex = await channelOf('annex', ann, ben);
});
afterAll(() => cast.server.stop());
afterEach(async () => {
  for (const { reminder_id: id } of await list()) await ann.call('DELETE', `/reminders/${id}`);
});

const HOUR = 3_600;
const soon = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds;
const list = async (client = ann): Promise<any[]> => (await client.ok('GET', '/reminders')).reminders;
const add = async (messageId: number, time: number, note?: string, client = ann): Promise<number> => {
  const parameters = { message_id: messageId, scheduled_delivery_timestamp: time, note };
  return (await client.ok('POST', '/reminders', parameters)).reminder_id;
};
const eventOf = ({ id: _, ...event }: any): any => event;

/** What the notification bot says next, as Markdown. */
async function told(queue: TestQueue): Promise<{ message: any; flags: string[]; events: any[] }> {
  const events: any[] = [];
  const byBot = ({ type, message }: any): boolean =>
    type === 'message' && message.type === 'private' && message.sender_email.startsWith('notification-bot@');
  await until(async () => {
    events.push(...(await queue.pending()));
    return events.some(({ type, op }) => type === 'reminders' && op === 'remove') && events.some(byBot);
  });
  return { ...events.find(byBot), events };
}

test('are added, removed, and told to all of their owner’s clients alone', async () => {
  const messageId = await ben.send('annex', 'plans', 'soup?');
  const directId = await ben.sendTo([ann], 'psst');
  const [queue, others] = [await ann.register(), await ben.register({ event_types: ['reminders'] })];
  const at = soon(86_400);
  const later = await add(messageId, at + 60, ' buy *leek*\nand salt ');
  const sooner = await add(directId, at);
  expect(sooner).toBe(later + 1);
  const reminders = await list();
  const common = { type: 'private', to: [ann.userId], failed: false };
  const text = { content: expect.any(String), rendered_content: expect.stringMatching(/^<p>/) };
  expect(reminders).toEqual([
    { reminder_id: sooner, ...common, ...text, scheduled_delivery_timestamp: at, reminder_target_message_id: directId },
    {
      reminder_id: later,
      ...common,
      ...text,
      scheduled_delivery_timestamp: at + 60,
      reminder_target_message_id: messageId,
    },
  ]);
  expect(reminders[1].content).toMatch(/> buy \*leek\*\n> and salt$/);
  await ann.ok('DELETE', `/reminders/${later}`);
  const events = await queue.pending();
  expect(events.map(eventOf)).toEqual([
    { type: 'reminders', op: 'add', reminders: [reminders[1]] },
    { type: 'reminders', op: 'add', reminders: [reminders[0]] },
    { type: 'reminders', op: 'remove', reminder_id: later },
  ]);
  const { state } = await ann.register({ fetch_event_types: ['reminders'] });
  expect(state.reminders).toEqual([reminders[0]]);
  expect(applyEvents(queue.state, events)['reminders']).toEqual(state.reminders);
  expect(await others.pending()).toEqual([]);
  expect(await list(ben)).toEqual([]);
  await cast.server.restart(() => cast.server.forgetReadModels());
  expect(await list()).toEqual([reminders[0]]);
});

test('refusals change and tell nothing', async () => {
  const messageId = await ben.send('annex', 'plans', 'soup?');
  const secretId = await ben.sendTo([cast.cleo], 'psst');
  const id = await add(messageId, soon(86_400));
  const kept = await list();
  const queue = await ann.register({ event_types: ['reminders'] });
  const at = soon(3_600);
  const bad: [object, string, RegExp][] = [
    [{ message_id: messageId, scheduled_delivery_timestamp: soon(0) }, 'BAD_REQUEST', /in the future/],
    [{ message_id: messageId, scheduled_delivery_timestamp: -1 }, 'BAD_REQUEST', /in the future/],
    [{ message_id: messageId, scheduled_delivery_timestamp: 1e15 }, 'BAD_REQUEST', /./],
    [{ message_id: messageId, scheduled_delivery_timestamp: 'x' }, 'REQUEST_VARIABLE_INVALID', /./],
    [{ message_id: messageId }, 'REQUEST_VARIABLE_MISSING', /./],
    [{ scheduled_delivery_timestamp: at }, 'REQUEST_VARIABLE_MISSING', /./],
    [{ message_id: 99_999, scheduled_delivery_timestamp: at }, 'BAD_REQUEST', /^Invalid message\(s\)$/],
    [{ message_id: secretId, scheduled_delivery_timestamp: at }, 'BAD_REQUEST', /^Invalid message\(s\)$/],
    [{ message_id: messageId, scheduled_delivery_timestamp: at, note: 'x'.repeat(1001) }, 'BAD_REQUEST', /note/],
    [{ message_id: messageId, scheduled_delivery_timestamp: at, note: 'a\0b' }, 'BAD_REQUEST', /null bytes/],
  ];
  for (const [parameters, code, words] of bad) {
    const answer = await ann.call('POST', '/reminders', { ...parameters });
    expect(expectRefusal(answer, code).msg).toMatch(words);
  }
  for (const [client, path] of [
    [ben, `/reminders/${id}`],
    [ann, '/reminders/99999'],
    [ann, '/reminders/0'],
    [ann, '/reminders/x'],
  ] as const)
    expect(expectRefusal(await client.call('DELETE', path), 'BAD_REQUEST', 404).msg).toBe('Reminder does not exist');
  expect(await list()).toEqual(kept);
  expect(await queue.pending()).toEqual([]);
});

describe('when it is due, the notification bot', () => {
  test('quotes the message as it is now, with its sender, a link and the note', async () => {
    const messageId = await ben.send('annex', 'plans', 'soup?');
    const queue = await ann.register({ apply_markdown: false });
    const id = await add(messageId, soon(HOUR), 'buy *leek*');
    await ben.ok('PATCH', `/messages/${messageId}`, { content: '```\nstew\n```', topic: 'dinner' });
    const { message, flags, events } = await later(HOUR + 1, () => told(queue));
    expect(flags).toEqual([]);
    const path = `/#narrow/channel/${annex}-annex/topic/dinner/near/${messageId}`;
    expect(message.content).toBe(
      [
        `You requested a reminder for [this message](${path}). Note:`,
        '',
        '> buy *leek*',
        '',
        `@_**Ben Baker|${ben.userId}** [said](${path}):`,
        '````quote',
        '```',
        'stew',
        '```',
        '````',
      ].join('\n'),
    );
    const order = events.map(({ type, op }) => `${type}/${op}`).filter((kind) => /^message\/|^reminders\//.test(kind));
    // The second message is the notice of the move.
    expect(order).toEqual(['reminders/add', 'message/undefined', 'message/undefined', 'reminders/remove']);
    expect(events.find(({ type, op }) => type === 'reminders' && op === 'remove').reminder_id).toBe(id);
    expect(await list()).toEqual([]);
    expectRefusal(await ann.call('DELETE', `/reminders/${id}`), 'BAD_REQUEST', 404);
  });

  test('cuts a long message off', async () => {
    const messageId = await ben.sendTo([ann], 'x'.repeat(10_000));
    const queue = await ann.register({ apply_markdown: false });
    await add(messageId, soon(HOUR));
    const { message } = await later(HOUR + 1, () => told(queue));
    expect(message.content).toMatch(/x\n\[message truncated\]\n```$/);
    expect(message.content).toHaveLength(10_000);
    expect(message.content).toContain(
      `/#narrow/dm/${[ann.userId, ben.userId].sort((a, b) => a - b).join(',')}-dm/near/`,
    );
  });

  test.each<[string, () => Promise<[number, () => Promise<unknown>]>]>([
    [
      'that was deleted',
      async () => {
        const id = await ben.send('annex', 'plans', 'secret soup');
        return [id, () => cast.owner.ok('DELETE', `/messages/${id}`)];
      },
    ],
    [
      'that got out of sight',
      async () => {
        const principals = [ben.userId, ann.userId];
        await ben.ok('POST', '/users/me/subscriptions', {
          subscriptions: [{ name: 'vault' }],
          principals,
          invite_only: true,
        });
        const id = await ben.send('vault', 'secret plans', 'secret soup');
        const subscriptions = ['vault'];
        return [id, () => ben.ok('DELETE', '/users/me/subscriptions', { subscriptions, principals: [ann.userId] })];
      },
    ],
  ])('tells nothing of a message %s', async (_, make) => {
    const [messageId, hide] = await make();
    const queue = await ann.register({ apply_markdown: false });
    await add(messageId, soon(HOUR), 'leek');
    await hide();
    const { message } = await later(HOUR + 1, () => told(queue));
    expect(message.content).toBe(
      'You requested a reminder for a message that was deleted, or that you may not read any more. Note:\n\n> leek',
    );
  });

  test('is silent to the deactivated, whose reminders stay', async () => {
    const dan = await cast.server.user('Dan Deer');
    const messageId = await dan.sendTo([ben], 'soup?');
    await add(messageId, soon(HOUR), 'eat', dan);
    await cast.owner.ok('DELETE', `/users/${dan.userId}`);
    const queue = await ann.register();
    await add(await ben.sendTo([ann], 'x'), soon(HOUR));
    await later(HOUR + 1, () => told(queue));
    await cast.owner.ok('POST', `/users/${dan.userId}/reactivate`);
    expect(await list(dan)).toEqual([expect.objectContaining({ failed: true, reminder_target_message_id: messageId })]);
  });
});

test('what is late because the server was away comes at once', async () => {
  const messageId = await ben.send('annex', 'plans', 'soup?');
  const queue = await ann.register({ queue_lifespan_secs: 2 * HOUR });
  await add(messageId, soon(HOUR));
  const clock = moveClock();
  try {
    await cast.server.restart(() => clock.goOn(HOUR + 1));
    expect((await told(queue)).message.content).toContain('soup?');
  } finally {
    clock.stop();
  }
});

test('a clock that jumps ahead delivers each once, and one that jumps back delivers none again', async () => {
  const messageId = await ben.send('annex', 'plans', 'soup?');
  const queue = await ann.register();
  for (const days of [20, 30]) await add(messageId, soon(days * 86_400));
  const events: any[] = [];
  const removed = async (count: number): Promise<boolean> => {
    events.push(...(await queue.pending()));
    return events.filter(({ op }) => op === 'remove').length === count;
  };
  await later(31 * 86_400, () => until(() => removed(2)));
  await add(messageId, soon(HOUR));
  await later(HOUR + 1, () => until(() => removed(3)));
  events.push(...(await queue.pending()));
  expect(events.filter(({ type }) => type === 'message')).toHaveLength(3);
});

test.each([
  ['/drafts', { drafts: [{ type: '', to: [], topic: '', content: 'x' }] }],
  ['/saved_snippets', { title: 'x', content: 'x' }],
  ['/scheduled_messages', { type: 'channel', topic: 'x', content: 'x' }],
  ['/reminders', {}],
])('%s: an ID of somebody else names nothing of one’s own', async (path, parameters) => {
  const lunch = await channelOf('Lunch', ann);
  const message_id = await ann.send('Lunch', 'x', 'x');
  const scheduled_delivery_timestamp = Math.floor(Date.now() / 1000) + 3600;
  const [first, second] = await Promise.all(
    [`One${path}`, `Two${path}`].map(async (name) => {
      const client = await cast.server.user(name.replace('/', ' ').replace('_', ' '));
      await client.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'Lunch' }] });
      const later = { to: lunch, message_id, scheduled_delivery_timestamp };
      const { ids, ...others } = await client.ok('POST', path, { ...later, ...parameters });
      const id = ids?.[0] ?? Object.values(others).find((value) => typeof value === 'number');
      return { client, id: id as number };
    }),
  );
  expectRefusal(await first!.client.call('DELETE', `${path}/${second!.id}`), 'BAD_REQUEST', 404);
  await second!.client.ok('DELETE', `${path}/${second!.id}`);
  await first!.client.ok('DELETE', `${path}/${first!.id}`);
});
