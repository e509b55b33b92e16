import { streams } from '#event-store';
import type { QueueSettings } from '#feed';
import { BY_SERVER, idsIn } from '#kernel';
import type { User } from '#users/model';
import { executing } from '#testing';
import type { FlagsChanged } from '../flags/flags.events.js';
import { type ChangedFlags, ChangeFlagsCommand, changeFlags, FlagWriter, settableFlag } from './change-flags.js';
import { MarkTopicReadCommand, markTopicRead } from './mark-read.js';
import { FlagClientEvents, unchangedEntry } from './flags.client-events.js';
import { decideFlags } from './flags.decider.js';
import { ReadSideFixture } from '../read-side.fixture.js';
import { maxMessageId, MaxMessageIdQuery } from '../fetch/max-message-id.js';
import { RecentDirectConversations } from '../topics/recent-direct-conversations.js';
import { StarredMessages } from '../register/starred-messages.js';
import { wireUnread, type WireUnreadMessages } from '../unread/unread-conversations.js';

describe('deciding on flags', () => {
  const command = { userId: 4, at: 7 } as const;

  test('names only what changes', () => {
    const messages = [5, 3, 4].map((messageId) => ({ messageId, isSet: messageId === 4 }));
    const add = decideFlags({ ...command, op: 'add', flag: 'starred', messages });
    expect(add.events.map(({ data }) => data)).toEqual([
      {
        userId: 4,
        op: 'add',
        flag: 'starred',
        ids: [
          [3, 3],
          [5, 5],
        ],
        at: 7,
      },
    ]);
    const remove = decideFlags({ ...command, op: 'remove', flag: 'starred', messages });
    expect(remove.events.map(({ data }) => data.ids)).toEqual([[[4, 4]]]);
    const nothing = decideFlags({ ...command, op: 'add', flag: 'starred', messages: [{ messageId: 4, isSet: true }] });
    expect(nothing.events).toEqual([]);
  });

  test('leaves messages read in channels that are not subscribed to, and says which', () => {
    const messages = [
      { messageId: 1, isSet: true, keptReadIn: 8 },
      { messageId: 2, isSet: true },
    ];
    const { events, ignoredChannelIds } = decideFlags({ ...command, op: 'remove', flag: 'read', messages });
    expect(events.map(({ data }) => data.ids)).toEqual([[[2, 2]]]);
    expect(ignoredChannelIds).toEqual([8]);
    const starred = decideFlags({ ...command, op: 'remove', flag: 'starred', messages });
    expect(starred.events.map(({ data }) => data.ids)).toEqual([[[1, 2]]]);
  });

  test('splits what one append could not hold', () => {
    const messages = Array.from({ length: 50_000 }, (_, n) => ({ messageId: 1_000_000_000 + 2 * n, isSet: false }));
    const { events } = decideFlags({ ...command, op: 'add', flag: 'read', messages });
    expect(events.flatMap(({ data }) => idsIn(data.ids))).toEqual(messages.map(({ messageId }) => messageId));
    for (const fact of events) expect(JSON.stringify(fact).length).toBeLessThan(900_000);
  });
});

