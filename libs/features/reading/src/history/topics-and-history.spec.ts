import { type MessageDocument, SentMessages } from '#messages';
import type { User } from '#users/model';
import { ExtraEmojiType } from '#pictures/model';
import { executing } from '#testing';
import { ReadSideFixture } from '../read-side.fixture.js';
import { getMessage, GetMessageQuery } from '../fetch/get-message.js';
import { ListTopicsQuery, type TopicEntry, TopicLists } from '../topics/list-topics.js';
import { historyOf, messageHistory, MessageHistoryQuery } from './message-history.js';

describe('topics', () => {
  let world: ReadSideFixture;
  let lister: TopicLists;
  let ann: User;
  let bob: User;
  beforeEach(async () => {
    world = await ReadSideFixture.create();
    lister = new TopicLists(world.directory, world.conversations, world.messages, world.seen);
    ann = await world.user('ann@example.com');
    bob = await world.user('bob@example.com');
  });
  afterEach(() => world.destroy());

  const topicsFor = (viewer: User, channelId: number): Promise<readonly TopicEntry[]> =>
    lister.of(new ListTopicsQuery(world.again(viewer), channelId, false));
  const move = (channelId: number, ids: number[], from: string, to: string, toChannel = channelId): Promise<void> =>
    world.move(bob, ids[0]!, {
      ids: ids.map((id) => [id, id]),
      from: { channelId, topic: from },
      to: { channelId: toChannel, topic: to },
      propagateMode: 'change_all',
    });

  test('are listed newest first, as their newest message spells them', async () => {
    const general = await world.channel('general', 'public', ann, bob);
    for (const topic of ['lunch', '', 'Lunch']) await world.send(bob, { channelId: general, topic });
    expect(await topicsFor(ann, general)).toEqual([
      { name: 'Lunch', max_id: 3 },
      { name: 'general chat', max_id: 2 },
    ]);
  });

  test('follow what is deleted and moved', async () => {
    const general = await world.channel('general', 'public', ann, bob);
    for (const topic of ['a', 'a', 'b', 'c']) await world.send(bob, { channelId: general, topic });
    const place = { channelId: general, topic: 'a' };
    await world.change(2, { type: 'message.deleted.v1', data: { messageId: 2, by: bob.userId, place, at: 1 } });
    await move(general, [4], 'c', 'B');
    expect(await topicsFor(ann, general)).toEqual([
      { name: 'B', max_id: 4 },
      { name: 'a', max_id: 1 },
    ]);
    await move(general, [4], 'B', 'd');
    expect(await topicsFor(ann, general)).toEqual([
      { name: 'd', max_id: 4 },
      { name: 'b', max_id: 3 },
      { name: 'a', max_id: 1 },
    ]);
  });

  test('of a protected channel are those of messages that came since one subscribed', async () => {
    const secret = await world.channel('secret', 'protected', bob);
    const general = await world.channel('general', 'public', bob);
    for (const topic of ['old', 'both']) await world.send(bob, { channelId: secret, topic });
    const early = await world.send(bob, { channelId: general, topic: 'elsewhere' });
    await world.subscribe(secret, ann);
    const both = await world.send(bob, { channelId: secret, topic: 'both' });
    await move(general, [early], 'elsewhere', 'old', secret);
    await world.unsubscribe(secret, ann);
    await world.send(bob, { channelId: secret, topic: 'both' });
    await expect(topicsFor(ann, secret)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await world.subscribe(secret, ann);
    expect(await topicsFor(ann, secret)).toEqual([
      { name: 'both', max_id: both },
      { name: 'old', max_id: early },
    ]);
  });
});

describe('one message', () => {
  let world: ReadSideFixture;
  let ann: User;
  let bob: User;
  let hidden: number;
  beforeAll(async () => {
    world = await ReadSideFixture.create();
    ann = await world.user('ann@example.com');
    bob = await world.user('bob@example.com');
    const secret = await world.channel('secret', 'private', bob);
    hidden = await world.send(bob, { channelId: secret, topic: 'x' }, { content: '**hi**', rendered: '<p>HTML</p>' });
  });
  afterAll(() => world.destroy());

  test('comes with its source, and only to whom may read it', async () => {
    const handler = executing(getMessage, world);
    const options = {
      applyMarkdown: true,
      clientGravatar: true,
      allowEmptyTopicName: true,
      extraEmojiType: new ExtraEmojiType(),
    };
    const get = (viewer: User, id: number) => handler.execute(new GetMessageQuery(world.again(viewer), id, options));
    expect(await get(bob, hidden)).toMatchObject({
      raw_content: '**hi**',
      message: { id: hidden, content: '<p>HTML</p>', flags: [] },
    });
    const refused = { code: 'BAD_REQUEST', message: 'Invalid message(s)' };
    await expect(get(ann, hidden)).rejects.toMatchObject(refused);
    await expect(get(ann, 999)).rejects.toMatchObject(refused);
  });

  test('tells its history only to whom may read it', async () => {
    const handler = executing(messageHistory, {
      directory: world.directory,
      messages: world.messages,
      versions: world.versions,
      sent: new SentMessages(world.events),
    });
    const history = (viewer: User, id: number) =>
      handler.execute(new MessageHistoryQuery(world.again(viewer), id, false));
    expect(await history(bob, hidden)).toEqual([
      { topic: 'x', content: '**hi**', rendered_content: '<p>HTML</p>', timestamp: 100, user_id: bob.userId },
    ]);
    const refused = { code: 'BAD_REQUEST', message: 'Invalid message(s)' };
    await expect(history(ann, hidden)).rejects.toMatchObject(refused);
    await expect(history(ann, 999)).rejects.toMatchObject(refused);
  });
});

describe('a history', () => {
  test('begins where the message came out of what the viewer may not read', async () => {
    const [moved, resolved] = [
      { by: 4, at: 300, position: 3, prevTopic: 'plot', topic: 'c', prevChannelId: 2, channelId: 3 },
      { by: 4, at: 400, position: 4, prevTopic: 'c', topic: '✔ c' },
    ];
    const doc: MessageDocument = {
      conversation: 'c:3',
      topicKey: '✔ c',
      topic: '✔ c',
      senderId: 9,
      content: 'two',
      client: 'test',
      at: 100,
      bytes: 0,
      edits: [resolved, moved, { by: 9, at: 150, position: 2, edited: true }],
    };
    const [first, second, ...more] = await historyOf(doc, false, {
      edits: [resolved],
      at: 300,
      by: 4,
      beginsLate: false,
    });
    expect(more).toEqual([]);
    expect(first).toEqual({
      topic: 'c',
      content: 'two',
      rendered_content: '<p>two</p>',
      timestamp: 300,
      user_id: 4,
    });
    expect(second).toMatchObject({ topic: '✔ c', prev_topic: 'c', timestamp: 400 });
  });

  test('begins with what was sent and ends with what is there', async () => {
    const doc: MessageDocument = {
      conversation: 'c:3',
      topicKey: 'c',
      topic: 'c',
      senderId: 9,
      content: 'three',
      client: 'test',
      at: 100,
      bytes: 0,
    };
    const edits = [
      { by: 4, at: 300, position: 4, prevTopic: 'b', topic: 'c', prevChannelId: 2, channelId: 3 },
      { by: 9, at: 200, position: 3, edited: true, prevContent: 'two', prevTopic: '', topic: 'b' } as const,
      { by: 9, at: 150, position: 2, edited: true, prevContent: 'one', prevRendered: '<p>ONE</p>' } as const,
    ];
    const known = { edits, at: 100, by: 9, beginsLate: false };
    const [first, second, third, fourth, ...more] = await historyOf(doc, false, known);
    expect(more).toEqual([]);
    expect(first).toEqual({
      topic: 'general chat',
      content: 'one',
      rendered_content: '<p>ONE</p>',
      timestamp: 100,
      user_id: 9,
    });
    expect(second).toMatchObject({
      topic: 'general chat',
      content: 'two',
      prev_content: 'one',
      prev_rendered_content: '<p>ONE</p>',
      timestamp: 150,
    });
    expect(second).not.toHaveProperty('prev_topic');
    expect(third).toMatchObject({
      topic: 'b',
      prev_topic: 'general chat',
      content: 'three',
      rendered_content: '<p>three</p>',
      prev_content: 'two',
    });
    expect(fourth).toEqual({
      topic: 'c',
      prev_topic: 'b',
      stream: 3,
      prev_stream: 2,
      content: 'three',
      rendered_content: '<p>three</p>',
      timestamp: 300,
      user_id: 4,
    });
  });
});
