import fc from 'fast-check';
import { streams } from '#event-store';
import { BY_SERVER } from '#kernel';
import { type MessageRow, PAGE_MAX } from '#messages';
import { ROLE, type User } from '#users/model';
import { ExtraEmojiType } from '#pictures/model';
import { rounds, executing } from '#testing';
import { ReadSideFixture } from '../read-side.fixture.js';
import { Narrow } from '../narrow/narrow.js';
import type { WireOptions } from '../wire/wire-message.js';
import { ANSWER_BYTES_MAX, AnswerBudget } from './answer-budget.js';
import { NEWEST_ANCHOR, type Anchor } from '../narrow/anchor.js';
import { fetchMessages, FetchMessagesQuery, type FetchedMessages } from './fetch-messages.js';
import { matchMessages, MatchMessagesQuery } from './match-messages.js';
import { narrowTermsOf, type WireNarrow } from '../narrow/narrow-terms.js';
import { SearchBudget } from '../narrow/search-budget.js';
import type { ViewerMessage } from '../viewer/viewer-messages.js';

const OPTIONS: WireOptions = {
  applyMarkdown: true,
  clientGravatar: true,
  allowEmptyTopicName: true,
  extraEmojiType: new ExtraEmojiType(),
};

type Parsed = Omit<FetchedMessages, 'messages'> & { readonly messages: readonly Record<string, any>[] };

async function parsed(fetched: Promise<FetchedMessages>): Promise<Parsed> {
  const { messages, ...found } = await fetched;
  return { ...found, messages: messages.map((text) => JSON.parse(text) as Record<string, any>) };
}

