import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Refusal } from '#kernel';
import { streams } from '#event-store';
import { ROLE } from '#users/model';
import { MessagesWorld, START } from '../messages.fixture.js';

const [ANN, BOB, MOD] = [2, 3, 4];
const DAY = 86_400;
let world: MessagesWorld;

beforeEach(async () => {
  world = await MessagesWorld.open();
  await world.addUser(ANN, 'Ann');
  await world.addUser(BOB, 'Bob');
  await world.addUser(MOD, 'Moderator', { role: ROLE.moderator });
  await world.addChannel(1, 'Denmark', [ANN, BOB, MOD]);
});
afterEach(() => world.close());

async function refusalOf(action: Promise<unknown>): Promise<Pick<Refusal, 'code' | 'message' | 'data'>> {
  try {
    await action;
  } catch (error) {
    if (error instanceof Refusal) return { code: error.code, message: error.message, data: error.data };
    throw error;
  }
  throw new Error('It was accepted.');
}

describe('sending', () => {
  test('IDs are dense, and what was sent can be read at once', async () => {
    const ids = await Promise.all(['a', 'b', 'c'].map((content) => world.send(ANN, content)));
    expect([...ids].sort()).toEqual([1, 2, 3]);
    expect([...(await world.reader.getMany(ids)).values()].map(({ content }) => content).sort()).toEqual([
      'a',
      'b',
      'c',
    ]);
  });

  test('a channel by name, in any case, or by ID', async () => {
    const ids = [await world.send(ANN, 'x', { to: 'DENMARK' }), await world.send(ANN, 'x', { to: [1] })];
    for (const doc of (await world.reader.getMany(ids)).values()) expect(doc.conversation).toBe('c:1');
  });

  test('users by ID or by address are one conversation', async () => {
    const ids = [
      await world.send(ANN, 'x', { type: 'direct', to: [BOB, ANN] }),
      await world.send(BOB, 'x', { type: 'private', to: 'USER2@acme.test' }),
      await world.send(ANN, 'x', { type: 'direct', to: ['user3@acme.test'] }),
    ];
    for (const doc of (await world.reader.getMany(ids)).values()) expect(doc.conversation).toBe(`d:${ANN},${BOB}`);
  });

  test('plain content is stored once, anything else with its HTML', async () => {
    await world.send(ANN, 'plain');
    await world.send(ANN, '*not* @**Bob**');
    const [plain, rich] = await world.store.readStream(streams.messages, { limit: 2 });
    expect(plain!.data).not.toHaveProperty('rendered');
    expect(rich!.data).toMatchObject({ rendered: expect.stringContaining('<em>not</em>'), mentions: [BOB] });
  });

  test('a channel that one may not know of does not exist', async () => {
    await world.addChannel(2, 'secret', [BOB], { inviteOnly: true });
    const hidden = await refusalOf(world.send(ANN, 'x', { to: 'secret' }));
    expect(hidden).toMatchObject({ code: 'STREAM_DOES_NOT_EXIST', data: { stream: 'secret' } });
    expect(await refusalOf(world.send(ANN, 'x', { to: 2 }))).toMatchObject({ data: { stream_id: 2 } });
  });

  test('mentioning everyone needs a permission in a large channel', async () => {
    await world.addChannel(2, 'large', [ANN]);
    for (let userId = 10; userId < 25; userId++) {
      await world.addUser(userId, `User ${userId}`);
      await world.subscribe(2, userId);
    }
    const refusal = await refusalOf(world.send(ANN, '@**all** hi', { to: 2 }));
    expect(refusal.code).toBe('STREAM_WILDCARD_MENTION_NOT_ALLOWED');
    await world.send(ANN, '@_**all** hi', { to: 2 });
    await world.send(ANN, '@**all** hi');
  });

  test('mentioning a topic counts who takes part in it', async () => {
    for (let userId = 10; userId < 25; userId++) {
      await world.addUser(userId, `User ${userId}`);
      await world.send(userId, 'me too', { topic: 'vote' });
    }
    await world.send(10, '@**topic** hi', { topic: 'vote' });
    await world.react(ANN, 1, 'tada');
    const refusal = await refusalOf(world.send(ANN, '@**topic** hi', { topic: 'VOTE' }));
    expect(refusal.code).toBe('TOPIC_WILDCARD_MENTION_NOT_ALLOWED');
    await world.send(ANN, '@**topic** hi', { topic: 'other' });
  });

  test('content that would become too much HTML is shown as it was written', async () => {
    const content = `${'<b>'.repeat(9)}${':tada: '.repeat(1_400)}${'😀'.repeat(100)}`;
    const id = await world.send(ANN, content);
    await world.change(ANN, id, { content: `${content}x` });
    const doc = await world.reader.get(id);
    expect(doc!.rendered!.startsWith('<p>&lt;b&gt;')).toBe(true);
    expect(doc!.edits).toHaveLength(1);
  });

  test('a link to a topic opens at its newest message', async () => {
    await world.send(ANN, 'one');
    const newest = await world.send(ANN, 'two');
    const id = await world.send(ANN, 'see #**Denmark>lunch**', { topic: 'other' });
    expect((await world.reader.get(id))!.rendered).toContain(`/with/${newest}"`);
  });
});

