/** Conversations as they were: what somebody could read then and may read now. */
import { expectRefusal, messageOf } from '../../support/answers.js';
import type { ApiClient } from '../../support/client.js';
import { standingAt } from '../../support/later.js';
import { channelOf, startWithPeople } from '../../support/people.js';
import type { TestServer } from '../../support/server.js';

let server: TestServer;
let owner: ApiClient;
let ann: ApiClient;
let ben: ApiClient;
let cleo: ApiClient;
let gus: ApiClient;
let hall: number;
const QUIET = { send_notification_to_new_thread: false, send_notification_to_old_thread: false };

/** In seconds since the epoch. */
const BEGUN = Math.floor(Date.now() / 1000);

/** Acts so many seconds after the beginning. */
async function act(seconds: number, work: () => Promise<unknown>): Promise<number> {
  const time = BEGUN + seconds;
  await standingAt(time, work);
  return time;
}

beforeAll(async () => {
  ({ server, owner, ann, ben, cleo } = await startWithPeople());
  gus = await server.user('Gus Guest');
  await owner.ok('PATCH', `/users/${gus.userId}`, { role: 600 });
  hall = await channelOf('hall', ann, ben, cleo);
});
afterAll(() => server.stop());

const asOf = async (client: ApiClient, place: Record<string, unknown>, time: number): Promise<string[]> => {
  const { messages } = await client.ok('GET', '/past/messages', { ...place, as_of: time, apply_markdown: false });
  return messages.map(({ content }: { content: string }) => content);
};
const moments = async (client: ApiClient, place: Record<string, unknown>): Promise<[number, string[]][]> => {
  const { moments: found } = await client.ok('GET', '/past/moments', place);
  return found.map(({ time, ...changes }: Record<string, number | boolean>) => [
    time,
    Object.entries(changes).flatMap(([name, count]) => (Number(count) > 0 ? [name] : [])),
  ]);
};
const edit = (client: ApiClient, id: number, changes: object): Promise<unknown> =>
  client.ok('PATCH', `/messages/${id}`, { ...QUIET, ...changes });

test('a topic is stepped through from its first message to now', async () => {
  const place = { stream_id: hall, topic: 'lag' };
  let [first, second] = [0, 0];
  const sent = await act(100, async () => (first = await ann.send('hall', 'lag', 'one')));
  const next = await act(200, async () => (second = await ben.send('hall', 'lag', 'two')));
  const edited = await act(300, () => edit(ann, first, { content: 'one and more' }));
  await act(350, () => ben.ok('POST', `/messages/${first}/reactions`, { emoji_name: 'tada' }));
  const renamed = await act(400, () => edit(ann, second, { topic: 'other' }));
  const resolved = await act(500, () => edit(ann, first, { topic: '✔ lag', propagate_mode: 'change_all' }));
  const gone = await act(600, () => edit(owner, first, { topic: 'other', propagate_mode: 'change_all' }));

  const [before, resolvedName] = [{ ...place }, { ...place, topic: '✔ LAG' }];
  for (const asked of [before, resolvedName]) {
    expect(await asOf(cleo, asked, sent - 1)).toEqual([]);
    expect(await asOf(cleo, asked, sent)).toEqual(['one']);
    expect(await asOf(cleo, asked, edited - 1)).toEqual(['one', 'two']);
    expect(await asOf(cleo, asked, edited)).toEqual(['one and more', 'two']);
    expect(await asOf(cleo, asked, renamed)).toEqual(['one and more']);
    expect(await asOf(cleo, asked, resolved)).toEqual(['one and more', expect.stringContaining('resolved')]);
    expect(await asOf(cleo, asked, gone)).toEqual([]);
  }
  expect(await moments(cleo, place)).toEqual([
    [sent, ['sent']],
    [next, ['sent']],
    [edited, ['edited']],
    [renamed, ['moved_out']],
    [resolved, ['sent', 'resolved']],
    [gone, ['moved_out']],
  ]);
  expect(await asOf(cleo, { stream_id: hall, topic: 'other' }, renamed)).toEqual(['two']);
  const { messages } = await ben.ok('GET', '/past/messages', { ...place, as_of: edited });
  expect(messages[0]).toMatchObject({ id: first, subject: 'lag', content: '<p>one and more</p>', reactions: [] });
  expect(messages[0]).toMatchObject({ last_edit_timestamp: edited, is_reworded: false });
  expect(messages[0].edit_history).toMatchObject([{ timestamp: edited, prev_content: 'one' }]);
  expect(messages[0]).not.toHaveProperty('flags');
});

