import { streams } from '#event-store';
import { expectRefusal, messageOf } from '../../support/answers.js';
import type { Answer, ApiClient } from '../../support/client.js';
import { recordIn } from '../../support/facts.js';
import { channelOf, startWithPeople } from '../../support/people.js';
import type { TestServer } from '../../support/server.js';

let server: TestServer;
let ann: ApiClient;
let ben: ApiClient;
let cleo: ApiClient;
let den: number;

beforeAll(async () => {
  ({ server, ann, ben, cleo } = await startWithPeople());
  den = await channelOf('den', ann, ben);
});
afterAll(() => server.stop());

const say = (client: ApiClient, message_id: number, content: unknown, msg_type = 'widget'): Promise<Answer> =>
  client.call('POST', '/submessage', { message_id, msg_type, content: JSON.stringify(content) });
const vote = { type: 'vote', key: 'canned,0', vote: 1 };
const poll = (question = 'Lunch?'): Promise<number> => ann.send('den', 'polls', `/poll ${question}\nsoup\n- salad`);

test('a poll begins with its question and options, in messages and in events', async () => {
  const queue = await ben.register();
  const id = await poll();
  const first = {
    id: expect.any(Number),
    message_id: id,
    sender_id: ann.userId,
    msg_type: 'widget',
    content: JSON.stringify({
      widget_type: 'poll',
      extra_data: { question: 'Lunch?', options: ['soup', 'salad'] },
    }),
  };
  for (const client of [ann, ben]) expect((await messageOf(client, id)).submessages).toEqual([first]);
  const [event] = await queue.pending();
  expect(event.message.submessages).toEqual([first]);
});

test('a to-do list likewise, and other messages have none', async () => {
  const id = await ann.send('den', 'lists', '/todo Week\neggs: a dozen\nmilk');
  const [first] = (await messageOf(ben, id)).submessages;
  expect(JSON.parse(first.content)).toEqual({
    widget_type: 'todo',
    extra_data: {
      task_list_title: 'Week',
      tasks: [
        { task: 'eggs', desc: 'a dozen' },
        { task: 'milk', desc: '' },
      ],
    },
  });
  expect((await messageOf(ben, await ann.send('den', 'lists', '/pollen'))).submessages).toEqual([]);
});

test('votes are told outside to those who have the poll in their history', async () => {
  const [known, starred] = [await poll(), await poll()];
  await cleo.ok('POST', '/messages/flags', { op: 'add', flag: 'starred', messages: [starred] });
  const queue = await cleo.register({ event_types: ['submessage'] });
  for (const id of [known, starred]) expect((await say(ben, id, vote)).status).toBe(200);
  expect((await queue.pending()).map(({ message_id }) => message_id)).toEqual([starred]);
});

test('votes are told and kept, in order, across restarts', async () => {
  const id = await poll();
  const queue = await ann.register({ event_types: ['submessage'] });
  const outsider = await cleo.register({ event_types: ['submessage'] });
  expect((await say(ben, id, vote)).body).toMatchObject({ result: 'success', msg: '' });
  expect((await say(ann, id, { ...vote, vote: -1 })).status).toBe(200);
  const told = await queue.pending();
  expect(told).toEqual([
    {
      id: expect.any(Number),
      type: 'submessage',
      msg_type: 'widget',
      message_id: id,
      submessage_id: expect.any(Number),
      sender_id: ben.userId,
      content: JSON.stringify(vote),
    },
    expect.objectContaining({ sender_id: ann.userId, content: JSON.stringify({ ...vote, vote: -1 }) }),
  ]);
  expect(await outsider.pending()).toEqual([]);
  await server.restart();
  const { submessages } = await messageOf(ben, id);
  expect(submessages.map(({ sender_id }: any) => sender_id)).toEqual([ann.userId, ben.userId, ann.userId]);
  expect(submessages.slice(1).map((one: any) => one.id)).toEqual(told.map(({ submessage_id }) => submessage_id));
  expect(new Set(submessages.map((one: any) => one.id)).size).toBe(3);
});

test('only its author changes what a poll asks', async () => {
  const id = await poll();
  const question = { type: 'question', question: 'Dinner?' };
  expectRefusal(await say(ben, id, question), 'BAD_REQUEST');
  expect((await say(ann, id, question)).status).toBe(200);
  expect((await say(ben, id, { type: 'new_option', idx: 1, option: 'pie' })).status).toBe(200);
  expect((await messageOf(ben, id)).submessages).toHaveLength(3);
});

