import type { QueueSettings } from '#feed';
import { MessagesWorld, START } from '../../../messages/src/messages.fixture.js';
import { REGAINED_TOLD_MAX } from './regained-messages.js';

const [ANN, BOB, CAT, DAN] = [2, 3, 4, 5];
let world: MessagesWorld;

beforeEach(async () => {
  world = await MessagesWorld.open();
  await world.addUser(ANN, 'Ann');
  await world.addUser(BOB, 'Bob');
  await world.addUser(CAT, 'Cat');
  await world.addUser(DAN, 'Dan');
  await world.addChannel(1, 'Denmark', [ANN, BOB]);
});
afterEach(() => world.close());

describe('message', () => {
  test('reaches only subscribers', async () => {
    const [ann, bob, cat] = [await world.queue(ANN), await world.queue(BOB), await world.queue(CAT)];
    const id = await world.send(ANN, 'hello');
    const [event, ...more] = await bob.events();
    expect(more).toEqual([]);
    expect(event).toMatchObject({
      type: 'message',
      flags: [],
      message: {
        id,
        type: 'stream',
        stream_id: 1,
        display_recipient: 'Denmark',
        subject: 'lunch',
        content: '<p>hello</p>',
        content_type: 'text/html',
        sender_id: ANN,
        avatar_url: null,
        client: 'test',
        timestamp: START,
      },
    });
    expect(event!.message).not.toHaveProperty('flags');
    expect(await ann.events()).toHaveLength(1);
    expect(await cat.events()).toEqual([]);
  });

  test('is shown as the client wishes', async () => {
    const queue = await world.queue(BOB, { applyMarkdown: false, clientGravatar: false, capabilities: [] });
    await world.send(ANN, '**hello**', { topic: '' });
    const [event] = await queue.events();
    expect(event!.message).toMatchObject({ content: '**hello**', subject: 'general chat' });
    expect(event!.message.avatar_url).toMatch(/^\/user_avatars\//);
  });

  test('echoes the local id to the queue that sent it alone', async () => {
    const [sending, other] = [await world.queue(ANN), await world.queue(ANN)];
    await world.send(ANN, 'hello', { echo: { queueId: sending.queueId, localId: '7.01' } });
    expect((await sending.events())[0]).toMatchObject({ local_message_id: '7.01', local_id: '7.01' });
    const [event] = await other.events();
    expect(event).not.toHaveProperty('local_message_id');
    expect(event).not.toHaveProperty('local_id');
  });

  test("echoes nothing to another user's queue", async () => {
    const bob = await world.queue(BOB);
    await world.send(ANN, 'hello', { echo: { queueId: bob.queueId, localId: '7.01' } });
    const [event] = await bob.events();
    expect(event).not.toHaveProperty('local_id');
  });

  test('of a direct conversation reaches its participants', async () => {
    const [bob, cat] = [await world.queue(BOB), await world.queue(CAT)];
    await world.send(ANN, 'psst', { type: 'direct', to: [BOB] });
    expect((await bob.events())[0]!.message).toMatchObject({ type: 'private', subject: '' });
    expect(await cat.events()).toEqual([]);
  });

  test('tells mentions and what the sender has read', async () => {
    const [ann, bob] = [await world.queue(ANN), await world.queue(BOB)];
    await world.send(ANN, '@**Bob** look', { readBySender: true });
    expect((await bob.events())[0]!.flags).toEqual(['mentioned']);
    expect((await ann.events())[0]!.flags).toEqual(['read']);
  });

  test('reaches mentioned users who may read the channel', async () => {
    await world.addChannel(2, 'secret', [ANN], { inviteOnly: true });
    const cat = await world.queue(CAT);
    await world.send(ANN, '@**Cat** here');
    await world.send(ANN, '@**Cat** not here', { to: 2 });
    expect((await cat.events()).map(({ message }) => message.content)).toEqual([expect.stringContaining(' here')]);
  });

  test('of public channels reaches queues that ask for all of them, with no flags', async () => {
    await world.addChannel(2, 'secret', [ANN], { inviteOnly: true });
    const all = await world.queue(CAT, { allPublicChannels: true });
    await world.send(ANN, 'open');
    await world.send(ANN, 'closed', { to: 2 });
    const events = await all.events();
    expect(events.map(({ message, flags }) => [message.content, flags])).toEqual([['<p>open</p>', []]]);
  });

  test.each([
    [[['channel', 'denmark']], [1, 2]],
    [[['topic', 'LUNCH']], [1]],
    [[['sender', 'user2@acme.test']], [1, 3]],
    [[['is', 'dm']], [3]],
    [[['is', 'mentioned']], [2]],
    [
      [
        ['channel', 'Denmark'],
        ['topic', 'dinner'],
      ],
      [2],
    ],
    [[['is', 'unread']], [1, 2, 3]],
    [[['channel', 'Denmark', true]], [3]],
    [[['topic', 'lunch', true]], [2, 3]],
    [[['is', 'mentioned', true]], [1, 3]],
    [
      [
        ['sender', 'user2@acme.test'],
        ['is', 'dm', true],
      ],
      [1],
    ],
    [[['nonsense', 'x']], []],
  ] as [QueueSettings['narrow'], number[]][])('of the narrow %j', async (narrow, expected) => {
    const queue = await world.queue(BOB, { narrow });
    await world.send(ANN, 'one');
    await world.send(CAT, '@**Bob** two', { topic: 'dinner' });
    await world.send(ANN, 'three', { type: 'direct', to: [BOB] });
    expect((await queue.events()).map(({ message }) => message.id)).toEqual(expected);
  });

  test('is not delivered once it is deleted, or out of sight', async () => {
    await world.addChannel(2, 'secret', [ANN], { inviteOnly: true });
    const bob = await world.queue(BOB);
    const gone = await world.send(ANN, 'gone');
    const hidden = await world.send(ANN, 'hidden');
    await world.delete(ANN, gone);
    await world.change(ANN, hidden, { channelId: 2 });
    expect((await bob.events()).map(({ type, message_ids }) => [type, message_ids])).toEqual([
      ['delete_message', [gone]],
      ['delete_message', [hidden]],
    ]);
  });

  test('shows what was sent, and an edit what it made of it', async () => {
    const bob = await world.queue(BOB);
    const id = await world.send(ANN, 'one');
    await world.change(ANN, id, { content: 'two' });
    const [message, update] = await bob.events();
    expect(message!.message).toMatchObject({ content: '<p>one</p>' });
    expect(message!.message).not.toHaveProperty('edit_history');
    expect(update).toMatchObject({ type: 'update_message', rendered_content: '<p>two</p>' });
  });

  test('comes from the log when it is not in memory any more', async () => {
    const bob = await world.queue(BOB);
    const ids = await Promise.all(Array.from({ length: 1030 }, (_, n) => world.send(ANN, `number ${n}`)));
    const events = [...(await bob.events()), ...(await bob.events())];
    expect(events.map(({ message }) => message.id)).toEqual([...ids].sort((a, b) => a - b));
    const contents = new Map(events.map(({ message }) => [message.id, message.content]));
    expect(ids.map((id) => contents.get(id))).toEqual(ids.map((_, n) => `<p>number ${n}</p>`));
  });
});

describe('update_message', () => {
  test('of content has nothing about a move', async () => {
    const id = await world.send(ANN, 'one');
    const bob = await world.queue(BOB);
    world.clock.atMs += 5_000;
    await world.change(ANN, id, { content: '/me @**Bob** two' });
    const [event] = await bob.events();
    expect(event).toEqual({
      type: 'update_message',
      user_id: ANN,
      rendering_only: false,
      message_id: id,
      message_ids: [id],
      flags: ['mentioned'],
      edit_timestamp: START + 5,
      stream_id: 1,
      stream_name: 'Denmark',
      orig_content: 'one',
      orig_rendered_content: '<p>one</p>',
      content: '/me @**Bob** two',
      rendered_content: expect.stringContaining('user-mention'),
      is_me_message: true,
    });
  });

  test('reaches newly mentioned users who may read the channel', async () => {
    await world.addChannel(2, 'secret', [ANN], { inviteOnly: true });
    const [open, secret] = [await world.send(ANN, 'one'), await world.send(ANN, 'two', { to: 2 })];
    const cat = await world.queue(CAT);
    await world.change(ANN, open, { content: '@**Cat**' });
    await world.change(ANN, secret, { content: '@**Cat**' });
    expect((await cat.events()).map(({ message_id }) => message_id)).toEqual([open]);
  });

  test('of a direct message names no channel', async () => {
    const id = await world.send(ANN, 'one', { type: 'direct', to: [BOB] });
    const bob = await world.queue(BOB);
    await world.change(ANN, id, { content: 'two' });
    const [event] = await bob.events();
    expect(event).not.toHaveProperty('stream_id');
    expect(event).toMatchObject({ content: 'two', message_ids: [id] });
  });

  test('of a move to another topic', async () => {
    const [one, two] = [await world.send(ANN, 'one'), await world.send(BOB, 'two')];
    const bob = await world.queue(BOB);
    await world.change(CAT, two, { topic: 'dinner', propagateMode: 'change_all' });
    expect(await bob.events()).toEqual([
      {
        type: 'update_message',
        user_id: CAT,
        rendering_only: false,
        message_id: two,
        message_ids: [one, two],
        flags: [],
        edit_timestamp: START,
        stream_id: 1,
        stream_name: 'Denmark',
        orig_subject: 'lunch',
        subject: 'dinner',
        topic_links: [],
        propagate_mode: 'change_all',
      },
    ]);
  });

  test('of a move reaches those outside who have any of its messages, and no others', async () => {
    const [EVE, FAY] = [6, 7];
    await world.addUser(EVE, 'Eve');
    await world.addUser(FAY, 'Fay');
    await world.addChannel(2, 'Norway', [ANN]);
    await world.subscribe(1, FAY);
    await world.unsubscribe(1, FAY);
    const one = await world.send(CAT, 'one');
    const two = await world.send(EVE, '@**Dan** two');
    await world.unsubscribe(1, BOB);
    const three = await world.send(ANN, 'three');
    const people = { BOB, CAT, DAN, EVE, FAY };
    const queues: [string, Awaited<ReturnType<typeof world.queue>>][] = [];
    for (const [name, userId] of Object.entries(people)) queues.push([name, await world.queue(userId)]);
    const told = async (): Promise<Record<string, unknown>> => {
      const all: [string, unknown][] = [];
      for (const [name, queue] of queues) all.push([name, (await queue.events()).map((event) => event.message_ids)]);
      return Object.fromEntries(all.filter(([, ids]) => (ids as unknown[]).length > 0));
    };

    await world.change(ANN, three, { topic: 'dinner', propagateMode: 'change_all' });
    const ids = [one, two, three];
    expect(await told()).toEqual({ BOB: [ids], CAT: [ids], DAN: [ids], EVE: [ids] });
    await world.change(ANN, three, { topic: 'supper' });
    expect(await told()).toEqual({});
    await world.change(ANN, two, { channelId: 2 });
    expect(await told()).toEqual({ BOB: [[two]], DAN: [[two]], EVE: [[two]] });
    await world.send(ANN, 'first', { to: 2, topic: 'dinner' });
    await world.react(FAY, two, 'heart');
    await told();
    const last = await world.send(ANN, 'last', { to: 2, topic: 'dinner' });
    await world.change(ANN, last, { topic: 'late', propagateMode: 'change_all' });
    expect(await told()).toEqual({ FAY: [[two, last - 1, last]] });
  });

  test('of a move to another channel has no subject when the topic stays', async () => {
    await world.addChannel(2, 'Norway', [CAT]);
    const id = await world.send(ANN, 'one', { topic: '' });
    const [bob, cat] = [await world.queue(BOB, { capabilities: [] }), await world.queue(CAT)];
    await world.change(ANN, id, { channelId: 2 });
    const [event, ...more] = await bob.events();
    expect(more).toEqual([]);
    expect(event).toMatchObject({ stream_id: 1, new_stream_id: 2, orig_subject: 'general chat' });
    expect(event).not.toHaveProperty('subject');
    expect(await cat.events()).toEqual([]);
  });

  test('of an edit and a move at once tells both', async () => {
    const ids = [await world.send(ANN, 'one'), await world.send(BOB, 'more')];
    const bob = await world.queue(BOB);
    await world.change(ANN, ids[0]!, { content: '@**Bob** *two*', topic: 'dinner', propagateMode: 'change_all' });
    expect(await bob.events()).toEqual([
      {
        type: 'update_message',
        user_id: ANN,
        rendering_only: false,
        message_id: ids[0],
        message_ids: ids,
        flags: ['mentioned'],
        edit_timestamp: START,
        stream_id: 1,
        stream_name: 'Denmark',
        orig_subject: 'lunch',
        subject: 'dinner',
        topic_links: [],
        propagate_mode: 'change_all',
        orig_content: 'one',
        orig_rendered_content: '<p>one</p>',
        content: '@**Bob** *two*',
        rendered_content: expect.stringContaining('<em>two</em>'),
        is_me_message: false,
      },
    ]);
  });

  test('of an edit and a move reaches users who are mentioned by it, or no longer mentioned', async () => {
    const id = await world.send(ANN, '@**Cat** one');
    const queues = [await world.queue(CAT), await world.queue(DAN)];
    await world.change(ANN, id, { content: '@**Dan** two', topic: 'dinner' });
    for (const queue of queues)
      expect(await queue.events()).toMatchObject([{ content: '@**Dan** two', subject: 'dinner' }]);
  });

  test('of an edit and a move tells nothing of the content to those who never saw the message', async () => {
    await world.addChannel(2, 'closed', [ANN], { inviteOnly: true, historyPublicToSubscribers: false });
    const early = await world.send(ANN, 'early', { to: 2 });
    await world.subscribe(2, BOB);
    const late = await world.send(ANN, 'late', { to: 2 });
    const bob = await world.queue(BOB);
    await world.change(ANN, early, { content: 'hidden', topic: 'dinner', propagateMode: 'change_all' });
    const events = await bob.events();
    expect(events).toMatchObject([{ message_id: late, message_ids: [late], subject: 'dinner' }]);
    expect(JSON.stringify(events)).not.toMatch(/hidden|early/);
  });

  test('of a move that is seen in part has the flags of the message that it names', async () => {
    await world.addChannel(2, 'closed', [ANN], { inviteOnly: true, historyPublicToSubscribers: false });
    const early = await world.send(ANN, 'early', { to: 2 });
    await world.subscribe(2, BOB);
    const late = await world.send(ANN, '@**Bob** late', { to: 2 });
    await world.send(ANN, 'last', { to: 2 });
    const bob = await world.queue(BOB);
    await world.change(ANN, early, { topic: 'dinner', propagateMode: 'change_all' });
    expect(await bob.events()).toMatchObject([{ message_id: late, flags: ['mentioned'] }]);
  });

  test('of an edit and a move made before the message went out of sight tells the move alone', async () => {
    await world.addChannel(2, 'secret', [ANN], { inviteOnly: true });
    const id = await world.send(ANN, 'one');
    const bob = await world.queue(BOB);
    await world.change(ANN, id, { content: 'two', topic: 'dinner' });
    await world.change(ANN, id, { channelId: 2 });
    const events = await bob.events();
    expect(events.map(({ type }) => type)).toEqual(['update_message', 'delete_message']);
    expect(JSON.stringify(events)).not.toMatch(/two|secret/);
  });

  test('an edit made before the message went out of sight is not told', async () => {
    await world.addChannel(2, 'secret', [ANN], { inviteOnly: true });
    const id = await world.send(ANN, 'one');
    const bob = await world.queue(BOB);
    await world.change(ANN, id, { content: 'two' });
    await world.change(ANN, id, { channelId: 2 });
    const events = await bob.events();
    expect(events.map(({ type }) => type)).toEqual(['delete_message']);
    expect(JSON.stringify(events)).not.toMatch(/two|secret/);
  });
});

describe('delete_message', () => {
  test('is told to subscribers, and to the one who deleted', async () => {
    const id = await world.send(CAT, 'one');
    const [bob, cat, dan] = [await world.queue(BOB), await world.queue(CAT), await world.queue(DAN)];
    await world.delete(CAT, id);
    const event = { type: 'delete_message', message_ids: [id], message_type: 'stream', stream_id: 1, topic: 'lunch' };
    expect(await bob.events()).toEqual([event]);
    expect(await cat.events()).toEqual([event]);
    expect(await dan.events()).toEqual([]);
  });

  test('of a direct message', async () => {
    const id = await world.send(ANN, 'one', { type: 'direct', to: [BOB] });
    const bob = await world.queue(BOB);
    await world.delete(ANN, id);
    expect(await bob.events()).toEqual([{ type: 'delete_message', message_ids: [id], message_type: 'private' }]);
  });

  test('reaches users who lose access to moved messages, without the new place', async () => {
    await world.addChannel(2, 'secret', [ANN, CAT], { inviteOnly: true });
    const ids = [await world.send(ANN, 'one'), await world.send(ANN, 'two')];
    const [ann, bob, cat] = [await world.queue(ANN), await world.queue(BOB), await world.queue(CAT)];
    const single = await world.queue(BOB, { capabilities: [] });
    await world.change(ANN, ids[0]!, { channelId: 2, topic: 'plans', propagateMode: 'change_all' });
    expect(await ann.events()).toMatchObject([{ type: 'update_message', new_stream_id: 2, subject: 'plans' }]);
    const place = { message_type: 'stream', stream_id: 1, topic: 'lunch' };
    expect(await bob.events()).toEqual([{ type: 'delete_message', message_ids: ids, ...place }]);
    expect(await single.events()).toEqual(ids.map((id) => ({ type: 'delete_message', message_id: id, ...place })));
    expect(await cat.events()).toEqual([]);
  });

  test('where history is protected, tells of no message that the recipient never saw', async () => {
    await world.addChannel(2, 'closed', [ANN], { inviteOnly: true, historyPublicToSubscribers: false });
    const early = await world.send(ANN, 'early', { to: 2 });
    await world.subscribe(2, BOB);
    const late = await world.send(ANN, 'late', { to: 2 });
    const bob = await world.queue(BOB);
    await world.change(ANN, early, { topic: 'dinner', propagateMode: 'change_all' });
    expect(await bob.events()).toMatchObject([{ type: 'update_message', message_id: late, message_ids: [late] }]);
  });
});

describe('delete_message where history is protected', () => {
  test('is not for newcomers who could not read the message', async () => {
    await world.addChannel(2, 'closed', [ANN], { inviteOnly: true, historyPublicToSubscribers: false });
    const before = [await world.send(ANN, 'a', { to: 2, topic: 'plot' }), await world.send(ANN, 'b')];
    await world.change(ANN, before[1]!, { channelId: 2 });
    await world.subscribe(2, CAT);
    const after = [await world.send(ANN, 'c', { to: 2 }), await world.send(ANN, 'd')];
    await world.change(ANN, after[1]!, { channelId: 2 });
    const [ann, cat] = [await world.queue(ANN), await world.queue(CAT)];
    for (const id of [...before, ...after]) await world.delete(ANN, id);
    const idsOf = async ({ events }: typeof ann) =>
      (await events()).flatMap(({ message_ids }) => message_ids as number[]);
    expect(await idsOf(ann)).toEqual([...before, ...after]);
    expect(await idsOf(cat)).toEqual(after);
  });
});

describe('reaction', () => {
  test('is told with the user who reacted', async () => {
    const id = await world.send(ANN, 'one');
    const bob = await world.queue(BOB);
    await world.react(ANN, id, 'tada');
    await world.unreact(ANN, id, 'tada');
    const event = {
      type: 'reaction',
      op: 'add',
      message_id: id,
      emoji_name: 'tada',
      emoji_code: '1f389',
      reaction_type: 'unicode_emoji',
      user_id: ANN,
      user: { user_id: ANN, email: 'user2@acme.test', full_name: 'Ann' },
    };
    expect(await bob.events()).toEqual([event, { ...event, op: 'remove' }]);
  });

  test('with the extra emoji is spelled the same for every client', async () => {
    const id = await world.send(ANN, 'one');
    const queues = [await world.queue(BOB, { clientName: 'ZulipFlutter' }), await world.queue(BOB)];
    await world.react(ANN, id, 'zulip');
    for (const queue of queues) expect((await queue.events())[0]!.reaction_type).toBe('zulip_extra_emoji');
  });

  test('reaches only those non-subscribers who have the message', async () => {
    const EVE = 6;
    await world.addUser(EVE, 'Eve');
    const id = await world.send(CAT, 'one');
    await world.react(DAN, id, 'heart');
    const [sender, holder, outsider] = [await world.queue(CAT), await world.queue(DAN), await world.queue(EVE)];
    await world.react(BOB, id, 'tada');
    await world.unreact(BOB, id, 'tada');
    for (const queue of [sender, holder]) expect(await queue.events()).toMatchObject([{ op: 'add' }, { op: 'remove' }]);
    expect(await outsider.events()).toEqual([]);
  });

  test('is not told outside to those who only could have read the message', async () => {
    const id = await world.send(ANN, 'one');
    await world.subscribe(1, CAT);
    await world.unsubscribe(1, CAT);
    const cat = await world.queue(CAT);
    await world.react(BOB, id, 'tada');
    expect(await cat.events()).toEqual([]);
  });

  test('is told to newcomers, but where history is protected', async () => {
    await world.addChannel(2, 'closed', [ANN], { inviteOnly: true, historyPublicToSubscribers: false });
    const [open, closed] = [await world.send(ANN, 'one'), await world.send(ANN, 'two', { to: 2 })];
    await world.subscribe(1, CAT);
    await world.subscribe(2, CAT);
    const cat = await world.queue(CAT);
    for (const id of [open, closed]) await world.react(ANN, id, 'tada');
    expect((await cat.events()).map(({ message_id }) => message_id)).toEqual([open]);
  });

  test('does not reach users who left a private channel', async () => {
    await world.addChannel(2, 'secret', [ANN, BOB], { inviteOnly: true });
    const id = await world.send(ANN, 'one', { to: 2 });
    const bob = await world.queue(BOB);
    await world.react(ANN, id, 'tada');
    await world.unsubscribe(2, BOB);
    expect(await bob.events()).toEqual([]);
  });
});

describe('what a move brings out of a channel that the recipient has left', () => {
  const NORWAY = 2;
  const SECRET = 3;

  beforeEach(async () => {
    await world.addChannel(NORWAY, 'Norway', [ANN, BOB]);
    await world.addChannel(SECRET, 'secret', [ANN, BOB], { inviteOnly: true });
  });

  test('is told as it is now, unread, with nothing of where it came from', async () => {
    const [bob, listening] = [await world.queue(BOB), await world.queue(CAT, { allPublicChannels: true })];
    const deaf = await world.queue(BOB, { eventTypes: ['reaction'] });
    const id = await world.send(ANN, 'draft', { to: SECRET, topic: 'plot' });
    await world.change(ANN, id, { content: 'final' });
    await world.change(ANN, id, { channelId: NORWAY, topic: 'plans' });
    await world.unsubscribe(SECRET, BOB);
    const [gone, told, ...more] = await bob.events();
    expect(more).toEqual([]);
    expect(gone).toMatchObject({ type: 'delete_message', message_ids: [id], stream_id: NORWAY, topic: 'plans' });
    expect(told).toMatchObject({
      type: 'message',
      flags: [],
      message: { id, stream_id: NORWAY, subject: 'plans', content: '<p>final</p>' },
    });
    expect(JSON.stringify([gone, told])).not.toMatch(/draft|secret|plot/);
    expect(await listening.events()).toEqual([]);
    expect(await deaf.events()).toEqual([]);
  });

  test('is told also when it comes out after the recipient has left', async () => {
    const id = await world.send(ANN, 'one', { to: SECRET });
    await world.unsubscribe(SECRET, BOB);
    const bob = await world.queue(BOB);
    await world.change(ANN, id, { channelId: NORWAY });
    expect(await bob.events()).toMatchObject([{ type: 'delete_message' }, { type: 'message', message: { id } }]);
  });

  test('is told with the reactions that no event of their own tells', async () => {
    const bob = await world.queue(BOB);
    const id = await world.send(ANN, 'one', { to: SECRET });
    await world.react(ANN, id, 'tada');
    await world.change(ANN, id, { channelId: NORWAY });
    await world.react(ANN, id, 'heart');
    await world.unsubscribe(SECRET, BOB);
    const events = await bob.events();
    expect(events.map(({ type }) => type)).toEqual(['delete_message', 'message', 'reaction']);
    expect(events[1]!.message.reactions).toMatchObject([{ emoji_name: 'tada' }]);
    expect(events[2]).toMatchObject({ op: 'add', emoji_name: 'heart' });
  });

  test('is not told to those who do not have it, or may not read it now', async () => {
    await world.addChannel(4, 'closed', [ANN, BOB], { inviteOnly: true });
    const [early, late] = [await world.send(ANN, 'one', { to: SECRET }), await world.send(ANN, 'two', { to: SECRET })];
    await world.subscribe(SECRET, CAT);
    await world.subscribe(NORWAY, CAT);
    const [bob, cat] = [await world.queue(BOB), await world.queue(CAT)];
    await world.change(ANN, early, { channelId: NORWAY });
    await world.change(ANN, late, { channelId: 4 });
    await world.unsubscribe(SECRET, CAT);
    await world.unsubscribe(SECRET, BOB);
    await world.unsubscribe(4, BOB);
    expect((await bob.events()).map(({ message }) => message?.id)).toEqual([undefined, early]);
    expect(await cat.events()).toEqual([]);
  });

  test('is told where the narrow of the queue lets it through', async () => {
    const [here, elsewhere] = [
      await world.queue(BOB, { narrow: [['topic', 'plans']] }),
      await world.queue(BOB, { narrow: [['topic', 'plot']] }),
    ];
    const id = await world.send(ANN, 'one', { to: SECRET, topic: 'plot' });
    await world.change(ANN, id, { channelId: NORWAY, topic: 'plans' });
    await world.unsubscribe(SECRET, BOB);
    const typesOf = async ({ events }: typeof here) => (await events()).map(({ type }) => type);
    expect(await typesOf(here)).toEqual(['delete_message', 'message']);
    expect(await typesOf(elsewhere)).toEqual(['delete_message']);
  });

  test('makes the client fetch its state afresh when it is too much to tell', async () => {
    const bob = await world.queue(BOB);
    const ids = await Promise.all(
      Array.from({ length: REGAINED_TOLD_MAX + 1 }, (_, n) => world.send(ANN, `number ${n}`, { to: SECRET })),
    );
    await world.change(ANN, Math.min(...ids), { channelId: NORWAY, propagateMode: 'change_all' });
    await world.unsubscribe(SECRET, BOB);
    await expect(bob.events()).rejects.toThrow(`more than ${REGAINED_TOLD_MAX}`);
  });
});