test('a poll has the votes that were there', async () => {
  let id = 0;
  const vote = (who: ApiClient, key: string): Promise<unknown> =>
    who.ok('POST', '/submessage', {
      message_id: id,
      msg_type: 'widget',
      content: JSON.stringify({ type: 'vote', key, vote: 1 }),
    });
  const sent = await act(610, async () => (id = await ann.send('hall', 'poll', '/poll When?\nnow\nlater')));
  const first = await act(620, () => vote(ben, 'canned,0'));
  const second = await act(630, () => vote(ann, 'canned,1'));
  const votersAt = async (time: number): Promise<number[]> => {
    const { messages } = await cleo.ok('GET', '/past/messages', { stream_id: hall, topic: 'poll', as_of: time });
    const [{ submessages }] = messages;
    expect(submessages[0].content).toContain('"widget_type":"poll"');
    return submessages.slice(1).map(({ sender_id }: { sender_id: number }) => sender_id);
  };
  expect(await votersAt(sent)).toEqual([]);
  expect(await votersAt(first)).toEqual([ben.userId]);
  expect(await votersAt(second)).toEqual([ben.userId, ann.userId]);
});

test('a second has all that was sent by its end, also where clocks of processes differ, however much comes later', async () => {
  const place = { stream_id: hall, topic: 'clocks' };
  const send = (seconds: number): Promise<number> => act(700 + seconds, () => ann.send('hall', 'clocks', `${seconds}`));
  for (const seconds of [10, 12, 11, 13, 11, 12, 12]) await send(seconds);
  for (let more = 0; more < 8; more++) {
    expect(await asOf(ben, place, BEGUN + 710)).toEqual(['10']);
    expect(await asOf(ben, place, BEGUN + 711)).toEqual(['10', '11', '11']);
    expect(await asOf(ben, place, BEGUN + 712)).toEqual(['10', '12', '11', '11', '12', '12']);
    await send(20 + more);
  }
});

test('pages go back to the first message, and deleted ones are in none', async () => {
  const place = { stream_id: hall, topic: 'pages' };
  const ids: number[] = [];
  const sent = await act(1000, async () => {
    for (let n = 0; n < 7; n++) ids.push(await ann.send('hall', 'pages', `${n}`));
  });
  await act(1100, () => owner.ok('DELETE', `/messages/${ids[2]}`));
  const pages: string[][] = [];
  for (let before: number | undefined; ;) {
    const page = await ben.ok('GET', '/past/messages', {
      ...place,
      as_of: sent,
      before,
      limit: 2,
      apply_markdown: false,
    });
    pages.push(page.messages.map(({ content }: { content: string }) => content));
    if (page.found_oldest) break;
    before = page.before;
  }
  expect(pages).toEqual([['5', '6'], ['3', '4'], ['0', '1'], []].slice(0, pages.length));
  expect(pages.flat()).toHaveLength(6);
  expect(await moments(ben, place)).toEqual([[sent, ['sent']]]);
});

test('a channel that asks for a subscription shows the times of it alone, and none after leaving', async () => {
  const principals = [ann.userId, ben.userId];
  await act(2000, () =>
    ann.ok('POST', '/users/me/subscriptions', {
      subscriptions: [{ name: 'den' }],
      principals,
      invite_only: true,
      history_public_to_subscribers: true,
    }),
  );
  const { stream_id: den } = await ann.ok('GET', '/get_stream_id', { stream: 'den' });
  const place = { stream_id: den, topic: 'plans' };
  let id = 0;
  const sent = await act(2100, async () => (id = await ann.send('den', 'plans', 'secret')));
  const tamed = await act(2200, () => edit(ann, id, { content: 'tame' }));
  const join = (client: ApiClient) =>
    ann.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'den' }], principals: [client.userId] });
  const joined = await act(2300, async () => [await join(cleo), await join(gus)]);
  const moved = await act(2400, () => edit(ann, id, { stream_id: hall, topic: 'plans' }));

  expect(await asOf(ben, place, sent)).toEqual(['secret']);
  for (const late of [cleo, gus]) {
    expect(await asOf(late, place, sent)).toEqual([]);
    expect(await asOf(late, place, tamed)).toEqual([]);
  }
  // A guest may not read where it is now.
  expect(await asOf(gus, place, joined)).toEqual([]);
  expect(await asOf(cleo, place, joined)).toEqual(['tame']);
  expect(await moments(cleo, place)).toEqual([[moved, ['moved_out']]]);
  expect(await moments(gus, place)).toEqual([]);
  await cleo.ok('DELETE', '/users/me/subscriptions', { subscriptions: ['den'] });
  const unknown = await cleo.call('GET', '/past/messages', { ...place, stream_id: 999_999, as_of: joined });
  for (const path of ['/past/messages', '/past/moments']) {
    const refused = await cleo.call('GET', path, { ...place, as_of: joined });
    expect([refused.status, refused.body]).toEqual([unknown.status, unknown.body]);
  }
});