describe('messages that one may not read look like messages that do not exist', () => {
  test.each(['change', 'delete', 'react', 'unreact'] as const)('%s', async (action) => {
    await world.addChannel(2, 'secret', [BOB], { inviteOnly: true });
    const secret = await world.send(BOB, 'x', { to: 2 });
    const direct = await world.send(BOB, 'x', { type: 'direct', to: [MOD] });
    const attempt = (id: number) => {
      if (action === 'change') return world.change(ANN, id, { content: 'y', topic: 'z' });
      if (action === 'delete') return world.delete(ANN, id);
      return world[action](ANN, id, 'tada');
    };
    const unknown = await refusalOf(attempt(999));
    expect(unknown).toEqual({ code: 'BAD_REQUEST', message: 'Invalid message(s)', data: {} });
    expect(await refusalOf(attempt(secret))).toEqual(unknown);
    expect(await refusalOf(attempt(direct))).toEqual(unknown);
  });
});

describe('moving', () => {
  const topicsOf = async (ids: readonly number[]) =>
    ids.length === 0 ? [] : [...(await world.reader.getMany(ids)).values()].map(({ topic }) => topic);

  test('one, later ones, or all', async () => {
    const ids: number[] = [];
    for (const content of ['a', 'b', 'c', 'd']) ids.push(await world.send(ANN, content));
    await world.change(BOB, ids[1]!, { topic: 'one' });
    expect(await topicsOf(ids)).toEqual(['lunch', 'one', 'lunch', 'lunch']);
    await world.change(BOB, ids[2]!, { topic: 'later', propagateMode: 'change_later' });
    expect(await topicsOf(ids)).toEqual(['lunch', 'one', 'later', 'later']);
    await world.send(ANN, 'e');
    await world.change(BOB, ids[0]!, { topic: 'all', propagateMode: 'change_all' });
    expect(await topicsOf([...ids, 5])).toEqual(['all', 'one', 'later', 'later', 'all']);
  });

  test('two at the same time take turns', async () => {
    const ids = [await world.send(ANN, 'a'), await world.send(ANN, 'b')];
    await Promise.all([
      world.change(BOB, ids[0]!, { topic: 'first', propagateMode: 'change_all' }),
      world.change(BOB, ids[1]!, { topic: 'second', propagateMode: 'change_all' }),
    ]);
    expect(await topicsOf(ids)).toEqual(['second', 'second']);
  });

  test.each(['delete', 'react'] as const)(
    'what is asked for during a move finds the message moved: %s',
    async (action) => {
      const id = await world.send(ANN, 'a');
      const moving = world.change(ANN, id, { topic: 'dinner' });
      await Promise.all([moving, action === 'delete' ? world.delete(ANN, id) : world.react(BOB, id, 'tada')]);
      const [, fact] = await world.store.readStream(streams.message(id), { limit: 2 });
      expect(fact!.data).toMatchObject({ place: { channelId: 1, topic: 'dinner' } });
    },
  );

  test('a move finds what was deleted before it gone', async () => {
    const ids = [await world.send(ANN, 'a'), await world.send(ANN, 'b')];
    const deleting = world.delete(ANN, ids[1]!);
    await Promise.all([deleting, world.change(ANN, ids[0]!, { topic: 'dinner', propagateMode: 'change_all' })]);
    const [fact] = await world.store.readStream(streams.message(ids[0]!), { limit: 1 });
    expect(fact!.data).toMatchObject({ ids: [[ids[0], ids[0]]] });
  });

  test('a refused move does not hold up the next', async () => {
    const id = await world.send(ANN, 'a');
    const [refused] = await Promise.allSettled([
      world.change(BOB, 99, { topic: 'x' }),
      world.change(BOB, id, { topic: 'y' }),
    ]);
    expect(refused.status).toBe('rejected');
    expect(await topicsOf([id])).toEqual(['y']);
  });

  test('a topic that is partly too old, for members and for moderators', async () => {
    const old = [await world.send(ANN, 'a'), await world.send(ANN, 'b')];
    world.clock.atMs = (START + 5 * DAY) * 1000;
    const young = [await world.send(ANN, 'c'), await world.send(ANN, 'd'), await world.send(ANN, 'e')];
    world.clock.atMs = (START + 8 * DAY) * 1000;
    const all = { topic: 'x', propagateMode: 'change_all' } as const;
    expect(await refusalOf(world.change(BOB, young[1]!, all))).toMatchObject({
      code: 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
      data: {
        first_message_id_allowed_to_move: young[0],
        total_messages_allowed_to_move: 3,
        total_messages_in_topic: 5,
      },
    });
    expect((await refusalOf(world.change(BOB, old[0]!, all))).code).toBe('BAD_REQUEST');
    await world.change(BOB, young[0]!, { topic: 'y', propagateMode: 'change_later' });
    await world.change(MOD, old[0]!, all);
    expect(await topicsOf([...old, ...young])).toEqual(['x', 'x', 'y', 'y', 'y']);
  });

  test('into a channel that one may not read, or may not know of', async () => {
    await world.addChannel(2, 'secret', [BOB], { inviteOnly: true });
    const id = await world.send(ANN, 'a');
    const unknown = await refusalOf(world.change(ANN, id, { channelId: 77 }));
    expect(unknown.code).toBe('BAD_REQUEST');
    expect(await refusalOf(world.change(ANN, id, { channelId: 2 }))).toEqual(unknown);
  });

  test('where history is protected, only what the actor can see', async () => {
    await world.addChannel(2, 'closed', [BOB], { inviteOnly: true, historyPublicToSubscribers: false });
    const early = await world.send(BOB, 'a', { to: 2 });
    await world.subscribe(2, ANN);
    const late = await world.send(BOB, 'b', { to: 2 });
    await world.change(ANN, late, { topic: 'x', propagateMode: 'change_all' });
    expect(await topicsOf([early, late])).toEqual(['lunch', 'x']);
  });

  test('subscribers of a protected channel keep the messages that are moved there, and newcomers do not get them', async () => {
    await world.addChannel(2, 'closed', [BOB], { inviteOnly: true, historyPublicToSubscribers: false });
    await world.subscribe(2, ANN);
    const id = await world.send(ANN, 'a');
    await world.change(ANN, id, { channelId: 2 });
    await world.subscribe(2, MOD);
    await world.react(BOB, id, 'tada');
    expect((await refusalOf(world.react(MOD, id, 'tada'))).message).toBe('Invalid message(s)');
  });

  test('notices go where they are wished for', async () => {
    await world.addChannel(2, 'Norway', [ANN]);
    const id = await world.send(ANN, 'a');
    const notices = { oldThread: true, newThread: true };
    await world.change(ANN, id, { channelId: 2, topic: 'x', propagateMode: 'change_all', notices });
    const [there, here] = [await world.reader.get(2), await world.reader.get(3)];
    expect(there).toMatchObject({ senderId: 1, conversation: 'c:2', topic: 'x' });
    expect(there!.content).toMatch(/^This topic was moved here from #\*\*Denmark>lunch\*\* by @_\*\*Ann\|2\*\*/);
    expect(here).toMatchObject({ senderId: 1, conversation: 'c:1', topic: 'lunch' });
    expect(here!.content).toContain('#**Norway>x**');
  });

  test('a private channel is not named where others read', async () => {
    await world.addChannel(2, 'secret', [ANN], { inviteOnly: true });
    const id = await world.send(ANN, 'a');
    await world.send(ANN, 'b');
    await world.change(ANN, id, { channelId: 2, notices: { oldThread: true, newThread: false } });
    const notice = await world.reader.get(3);
    expect(notice!.content).toContain('A message was moved');
    expect(JSON.stringify(notice)).not.toContain('secret');
  });

  test('a resolved topic says so, in its new name', async () => {
    const id = await world.send(ANN, 'a');
    await world.change(BOB, id, { topic: '✔ lunch', propagateMode: 'change_all' });
    expect(await world.reader.get(2)).toMatchObject({
      topic: '✔ lunch',
      content: expect.stringContaining('as resolved'),
    });
    world.clock.atMs += 61_000;
    await world.change(BOB, id, { topic: 'lunch', propagateMode: 'change_all' });
    expect(await world.reader.get(3)).toMatchObject({
      topic: 'lunch',
      content: expect.stringContaining('as unresolved'),
    });
  });

  test('unresolving right after resolving deletes the notice', async () => {
    const id = await world.send(ANN, 'a');
    await world.change(BOB, id, { topic: '✔ lunch', propagateMode: 'change_all' });
    world.clock.atMs += 60_000;
    await world.change(BOB, id, { topic: 'lunch', propagateMode: 'change_all' });
    expect([await world.reader.get(2), await world.reader.get(3)]).toEqual([undefined, undefined]);
    expect(await world.reader.get(id)).toMatchObject({ topic: 'lunch' });
    // After another message in the topic, the notice stays.
    await world.change(BOB, id, { topic: '✔ lunch', propagateMode: 'change_all' });
    await world.send(ANN, 'why?', { topic: '✔ lunch' });
    await world.change(BOB, id, { topic: 'lunch', propagateMode: 'change_all' });
    expect((await world.reader.get(3))!.content).toContain('as resolved');
    expect((await world.reader.get(5))!.content).toContain('as unresolved');
  });

  test('a topic that is resolved under another name is told both, and so is one that is not resolved any more', async () => {
    const id = await world.send(ANN, 'a');
    const notices = { oldThread: false, newThread: true };
    await world.change(BOB, id, { topic: '✔ dinner', propagateMode: 'change_all', notices });
    const inNew = { topic: '✔ dinner', conversation: 'c:1' };
    expect(await world.reader.get(2)).toMatchObject({
      ...inNew,
      content: expect.stringContaining('as resolved'),
      unreadFor: [ANN],
    });
    expect(await world.reader.get(3)).toMatchObject({ ...inNew, content: expect.stringContaining('was moved here') });
    expect((await world.reader.get(3))!.unreadFor).toBeUndefined();
    await world.change(BOB, id, { topic: 'tea', propagateMode: 'change_all' });
    expect(await world.reader.get(4)).toMatchObject({
      topic: 'tea',
      content: expect.stringContaining('as unresolved'),
    });
  });

  test('a topic that gets another name as it is unresolved loses the notice of a mistake', async () => {
    const id = await world.send(ANN, 'a');
    await world.change(BOB, id, { topic: '✔ lunch', propagateMode: 'change_all' });
    const notices = { oldThread: false, newThread: true };
    await world.change(BOB, id, { topic: 'dinner', propagateMode: 'change_all', notices });
    expect(await world.reader.get(2)).toBeUndefined();
    expect((await world.reader.get(3))!.content).toContain('was moved here');
    expect(await world.reader.get(4)).toBeUndefined();
  });

  test('what joins a topic that is resolved, or is not, marks nothing', async () => {
    await world.send(ANN, 'a', { topic: '✔ dinner' });
    const id = await world.send(ANN, 'b');
    await world.change(BOB, id, { topic: '✔ dinner', propagateMode: 'change_all' });
    expect(await world.reader.get(3)).toBeUndefined();
  });

  test('notices are sent under keys that releases share, so that none is repeated after an upgrade', async () => {
    const id = await world.send(ANN, 'a');
    await world.change(BOB, id, { topic: '✔ lunch', propagateMode: 'change_all' });
    const notices = { oldThread: true, newThread: true };
    await world.change(BOB, id, { topic: 'dinner', propagateMode: 'change_one', notices });
    for (const key of ['@0:new', '@1:new', '@1:old', '@1:mark']) {
      const hash = createHash('sha256')
        .update(`1:${streams.message(id)}${key}`)
        .digest('hex');
      expect([key, await world.store.readStream(streams.keyedSend(hash), { limit: 2 })]).toEqual([
        key,
        [expect.anything()],
      ]);
    }
  });

  test('a notice that a topic was resolved is news to those who took part in it', async () => {
    const id = await world.send(ANN, 'a');
    await world.react(BOB, id, 'tada');
    await world.change(ANN, id, { topic: '✔ lunch', propagateMode: 'change_all' });
    expect((await world.reader.get(2))!.unreadFor).toEqual([ANN, BOB]);
  });
});

test('a topic that stays makes no edit wait for others, and a move waits for them', async () => {
  const id = await world.send(ANN, 'a');
  let end = (): void => undefined;
  const held = world.moveLock.shared(() => new Promise<void>((resolve) => (end = resolve)));
  await world.change(ANN, id, { content: 'b', topic: ' lunch ' });
  expect(await world.reader.get(id)).toMatchObject({ content: 'b', topic: 'lunch' });
  const moved = world.change(ANN, id, { content: 'c', topic: 'dinner' }).then(() => 'moved');
  expect(await Promise.race([moved, pause(50, 'waiting')])).toBe('waiting');
  end();
  await held;
  expect(await moved).toBe('moved');
  expect(await world.reader.get(id)).toMatchObject({ content: 'c', topic: 'dinner' });
});

test('an edit and a move of one request are one event', async () => {
  const id = await world.send(ANN, 'a');
  await world.change(ANN, id, { content: 'b', topic: 'x' });
  const facts = await world.store.readStream(streams.message(id), { limit: 10 });
  expect(facts.map(({ type }) => type)).toEqual(['messages.moved.v1']);
  expect(await world.reader.get(id)).toMatchObject({ content: 'b', topic: 'x' });
});

test('a bot’s owner deletes what the bot sent, and an administrator anything they can read', async () => {
  await world.addUser(5, 'Admin', { role: ROLE.administrator });
  const id = await world.send(ANN, 'a');
  expect((await refusalOf(world.delete(BOB, id))).code).toBe('BAD_REQUEST');
  world.clock.atMs += DAY * 1000;
  expect((await refusalOf(world.delete(ANN, id))).code).toBe('BAD_REQUEST');
  await world.delete(5, id);
  expect(await world.reader.get(id)).toBeUndefined();
  expect((await refusalOf(world.delete(5, id))).message).toBe('Invalid message(s)');
});

test('what others did meanwhile is taken into account', async () => {
  const id = await world.send(ANN, 'a');
  const [first, second] = await Promise.allSettled([world.react(BOB, id, 'tada'), world.react(BOB, id, 'tada')]);
  expect(first.status).toBe('fulfilled');
  expect(second).toMatchObject({ status: 'rejected', reason: { code: 'REACTION_ALREADY_EXISTS' } });
});