describe('fetching messages', () => {
  let world: ReadSideFixture;
  let fetcher: { execute(asked: FetchMessagesQuery): Promise<FetchedMessages> };
  let ann: User;
  let bob: User;
  let cat: User;

  const begin = async (): Promise<void> => {
    world = await ReadSideFixture.create();
    fetcher = executing(fetchMessages, world);
    ann = await world.user('ann@example.com');
    bob = await world.user('bob@example.com');
    cat = await world.user('cat@example.com', ROLE.guest);
  };

  const fetchWindow = (
    viewer: User,
    narrow: WireNarrow = [],
    anchor: Anchor = NEWEST_ANCHOR,
    before = 100,
    after = 100,
    includeAnchor = true,
  ): Promise<Parsed> => {
    const window = { anchor, before, after, includeAnchor };
    return parsed(fetcher.execute(new FetchMessagesQuery(world.again(viewer), narrowTermsOf(narrow), window, OPTIONS)));
  };
  const ids = async (viewer: User, narrow: WireNarrow = []): Promise<unknown[]> =>
    (await fetchWindow(viewer, narrow)).messages.map(({ id }) => id);
  const flagsOf = async (viewer: User, narrow: WireNarrow, id: number): Promise<unknown> =>
    (await fetchWindow(viewer, narrow)).messages.find((message) => message['id'] === id)?.['flags'];

  test('the first unread match is found among many, and those behind it are not gathered', async () => {
    await begin();
    const channelId = await world.channel('general', 'public', ann, bob);
    for (let n = 1; n < 260; n++) await world.send(bob, { channelId, topic: 'even' });
    const last = await world.send(bob, { channelId, topic: 'even' }, { content: 'needle' });
    const gathered = jest.spyOn(Narrow.prototype, 'mayList');
    const looks = jest.spyOn(world.unread, 'look');
    const anchorOf = async (narrow: WireNarrow) => (await fetchWindow(ann, narrow, 'first_unread', 0, 0)).anchor;
    expect(await anchorOf([['is', 'unread']])).toBe(1);
    expect(looks).toHaveBeenCalledTimes(1);
    expect(gathered.mock.calls.length).toBeLessThan(last);
    const found: WireNarrow = [
      ['is', 'unread'],
      ['search', 'needle'],
    ];
    expect(await anchorOf(found)).toBe(last);
    await world.destroy();
  });

  test('a conversation whose first message is in the read store alone is not there yet', async () => {
    await begin();
    const first = await world.send(bob, [ann]);
    const early: unknown[] = [];
    world.beforeDirectory = async () => early.push(await ids(ann), await ids(ann, [{ operator: 'is', operand: 'dm' }]));
    const second = await world.send(bob, [ann, cat]);
    expect(early).toEqual([[first], [first]]);
    expect(await ids(ann)).toEqual([first, second]);
    await world.destroy();
  });

  describe('windows', () => {
    let general: number;
    afterAll(() => world.destroy());
    beforeAll(async () => {
      await begin();
      general = await world.channel('general', 'public', ann, bob);
      for (let n = 0; n < 10; n++) await world.send(bob, { channelId: general, topic: n % 2 === 0 ? 'even' : 'odd' });
    });

    test.each([
      [5, 2, 2, true, [3, 4, 5, 6, 7], true, false, false],
      [5, 2, 0, false, [3, 4], false, false, false],
      [5, 0, 2, true, [5, 6, 7], true, false, false],
      [5, 0, 0, true, [5], true, false, false],
      [NEWEST_ANCHOR, 3, 5, true, [8, 9, 10], false, false, true],
      [0, 3, 3, true, [1, 2, 3], false, true, false],
      [9, 1, 5, true, [8, 9, 10], true, false, true],
      [2, 5, 1, true, [1, 2, 3], true, true, false],
      [77, 2, 2, true, [9, 10], false, false, true],
    ] as const)('around %i, %i before and %i after', async (anchor, before, after, include, found, ...ends) => {
      const answer = await fetchWindow(ann, [], anchor, before, after, include);
      expect(answer.messages.map(({ id }) => id)).toEqual(found);
      expect([answer.found_anchor, answer.found_oldest, answer.found_newest]).toEqual(ends);
      expect(answer.anchor).toBe(anchor);
    });

    test('count what matches, not what lies between', async () => {
      const even: WireNarrow = [['topic', 'Even']];
      const answer = await fetchWindow(ann, even, 6, 1, 1);
      expect(answer.messages.map(({ id }) => id)).toEqual([5, 7]);
      expect(answer.found_anchor).toBe(false);
    });

    test('begin at the first unread message, or at the newest', async () => {
      await world.markRead.topic(ann.userId, general, 'odd', BY_SERVER);
      expect((await fetchWindow(ann, [], 'first_unread', 0, 1)).anchor).toBe(1);
      expect((await fetchWindow(ann, [['topic', 'odd']], 'first_unread', 1, 1)).anchor).toBe(NEWEST_ANCHOR);
      expect((await fetchWindow(ann, [['topic', 'even']], 'first_unread', 0, 0)).messages).toHaveLength(1);
    });

    test('may be lists instead', async () => {
      const secret = await world.channel('secret', 'private', bob);
      const hidden = await world.send(bob, { channelId: secret, topic: 'x' });
      const query = new FetchMessagesQuery(world.again(ann), [], { messageIds: [7, 3, hidden, 7, 999] }, OPTIONS);
      expect((await parsed(fetcher.execute(query))).messages.map(({ id }) => id)).toEqual([3, 7]);
    });
  });

  describe('windows of large messages', () => {
    const COUNT = 12;
    const MEGABYTE = 1_000_000;
    let general: number;
    afterAll(() => world.destroy());
    beforeAll(async () => {
      await begin();
      general = await world.channel('general', 'public', ann, bob);
      const rendered = `<p>needle ${'<br>'.repeat(MEGABYTE / 4)}</p>`;
      for (let n = 0; n < COUNT; n++)
        await world.send(bob, { channelId: general, topic: 'large' }, { content: `needle ${n}`, rendered });
    });
    const numbers = ({ messages }: Parsed): number[] => messages.map(({ id }) => id as number);
    const bytesIn = ({ messages }: Parsed): number => Buffer.byteLength(JSON.stringify(messages));

    test.each<[string, WireNarrow]>([
      ['without a narrow', []],
      ['of a topic', [['topic', 'large']]],
      ['of listed messages', [{ operator: 'is', operand: 'unread' }]],
    ])('%s end at a number of bytes, and say that there is more', async (_, narrow) => {
      const newest = await fetchWindow(ann, narrow, NEWEST_ANCHOR, 100, 0);
      expect(numbers(newest)).toEqual([6, 7, 8, 9, 10, 11, 12]);
      expect([newest.found_oldest, newest.found_newest]).toEqual([false, true]);
      const older = await fetchWindow(ann, narrow, 6, 100, 0, false);
      expect(numbers(older)).toEqual([1, 2, 3, 4, 5]);
      expect(older.found_oldest).toBe(true);
      const oldest = await fetchWindow(ann, narrow, 0, 0, 100);
      expect(numbers(oldest)).toEqual([1, 2, 3, 4, 5, 6, 7]);
      expect([oldest.found_oldest, oldest.found_newest]).toEqual([true, false]);
      for (const answer of [newest, older, oldest]) expect(bytesIn(answer)).toBeLessThan(ANSWER_BYTES_MAX);
    });

    test('leave room for both sides of the anchor', async () => {
      const both = await fetchWindow(ann, [], 7, 100, 100);
      expect(numbers(both)).toEqual([5, 6, 7, 8, 9, 10, 11]);
      expect([both.found_oldest, both.found_anchor, both.found_newest]).toEqual([false, true, false]);
      const near = await fetchWindow(ann, [], 2, 100, 100);
      expect(numbers(near)).toEqual([1, 2, 3, 4, 5, 6, 7]);
      expect([near.found_oldest, near.found_newest]).toEqual([true, false]);
    });

    test('hold one message on each side, however large messages are', () => {
      const budget = new AnswerBudget();
      const [before, after] = [budget.part(ANSWER_BYTES_MAX / 2), budget.part()];
      const large = 'ж'.repeat(ANSWER_BYTES_MAX / 2);
      expect([before.spend(large), before.spend('x'), after.spend(large), after.spend('x')]).toEqual([
        true,
        false,
        true,
        false,
      ]);
    });

    test('count what a search marks, and each reader counts their own', async () => {
      const found = await fetchWindow(ann, [['search', 'needle']], NEWEST_ANCHOR, 100, 0);
      expect(numbers(found)).toEqual([10, 11, 12]);
      expect(found.found_oldest).toBe(false);
      const window = { anchor: NEWEST_ANCHOR, before: 100, after: 0, includeAnchor: true } as const;
      const source = { ...OPTIONS, applyMarkdown: false };
      const query = new FetchMessagesQuery(world.again(ann), narrowTermsOf([['topic', 'large']]), window, source);
      const answer = await parsed(fetcher.execute(query));
      expect([numbers(answer).length, answer.found_oldest]).toEqual([COUNT, true]);
    });

    test('and lists of messages end, too, or are refused where they cannot', async () => {
      const messageIds = Array.from({ length: COUNT }, (_, n) => n + 1);
      const query = new FetchMessagesQuery(world.again(ann), [], { messageIds }, OPTIONS);
      const answer = await parsed(fetcher.execute(query));
      expect(numbers(answer)).toEqual([1, 2, 3, 4, 5, 6, 7]);
      expect([answer.found_oldest, answer.found_newest]).toEqual([true, false]);
      const matches = executing(matchMessages, world);
      const match = (ids: number[]) =>
        matches.execute(new MatchMessagesQuery(world.again(ann), ids, narrowTermsOf([['search', 'needle']])));
      await expect(match(messageIds)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
      expect(Object.keys(await match([1, 2, 3]))).toHaveLength(3);
    });
  });

  describe('narrows', () => {
    let general: number;
    let lunch: number;
    let dinner: number;
    let toBob: number;
    let toAll: number;
    let note: number;
    afterAll(() => world.destroy());
    beforeAll(async () => {
      await begin();
      general = await world.channel('General', 'public', ann, bob);
      lunch = await world.send(bob, { channelId: general, topic: 'Lunch' }, { mentions: [ann.userId] });
      dinner = await world.send(ann, { channelId: general, topic: '' }, { channelWildcard: true, readBySender: true });
      toBob = await world.send(ann, [bob]);
      toAll = await world.send(bob, [ann, cat]);
      note = await world.send(ann, []);
    });

    test.each([
      ['a channel by name', () => [['stream', 'general']], () => [lunch, dinner]],
      ['a channel by ID', () => [{ operator: 'channel', operand: general }], () => [lunch, dinner]],
      [
        'all but a channel',
        () => [{ operator: 'channel', operand: general, negated: true }],
        () => [toBob, toAll, note],
      ],
      ['a topic', () => [['topic', 'lunch']], () => [lunch]],
      ['the empty topic, which no direct message has', () => [['topic', '']], () => [dinner]],
      ['the empty topic by its display name', () => [['subject', 'general chat']], () => [dinner]],
      ['a conversation by e-mail', () => [['pm-with', 'bob@example.com']], () => [toBob]],
      ['a conversation as terminals write it', () => [['pm-with', 'cat@example.com, bob@example.com']], () => [toAll]],
      ['a conversation by IDs', () => [{ operator: 'dm', operand: [bob.userId, cat.userId] }], () => [toAll]],
      ['notes to oneself', () => [{ operator: 'dm', operand: [ann.userId] }], () => [note]],
      ['no conversation', () => [{ operator: 'dm', operand: [] }], () => []],
      ['conversations with a user', () => [{ operator: 'dm-including', operand: bob.userId }], () => [toBob, toAll]],
      ['direct messages', () => [['is', 'private']], () => [toBob, toAll, note]],
      ['all but direct messages', () => [{ operator: 'is', operand: 'dm', negated: true }], () => [lunch, dinner]],
      ['a sender', () => [{ operator: 'sender', operand: bob.userId }], () => [lunch, toAll]],
      ['a sender by e-mail', () => [['from', 'BOB@example.com']], () => [lunch, toAll]],
      [
        'all but a sender',
        () => [{ operator: 'sender', operand: bob.userId, negated: true }],
        () => [dinner, toBob, note],
      ],
      ['mentions', () => [['is', 'mentioned']], () => [lunch, dinner]],
      ['one message', () => [{ operator: 'id', operand: toBob }], () => [toBob]],
      ['one message, in words', () => [['id', String(toBob)]], () => [toBob]],
      ['all but one', () => [{ operator: 'id', operand: toBob, negated: true }], () => [lunch, dinner, toAll, note]],
      [
        'what is near, which is everything',
        () => [{ operator: 'near', operand: 1 }],
        () => [lunch, dinner, toBob, toAll, note],
      ],
      ['everywhere', () => [['in', 'all']], () => [lunch, dinner, toBob, toAll, note]],
      ['two terms', () => [['stream', 'General'], { operator: 'sender', operand: ann.userId }], () => [dinner]],
      ['unread messages', () => [['is', 'unread']], () => [lunch, toBob, toAll, note]],
      ['the conversation of a message', () => [['with', String(lunch)]], () => [lunch]],
    ] as [string, () => WireNarrow, () => number[]][])('to %s', async (_, narrow, expected) => {
      expect(await ids(ann, narrow())).toEqual(expected());
    });

    test.each([
      ['shape', 'round'],
      ['search', ' '],
      ['has', 'fun'],
      ['in', 'space'],
      ['is', 'purple'],
      ['stream', 'nowhere'],
      ['sender', 'nobody@example.com'],
      ['with', '999'],
    ] as unknown[][])('that mean nothing are refused: %j', async (...term) => {
      const narrow = [typeof term[0] === 'object' ? term[0] : term] as WireNarrow;
      await expect((async () => fetchWindow(ann, narrow))()).rejects.toMatchObject({
        code: 'BAD_NARROW',
        data: { desc: expect.any(String) },
      });
    });

    test('that take more work than a request may cost are refused, and told so', async () => {
      const terms = Array.from('abcdefghijklmnopqrstuvwxyz').map((letter) => {
        return { operator: 'search', operand: `word${letter}`, negated: true } as const;
      });
      const narrow = await world.narrowed.narrow(ann, terms);
      const window = { anchor: 1_000, includeAnchor: false, before: 10, after: 0 };
      const take = (messages: readonly ViewerMessage[]) => Promise.resolve({ chosen: messages });
      const found = await world.narrowed.around(ann, narrow, window, take);
      expect(found.messages).not.toHaveLength(0);
      await expect(world.narrowed.around(ann, narrow, window, take, new SearchBudget(0))).rejects.toMatchObject({
        code: 'BAD_NARROW',
        data: { desc: expect.stringContaining('takes too long') },
      });
    });

    test('cost no more when they say a thing many times', async () => {
      const [looks, lists] = [jest.spyOn(world.unread, 'look'), jest.spyOn(world.conversations, 'directOf')];
      const including = [ann, bob, cat].map(({ userId }) => ({ operator: 'dm-including', operand: userId }));
      const often = Array.from({ length: 20 }, () => [{ operator: 'is', operand: 'unread' }, ...including]).flat();
      expect(await ids(ann, often)).toEqual([toAll]);
      expect([looks.mock.calls.length, lists.mock.calls.length]).toEqual([1, 1]);
    });

    test('do not tell an invisible channel from none', async () => {
      const secret = await world.channel('secret', 'private', bob);
      const refused = { code: 'BAD_NARROW', message: 'Invalid narrow operator: unknown channel' };
      await expect(fetchWindow(cat, [['stream', 'secret']])).rejects.toMatchObject(refused);
      await expect(fetchWindow(cat, [{ operator: 'channel', operand: secret }])).rejects.toMatchObject(refused);
    });

    test('to a conversation follow its message', async () => {
      const [from, to] = ['Lunch', 'Food'].map((topic) => ({ channelId: general, topic }));
      await world.move(bob, lunch, { from: from!, to: to!, at: 200 });
      const stale: WireNarrow = [
        ['stream', 'General'],
        ['topic', 'Lunch'],
        ['with', String(lunch)],
      ];
      expect(await ids(ann, stale)).toEqual([lunch]);
      expect(
        await ids(ann, [
          ['stream', 'General'],
          ['topic', 'Lunch'],
          ['with', '999'],
        ]),
      ).toEqual([]);
    });
  });

  describe('histories', () => {
    beforeEach(begin);
    afterEach(() => world.destroy());

    test('of a public channel are read by newcomers, and are not their own', async () => {
      const general = await world.channel('general', 'public', bob);
      const old = await world.send(bob, { channelId: general, topic: 'x' });
      await world.subscribe(general, ann);
      const fresh = await world.send(bob, { channelId: general, topic: 'x' });
      expect(await ids(ann, [['stream', 'general']])).toEqual([old, fresh]);
      expect(await flagsOf(ann, [['stream', 'general']], old)).toEqual(['read', 'historical']);
      expect(await flagsOf(ann, [['stream', 'general']], fresh)).toEqual([]);
      expect(await ids(ann)).toEqual([fresh]);
      expect(
        await ids(ann, [
          ['stream', 'general'],
          ['is', 'unread'],
        ]),
      ).toEqual([fresh]);
      expect(await ids(ann, [['streams', 'public']])).toEqual([old, fresh]);
      expect(await ids(cat, [['streams', 'public']])).toEqual([]);
    });

    test('of a user who subscribed and left repeatedly contain the messages sent while they were subscribed', async () => {
      const general = await world.channel('general', 'public', bob);
      const received: number[] = [];
      for (let times = 0; times < 25; times++) {
        await world.subscribe(general, ann);
        received.push(await world.send(bob, { channelId: general, topic: 'x' }));
        await world.unsubscribe(general, ann);
        await world.send(bob, { channelId: general, topic: 'x' });
      }
      const finds = jest.spyOn(world.messages, 'page');
      expect(await ids(ann, [['topic', 'x']])).toEqual(received);
      expect(JSON.stringify(finds.mock.calls[0]).length).toBeLessThan(1000); // One range instead of one per subscription.
    });

    test('hold what one flags though one never received it', async () => {
      const general = await world.channel('general', 'public', bob);
      const [starred, unread] = [
        await world.send(bob, { channelId: general, topic: 'x' }),
        await world.send(bob, { channelId: general, topic: 'x' }),
      ];
      await world.subscribe(general, ann);
      const flag = (op: 'add' | 'remove', name: 'starred' | 'read', id: number) =>
        world.runner.appendOnly(
          streams.flags(ann.userId),
          [{ type: 'flags.changed.v1', data: { userId: ann.userId, op, flag: name, ids: [[id, id]], at: 1 } }],
          BY_SERVER,
        );
      await flag('add', 'starred', starred);
      await flag('remove', 'read', unread);
      expect(await ids(ann, [['topic', 'x']])).toEqual([starred, unread]);
      expect(
        await ids(ann, [
          ['stream', 'general'],
          ['is', 'unread'],
        ]),
      ).toEqual([unread]);
    });

    test('that are protected begin with the subscription', async () => {
      const secret = await world.channel('secret', 'protected', bob);
      await world.send(bob, { channelId: secret, topic: 'x' });
      await world.subscribe(secret, ann);
      const fresh = await world.send(bob, { channelId: secret, topic: 'x' });
      expect(await ids(ann, [['stream', 'secret']])).toEqual([fresh]);
      await world.unsubscribe(secret, ann);
      expect(await ids(ann)).toEqual([]);
    });

    test('are left with a private channel, and come back with it', async () => {
      const secret = await world.channel('secret', 'private', ann, bob);
      const first = await world.send(bob, { channelId: secret, topic: 'x' });
      await world.unsubscribe(secret, ann);
      const missed = await world.send(bob, { channelId: secret, topic: 'x' });
      expect(await ids(ann)).toEqual([]);
      await world.subscribe(secret, ann);
      expect(await ids(ann)).toEqual([first]);
      expect(await ids(ann, [['stream', 'secret']])).toEqual([first, missed]);
    });

    test('hold what one sends without being subscribed', async () => {
      const general = await world.channel('general', 'public', bob);
      const mine = await world.send(ann, { channelId: general, topic: 'x' });
      expect(await ids(ann)).toEqual([mine]);
    });

    test('follow messages to the channels they are moved to', async () => {
      const [from, to, secret] = [
        await world.channel('from', 'public', ann, bob),
        await world.channel('to', 'public', bob),
        await world.channel('secret', 'protected', bob),
      ];
      const message = await world.send(bob, { channelId: from, topic: 'x' });
      const move = (fromId: number, toId: number): Promise<void> =>
        world.move(bob, message, {
          from: { channelId: fromId, topic: 'x' },
          to: { channelId: toId, topic: 'x' },
          at: 200,
        });
      await world.subscribe(to, ann);
      await world.subscribe(secret, cat);
      await move(from, to);
      expect(await flagsOf(ann, [], message)).toEqual([]);
      await move(to, secret);
      expect(await ids(ann)).toEqual([]);
      expect(await ids(bob)).toEqual([message]);
      expect(await flagsOf(cat, [['stream', 'secret']], message)).toEqual(['read', 'historical']);
    });
  });

  test('finds what going through everything would find', async () => {
    await begin();
    const channels = [
      await world.channel('open', 'public', ann, bob),
      await world.channel('closed', 'private', ann, bob),
      await world.channel('veiled', 'protected', bob),
    ];
    const users = [ann, bob, cat];
    const channel = fc.constantFrom(...channels);
    const user = fc.constantFrom(...users);
    const topic = fc.constantFrom('', 'x', '✔ x');
    const step = fc.oneof(
      { weight: 6, arbitrary: fc.tuple(fc.constant('send'), user, channel, topic) },
      { weight: 2, arbitrary: fc.tuple(fc.constant('direct'), user, user, user) },
      { weight: 2, arbitrary: fc.tuple(fc.constant('subscribe'), user, channel) },
      { weight: 1, arbitrary: fc.tuple(fc.constant('leave'), user, channel) },
      { weight: 2, arbitrary: fc.tuple(fc.constant('move'), fc.nat(), channel, topic) },
      { weight: 1, arbitrary: fc.tuple(fc.constant('delete'), fc.nat()) },
      { weight: 1, arbitrary: fc.tuple(fc.constant('unread'), user, fc.nat()) },
      { weight: 1, arbitrary: fc.tuple(fc.constant('read'), user, channel) },
    );
    const term = fc.oneof(
      fc.record({ operator: fc.constant('channel'), operand: channel, negated: fc.boolean() }),
      fc.record({ operator: fc.constant('topic'), operand: topic, negated: fc.boolean() }),
      fc.record({ operator: fc.constant('sender'), operand: user.map(({ userId }) => userId), negated: fc.boolean() }),
      fc.record({
        operator: fc.constant('is'),
        operand: fc.constantFrom('dm', 'unread', 'resolved'),
        negated: fc.boolean(),
      }),
    );
    const look = fc.record({ viewer: user, terms: fc.array(term, { maxLength: 2 }), anchor: fc.nat({ max: 60 }) });
    let newest = 0;
    let seen = 0;
    const act = async (steps: readonly (readonly unknown[])[]): Promise<void> => {
      for (const [kind, ...args] of steps as [string, ...any[]][]) {
        const existing = async (nth: number) => {
          const id = newest === 0 ? 0 : 1 + (nth % newest);
          return { id, doc: await world.messages.get(id) };
        };
        if (kind === 'send') newest = await world.send(args[0], { channelId: args[1], topic: args[2] });
        if (kind === 'direct') newest = await world.send(args[0], [args[1], args[2]]);
        if (kind === 'subscribe') await world.subscribe(args[1], args[0]);
        if (kind === 'leave') await world.unsubscribe(args[1], args[0]);
        if (kind === 'read') await world.markRead.channel((args[0] as User).userId, args[1], BY_SERVER);
        if (kind === 'unread') {
          const { id, doc } = await existing(args[1]);
          const { userId } = args[0] as User;
          if (doc === undefined) continue;
          const data = {
            userId,
            op: 'remove' as const,
            flag: 'read' as const,
            ids: [[id, id]] as [number, number][],
            at: 1,
          };
          await world.runner.appendOnly(`1.flags-${userId}`, [{ type: 'flags.changed.v1', data }], BY_SERVER);
        }
        if (kind === 'move' || kind === 'delete') {
          const { id, doc } = await existing(args[0]);
          if (doc?.topic === undefined) continue;
          const place = { channelId: Number(doc.conversation.slice(2)), topic: doc.topic };
          const by = bob.userId;
          if (kind === 'delete') {
            await world.change(id, { type: 'message.deleted.v1', data: { messageId: id, by, place, at: 1 } });
          } else {
            await world.move(bob, id, { from: place, to: { channelId: args[1], topic: args[2] } });
          }
        }
      }
    };
    const expectSame = async ({
      viewer,
      terms,
      anchor,
    }: {
      viewer: User;
      terms: WireNarrow;
      anchor: number;
    }): Promise<void> => {
      const current = world.again(viewer);
      const known = await world.narrows.read(current, narrowTermsOf(terms)).catch(() => undefined);
      if (known === undefined) return;
      const everything: MessageRow[] = [];
      everything.push(...(await world.messages.find(undefined, 'ascending', PAGE_MAX)));
      const readable = await world.seen.of(current, everything);
      const matching = readable
        .filter((message) => known.reachesHistory || message.received || message.personal.unread)
        .filter((message) => known.matches(message))
        .map(({ id }) => id);
      const found = await fetchWindow(viewer, terms, anchor, 3, 3);
      const expected = [
        ...matching.filter((id) => id < anchor).slice(anchor === 0 ? 99 : -3),
        ...matching.filter((id) => id === anchor),
        ...matching.filter((id) => id > anchor).slice(0, 3),
      ];
      expect(found.messages.map(({ id }) => id)).toEqual(expected);
      seen += expected.length;
    };
    const unreadAsAfterRestart = async (viewer: User): Promise<void> => {
      const current = world.again(viewer);
      const remembered = await world.unread.look(current);
      const fresh = await world.freshUnread().look(current);
      expect(remembered.unread.ids()).toEqual(fresh.unread.ids());
    };
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 4, maxLength: 12 }),
        fc.array(look, { minLength: 3, maxLength: 6 }),
        async (steps, looks) => {
          await act(steps);
          for (const each of looks) await expectSame(each);
          for (const viewer of users) await unreadAsAfterRestart(viewer);
        },
      ),
      { numRuns: rounds(15) },
    );
    await world.destroy();
    expect(newest).toBeGreaterThan(20);
    expect(seen).toBeGreaterThan(20);
  });
});