test('a message that is in a private channel now is nowhere, also not where it was read', async () => {
  await ann.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'vault' }], invite_only: true });
  const { stream_id: vault } = await ann.ok('GET', '/get_stream_id', { stream: 'vault' });
  let id = 0;
  const sent = await act(3000, async () => (id = await ann.send('hall', 'leak', 'open then')));
  expect(await asOf(ben, { stream_id: hall, topic: 'leak' }, sent)).toEqual(['open then']);
  await act(3100, () => edit(ann, id, { stream_id: vault, topic: 'leak' }));
  expect(await asOf(ben, { stream_id: hall, topic: 'leak' }, sent)).toEqual([]);
  expect(await moments(ben, { stream_id: hall, topic: 'leak' })).toEqual([]);
  expect(await asOf(ann, { stream_id: hall, topic: 'leak' }, sent)).toEqual(['open then']);
});

test('protected history shows what came while they were there', async () => {
  const subscriptions = [{ name: 'crypt' }];
  await act(4000, () =>
    ann.ok('POST', '/users/me/subscriptions', {
      subscriptions,
      invite_only: true,
      history_public_to_subscribers: false,
    }),
  );
  const { stream_id: crypt } = await ann.ok('GET', '/get_stream_id', { stream: 'crypt' });
  const place = { stream_id: crypt, topic: 'a' };
  await act(4100, () => ann.send('crypt', 'a', 'before'));
  const join = () => ann.ok('POST', '/users/me/subscriptions', { subscriptions, principals: [ben.userId] });
  await act(4200, join);
  let id = 0;
  const within = await act(4300, async () => (id = await ann.send('crypt', 'a', 'within')));
  await act(4400, () => ben.ok('DELETE', '/users/me/subscriptions', { subscriptions: ['crypt'] }));
  const away = await act(4500, () => edit(ann, id, { content: 'while away' }));
  await act(4600, () => ann.send('crypt', 'a', 'after'));
  const back = await act(4700, join);
  expect(await asOf(ann, place, back)).toEqual(['before', 'while away', 'after']);
  expect(await asOf(ben, place, back)).toEqual(['while away']);
  expect(await asOf(ben, place, away)).toEqual([]);
  expect(await asOf(ben, place, within)).toEqual(['within']);
});

test('direct conversations are for those who take part', async () => {
  let id = 0;
  const sent = await act(5000, async () => (id = await ann.sendTo([ben], 'first')));
  const edited = await act(5100, () => edit(ann, id, { content: 'second' }));
  expect(await asOf(ben, { user_ids: [ann.userId] }, sent)).toEqual(['first']);
  expect(await asOf(ann, { user_ids: [ben.userId] }, edited)).toEqual(['second']);
  expect(await moments(ben, { user_ids: [ann.userId] })).toEqual([
    [sent, ['sent']],
    [edited, ['edited']],
  ]);
  for (const others of [[ann.userId], [ben.userId], [ann.userId, ben.userId], [999_999]])
    expect(await asOf(cleo, { user_ids: others }, edited)).toEqual([]);
});

test('the organization may show moves alone, or nothing', async () => {
  const place = { stream_id: hall, topic: 'policy' };
  let id = 0;
  const sent = await act(6000, async () => (id = await ann.send('hall', 'policy', 'hidden wording')));
  await act(6100, () => edit(ann, id, { content: 'shown' }));
  const moved = await act(6200, () => edit(ann, id, { topic: 'elsewhere' }));
  const showing = (policy: string) => owner.ok('PATCH', '/realm', { message_edit_history_visibility_policy: policy });
  await showing('moves');
  const { messages } = await ben.ok('GET', '/past/messages', { ...place, as_of: sent });
  expect(messages).toMatchObject([{ id, content: '<p>shown</p>', is_reworded: true }]);
  expect(await moments(ben, place)).toEqual([
    [sent, ['sent']],
    [moved, ['moved_out']],
  ]);
  await showing('none');
  for (const path of ['/past/messages', '/past/moments'])
    expectRefusal(await ben.call('GET', path, { ...place, as_of: sent }), 'BAD_REQUEST');
  await showing('all');
  expect(await asOf(ben, place, sent)).toEqual(['hidden wording']);
  expect((await messageOf(ben, id)).content).toBe('<p>shown</p>');
});

test('what names no conversation, or two, is refused', async () => {
  for (const place of [{}, { topic: 'a' }, { stream_id: hall }, { stream_id: hall, topic: 'a', user_ids: [4] }])
    expectRefusal(await ben.call('GET', '/past/moments', place), 'BAD_REQUEST');
  for (const as_of of [-1, 'yesterday', 1e15])
    expect((await ben.call('GET', '/past/messages', { stream_id: hall, topic: 'a', as_of })).status).toBe(400);
});