describe('flags', () => {
  let world: ReadSideFixture;
  let change: { execute(asked: ChangeFlagsCommand): Promise<ChangedFlags> };
  let ann: User;
  let bob: User;
  let general: number;

  beforeEach(async () => {
    world = await ReadSideFixture.create();
    const writer = new FlagWriter(world.directory, world.runner, world.clock, world.announcer);
    change = executing(changeFlags, { messages: world.messages, seen: world.seen, writer });
    ann = await world.user('ann@example.com');
    bob = await world.user('bob@example.com');
    general = await world.channel('general', 'public', ann, bob);
  });
  afterEach(() => world.destroy());

  const set = (op: 'add' | 'remove', flag: string, ...messageIds: number[]): Promise<ChangedFlags> =>
    change.execute(new ChangeFlagsCommand(world.again(ann), messageIds, op, settableFlag(flag)));
  const unreadOf = async (viewer: User): Promise<WireUnreadMessages> => {
    const look = await world.unread.look(world.again(viewer));
    return wireUnread(look, { userId: viewer.userId, allowEmptyTopicName: false });
  };
  const flagsOf = async (viewer: User, id: number): Promise<readonly string[]> => {
    const doc = await world.messages.get(id);
    const [seen] = await world.seen.of(world.again(viewer), [{ id, doc: doc! }]);
    return seen!.flags;
  };
  const events = async (): Promise<FlagsChanged['data'][]> =>
    (await world.events.readStream(streams.flags(ann.userId), { limit: 100 })).map(({ data }) => data);

  test('are listed as unread by conversation', async () => {
    const cat = await world.user('cat@example.com');
    const quiet = await world.channel('quiet', 'public', bob);
    const [a, b, c, mine, read, pm, note, huddle] = [
      await world.send(bob, { channelId: general, topic: 'x' }),
      await world.send(bob, { channelId: general, topic: '' }, { mentions: [ann.userId] }),
      await world.send(bob, { channelId: general, topic: 'x' }, { channelWildcard: true }),
      await world.send(ann, { channelId: general, topic: 'x' }),
      await world.send(ann, { channelId: general, topic: 'x' }, { readBySender: true }),
      await world.send(bob, [ann]),
      await world.send(ann, []),
      await world.send(cat, [ann, bob]),
    ];
    await world.send(bob, { channelId: quiet, topic: 'x' });
    expect(read).toBe(5);
    expect(await unreadOf(ann)).toEqual({
      count: 7,
      pms: [
        { other_user_id: ann.userId, sender_id: ann.userId, unread_message_ids: [note] },
        { other_user_id: bob.userId, sender_id: bob.userId, unread_message_ids: [pm] },
      ],
      streams: [
        { stream_id: general, topic: 'general chat', unread_message_ids: [b] },
        { stream_id: general, topic: 'x', unread_message_ids: [a, c, mine] },
      ],
      huddles: [
        { user_ids_string: [ann, bob, cat].map(({ userId }) => userId).join(','), unread_message_ids: [huddle] },
      ],
      mentions: [b, c],
      old_unreads_missing: false,
    });
  });

  test('become read and unread again, a message sent by oneself too', async () => {
    const theirs = await world.send(bob, { channelId: general, topic: 'x' });
    const mine = await world.send(ann, { channelId: general, topic: 'x' }, { readBySender: true });
    await set('add', 'read', theirs);
    expect((await unreadOf(ann)).count).toBe(0);
    expect(await flagsOf(ann, theirs)).toEqual(['read']);
    expect(await set('remove', 'read', mine, theirs, mine)).toEqual({ ids: [mine, theirs], ignoredChannelIds: [] });
    expect((await unreadOf(ann)).streams).toEqual([
      { stream_id: general, topic: 'x', unread_message_ids: [theirs, mine] },
    ]);
    expect(await flagsOf(ann, mine)).toEqual([]);
    await set('add', 'read', mine);
    expect((await world.freshUnread().look(ann)).unread.ids()).toEqual([theirs]);
    expect(await flagsOf(bob, theirs)).toEqual([]);
  });

  test('that do not change record nothing', async () => {
    const message = await world.send(bob, { channelId: general, topic: 'x' });
    await set('remove', 'read', message);
    await set('add', 'starred', message, message);
    await set('add', 'starred', message);
    expect(await events()).toMatchObject([{ op: 'add', flag: 'starred', ids: [[message, message]] }]);
  });

  test('change for all messages named, or for none', async () => {
    const secret = await world.channel('secret', 'private', bob);
    const seen = await world.send(bob, { channelId: general, topic: 'x' });
    const hidden = await world.send(bob, { channelId: secret, topic: 'x' });
    const refused = { code: 'BAD_REQUEST', message: 'Invalid message(s)' };
    await expect(set('add', 'read', seen, hidden)).rejects.toMatchObject(refused);
    await expect(set('add', 'read', seen, 999)).rejects.toMatchObject(refused);
    expect(await events()).toEqual([]);
  });

  test.each(['mentioned', 'historical', 'has_alert_word', 'purple'])(
    'of the server are not set by users: %s',
    (flag) => {
      expect(() => settableFlag(flag)).toThrow(expect.objectContaining({ code: 'BAD_REQUEST' }));
    },
  );

  test('can be set on messages that were never received', async () => {
    const quiet = await world.channel('quiet', 'public', bob);
    const message = await world.send(bob, { channelId: quiet, topic: 'x' });
    expect(await flagsOf(ann, message)).toEqual(['read', 'historical']);
    await set('add', 'starred', message);
    expect(await flagsOf(ann, message)).toEqual(['read', 'starred', 'historical']);
    expect(await set('remove', 'read', message)).toEqual({ ids: [], ignoredChannelIds: [quiet] });
    expect(await flagsOf(ann, message)).toContain('read');
    await world.subscribe(quiet, ann);
    expect(await set('remove', 'read', message)).toEqual({ ids: [message], ignoredChannelIds: [] });
    expect(await flagsOf(ann, message)).toEqual(['starred', 'historical']);
    expect((await unreadOf(ann)).count).toBe(1);
  });

  test('tell whom a message mentions', async () => {
    const message = await world.send(
      bob,
      { channelId: general, topic: 'x' },
      { mentions: [ann.userId], topicWildcard: true, topicParticipants: [ann.userId, bob.userId] },
    );
    expect(await flagsOf(ann, message)).toEqual(['mentioned', 'topic_wildcard_mentioned', 'wildcard_mentioned']);
    expect(await flagsOf(bob, message)).toEqual(['topic_wildcard_mentioned', 'wildcard_mentioned']);
  });

  test('become read with their topic, regardless of case, and the topic must exist', async () => {
    const marks = executing(markTopicRead, {
      directory: world.directory,
      narrowed: world.narrowed,
      marks: world.markRead,
    });
    const mark = (topic: string): Promise<void> => marks.execute(new MarkTopicReadCommand(ann, general, topic));
    await world.send(bob, { channelId: general, topic: 'Lunch' });
    const other = await world.send(bob, { channelId: general, topic: '' });
    await mark('LUNCH');
    await mark('lunch');
    expect((await events()).length).toBe(1);
    expect((await unreadOf(ann)).streams.map(({ unread_message_ids }) => unread_message_ids)).toEqual([[other]]);
    await mark('general chat');
    expect((await unreadOf(ann)).count).toBe(0);
    await expect(mark('nowhere')).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  test('become read when their channel is left, for good', async () => {
    const secret = await world.channel('secret', 'private', ann, bob);
    await world.send(bob, { channelId: secret, topic: 'x' });
    const kept = await world.send(bob, { channelId: general, topic: 'x' });
    await world.unsubscribe(secret, ann);
    await world.markRead.leftChannels(ann.userId, [secret], BY_SERVER);
    await world.subscribe(secret, ann);
    expect((await world.unread.look(world.again(ann))).unread.ids()).toEqual([kept]);
  });

  test('also when that is found out after they came back, but nothing that came since', async () => {
    const secret = await world.channel('secret', 'private', ann, bob);
    await world.send(bob, { channelId: secret, topic: 'x' });
    const moved = await world.send(bob, { channelId: general, topic: 'x' });
    await world.unsubscribe(secret, ann);
    await world.subscribe(secret, ann);
    const fresh = await world.send(bob, { channelId: secret, topic: 'x' });
    const [from, to] = [general, secret].map((channelId) => ({ channelId, topic: 'x' }));
    await world.move(bob, moved, { from: from!, to: to! });
    await world.markRead.leftChannels(ann.userId, [secret], BY_SERVER);
    expect((await world.unread.look(world.again(ann))).unread.ids()).toEqual([moved, fresh]);
  });

  test('of a muted sender become read, but not those sent after the mute ended', async () => {
    const data = { userId: ann.userId, mutedUserId: bob.userId, at: 1 };
    const place = { channelId: general, topic: 'x' };
    await world.send(bob, place);
    await world.prefer({ type: 'mute.added.v1', data });
    await world.prefer({ type: 'mute.removed.v1', data });
    const fresh = await world.send(bob, place);
    await world.markRead.sentByMuted(ann.userId, bob.userId, BY_SERVER);
    expect((await world.unread.look(world.again(ann))).unread.ids()).toEqual([fresh]);
  });

  test('of a channel that is left as it is come back with it', async () => {
    const secret = await world.channel('secret', 'private', ann, bob);
    const message = await world.send(bob, { channelId: secret, topic: 'x' });
    await world.unsubscribe(secret, ann);
    expect((await unreadOf(ann)).count).toBe(0);
    await world.subscribe(secret, ann);
    expect((await unreadOf(ann)).streams).toEqual([{ stream_id: secret, topic: 'x', unread_message_ids: [message] }]);
  });

  test('are counted with the rest of the start-up data', async () => {
    const max = executing(maxMessageId, world);
    const recent = new RecentDirectConversations(world.conversations, world.messages);
    const stars = new StarredMessages(world.flags, world.messages, world.seen);
    expect(await max.execute(new MaxMessageIdQuery(ann))).toBe(-1);
    const pm = await world.send(bob, [ann]);
    const note = await world.send(ann, []);
    const last = await world.send(bob, [ann]);
    await world.send(bob, []);
    expect(await max.execute(new MaxMessageIdQuery(ann))).toBe(last);
    await set('add', 'starred', note, pm);
    expect((await stars.find(ann)).readable).toEqual([pm, note]);
    const place = { to: [ann.userId, bob.userId] };
    await world.change(last, { type: 'message.deleted.v1', data: { messageId: last, by: bob.userId, place, at: 1 } });
    expect(recent.wire(ann, await recent.find(ann))).toEqual([
      { max_message_id: note, user_ids: [] },
      { max_message_id: pm, user_ids: [bob.userId] },
    ]);
    expect(await max.execute(new MaxMessageIdQuery(ann))).toBe(note);
  });

  describe('are told to the clients of their user', () => {
    const settings = { capabilities: [] as string[] } as unknown as QueueSettings;

    const told = async (): Promise<unknown[]> => {
      const events = new FlagClientEvents(world.directory, world.messages, world.seen);
      const recorded = await world.events.readStream(streams.flags(ann.userId), { limit: 100 });
      const all: unknown[] = [];
      for (const fact of recorded) {
        const [entry] = events.derive(fact, world.directory);
        expect(entry?.audience).toEqual({ to: 'users', ids: [ann.userId] });
        const presentable = { position: fact.position, entry: JSON.parse(JSON.stringify(entry)) };
        const prepared = await events.prepare([presentable]);
        all.push(...events.present(presentable, { queueId: 'q', user: world.again(ann), settings }, prepared));
      }
      return all;
    };
    const event = { type: 'update_message_flags', flag: 'read', all: false };

    test('when they are set', async () => {
      const message = await world.send(bob, { channelId: general, topic: 'x' });
      await set('add', 'read', message);
      expect(await told()).toEqual([{ ...event, op: 'add', operation: 'add', messages: [message] }]);
    });

    test('when everything becomes read', async () => {
      await world.send(bob, { channelId: general, topic: 'x' });
      await world.markRead.everything(ann.userId, BY_SERVER);
      expect(await told()).toEqual([{ ...event, op: 'add', operation: 'add', messages: [], all: true }]);
    });

    test('and what was sent to them while everything became read is unread', async () => {
      const upTo = await world.send(bob, { channelId: general, topic: 'x' });
      const secret = await world.channel('secret', 'private', bob);
      const unseen = await world.send(bob, { channelId: secret, topic: 'x' });
      const own = await world.send(ann, [bob]);
      const [late, alsoRead] = [await world.send(bob, [ann]), await world.send(bob, [ann])];
      const data = { userId: ann.userId, op: 'add', flag: 'read', ids: [[1, upTo]], at: 1 } as const;
      await world.runner.appendOnly(streams.flags(ann.userId), [{ type: 'flags.changed.v1', data }], BY_SERVER, {
        metadata: { all: true },
      });
      await set('add', 'read', own, alsoRead);
      const events = new FlagClientEvents(world.directory, world.messages, world.seen);
      const [fact] = await world.events.readStream(streams.flags(ann.userId), { limit: 1 });
      const entries = events.derive(fact!, world.directory).map((entry) => ({ position: fact!.position, entry }));
      const prepared = await events.prepare(entries);
      const recipient = { queueId: 'q', user: world.again(ann), settings };
      expect(entries.flatMap((entry) => events.present(entry, recipient, prepared))).toEqual([
        { ...event, op: 'add', operation: 'add', messages: [], all: true },
        {
          ...event,
          op: 'remove',
          operation: 'remove',
          messages: [late],
          message_details: { [late]: { type: 'private', user_ids: [bob.userId] } },
        },
      ]);
      expect((await world.unread.delivered(ann.userId)).unread.ids()).toEqual([late]);
      expect(unseen).toBeLessThan(late);
    });

    test.each<[Parameters<typeof unchangedEntry>[1], object]>([
      [
        { op: 'add', flag: 'starred', all: false },
        { flag: 'starred', op: 'add', operation: 'add' },
      ],
      [
        { op: 'remove', flag: 'read', all: false },
        { op: 'remove', operation: 'remove', message_details: {} },
      ],
      [
        { op: 'add', flag: 'read', all: true },
        { op: 'add', operation: 'add', all: true },
      ],
    ])('when nothing changed: %j', (change, expected) => {
      const entry = unchangedEntry(ann.userId, change);
      expect(entry.audience).toEqual({ to: 'users', ids: [ann.userId] });
      const events = new FlagClientEvents(world.directory, world.messages, world.seen);
      // Ephemeral events are presented without preparation.
      const shown = events.present({ position: 1, entry }, { queueId: 'q', user: ann, settings }, undefined);
      expect(shown).toEqual([{ ...event, messages: [], ...expected }]);
    });

    test('with where the messages stand when they become unread, as far as they may be read', async () => {
      const secret = await world.channel('secret', 'private', ann, bob);
      const ids = [
        await world.send(bob, { channelId: general, topic: '' }, { mentions: [ann.userId] }),
        await world.send(bob, [ann]),
        await world.send(bob, { channelId: secret, topic: 'x' }),
      ];
      await set('add', 'read', ...ids);
      await set('remove', 'read', ...ids);
      await world.unsubscribe(secret, ann);
      const [a, b] = ids as [number, number];
      expect((await told())[1]).toEqual({
        ...event,
        op: 'remove',
        operation: 'remove',
        messages: [a, b],
        message_details: {
          [a]: { type: 'stream', mentioned: true, stream_id: general, topic: 'general chat', unmuted_stream_msg: true },
          [b]: { type: 'private', user_ids: [bob.userId] },
        },
      });
    });
  });
});