test('to-do lists take tasks from all readers, and their title from the author', async () => {
  const id = await ann.send('den', 'lists', '/todo Week');
  const task = { type: 'new_task', key: 2, task: 'eggs', desc: '', completed: false };
  expect((await say(ben, id, task)).status).toBe(200);
  expect((await say(ben, id, { type: 'strike', key: '2,x' })).status).toBe(200);
  expectRefusal(await say(ben, id, { type: 'new_task_list_title', title: 'x' }), 'BAD_REQUEST');
  expect((await say(ann, id, { type: 'new_task_list_title', title: 'x' })).status).toBe(200);
});

describe('refused is', () => {
  test.each<[string, unknown]>([
    ['an unknown type', { type: 'dance' }],
    ['no type', {}],
    ['a vote for three', { ...vote, vote: 3 }],
    ['a vote with more in it', { ...vote, more: true }],
    ['a list', [vote]],
    ['an option of nothing', { type: 'new_option', idx: 2, option: '  ' }],
    ['an option before the first', { type: 'new_option', idx: -1, option: 'pie' }],
    ['an option beyond all', { type: 'new_option', idx: 1e15, option: 'pie' }],
    ['a task of a poll', { type: 'strike', key: '1,x' }],
  ])('%s', async (_, content) => {
    expectRefusal(await say(ben, await poll(), content), 'BAD_REQUEST');
  });

  test('what is no JSON, and what is too long', async () => {
    const message_id = await poll();
    for (const content of ['vote', '{', '', 'x'.repeat(2000)])
      expectRefusal(await ben.call('POST', '/submessage', { message_id, msg_type: 'widget', content }), 'BAD_REQUEST');
  });

  test('what is about no widget, or of another kind', async () => {
    expectRefusal(await say(ann, await ann.send('den', 'polls', 'hello'), vote), 'BAD_REQUEST');
    expectRefusal(await say(ann, await poll(), vote, 'gadget'), 'BAD_REQUEST');
  });

  test('what is about a message out of reach', async () => {
    const hidden = await ann.sendTo([ben], '/poll Secret?\nyes');
    const gone = await poll();
    await ann.ok('DELETE', `/messages/${gone}`);
    for (const id of [hidden, gone, 999_999]) expectRefusal(await say(cleo, id, vote), 'BAD_REQUEST');
    expect((await say(ben, hidden, vote)).status).toBe(200);
  });

  test('a request without its parameters', async () => {
    const all = { message_id: await poll(), msg_type: 'widget', content: JSON.stringify(vote) };
    for (const name of Object.keys(all)) {
      const answer = await ben.call('POST', '/submessage', { ...all, [name]: undefined });
      expect(expectRefusal(answer, 'REQUEST_VARIABLE_MISSING').var_name).toBe(name);
    }
  });
});

test('a poll cannot be edited, nor made by an edit', async () => {
  const id = await poll();
  expectRefusal(await ann.call('PATCH', `/messages/${id}`, { content: 'changed' }), 'BAD_REQUEST');
  const plain = await ann.send('den', 'polls', 'plain');
  await ann.call('PATCH', `/messages/${plain}`, { content: '/poll now?' });
  expect((await messageOf(ben, plain)).submessages).toEqual([]);
  expectRefusal(await say(ann, plain, vote), 'BAD_REQUEST');
});

test('there are so many to a message, and of each so many', async () => {
  const [full, hers] = [await poll('Full?'), await poll('Hers?')];
  const place = { channelId: den, topic: 'polls' };
  const votes = async (messageId: number, senderId: number, count: number) => {
    const [{ id: first }] = (await messageOf(ann, messageId)).submessages;
    return Array.from({ length: count }, (_, index) => ({
      type: 'submessage.added.v1',
      data: {
        messageId,
        submessageId: Number(first) + 1 + index,
        senderId,
        content: JSON.stringify(vote),
        place,
        at: Math.floor(Date.now() / 1000),
      },
    }));
  };
  const [most, some] = [await votes(full, cleo.userId, 4999), await votes(hers, ben.userId, 499)];
  await server.restart(async () => {
    await recordIn(server, streams.message(full), most);
    await recordIn(server, streams.message(hers), some);
  });
  expect((await say(ben, full, vote)).status).toBe(200);
  for (const client of [ann, ben]) expectRefusal(await say(client, full, vote), 'BAD_REQUEST');
  expect((await messageOf(ann, full)).submessages).toHaveLength(5001);
  expect((await say(ben, hers, vote)).status).toBe(200);
  expectRefusal(await say(ben, hers, vote), 'BAD_REQUEST');
  expect((await say(ann, hers, vote)).status).toBe(200);
});
