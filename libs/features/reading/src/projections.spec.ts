import { streams } from '#event-store';
import {
  ARRIVALS_MAX,
  bytesOf,
  EDITS_MAX,
  type MessageDocument,
  type MessageEvent,
  type MessageSent,
  messagesProjection,
} from '#messages';
import type { Projection } from '#read-store';
import { projectionSpec, recorded, type ProjectionOutcome, type TestEvent } from '#testing';
import { conversationsProjection } from './topics/conversations.projection.js';
import {
  messageVersionsProjection,
  type MessageVersionsDocument,
  VERSIONS_BYTES_MAX,
  VERSIONS_MAX,
} from './versions/message-versions.projection.js';
import { flagChunkKey, userFlagsProjection } from './flags/user-flags.projection.js';

const sent = (data: Partial<MessageSent['data']> = {}): TestEvent => ({
  type: 'message.sent.v1',
  data: { senderId: 9, channelId: 3, topic: 'Lunch', content: 'hi', client: 'test', at: 100, ...data },
  stream: streams.messages,
});
const change = (messageId: number, type: MessageEvent['type'], data: object): TestEvent => ({
  type,
  data,
  stream: streams.message(messageId),
});
const edited = (messageId: number, data: object = {}): TestEvent =>
  change(messageId, 'message.edited.v1', {
    messageId,
    by: 9,
    content: 'new',
    prevContent: 'hi',
    place: { channelId: 3, topic: 'Lunch' },
    at: 200,
    ...data,
  });
const moved = (targetId: number, ids: [number, number][], to: object, data: object = {}): TestEvent =>
  change(targetId, 'messages.moved.v1', {
    targetId,
    ids,
    firstId: ids[0]![0],
    by: 9,
    from: { channelId: 3, topic: 'Lunch' },
    to,
    propagateMode: 'change_all',
    at: 200,
    ...data,
  });
const deleted = (messageId: number, place: object): TestEvent =>
  change(messageId, 'message.deleted.v1', { messageId, by: 9, place, at: 300 });

/** The document of message 1. */
const run = (projection: Projection<object>, facts: readonly TestEvent[]): object | undefined =>
  recorded(...facts).reduce<object | undefined>(
    (doc, event) =>
      projection.handles.has(event.type) && projection.keys(event).some(({ key }) => key === 1)
        ? projection.evolve(doc, event, 1)
        : doc,
    undefined,
  );

const asSent = {
  conversation: 'c:3',
  topicKey: 'lunch',
  topic: 'Lunch',
  senderId: 9,
  content: 'hi',
  client: 'test',
  at: 100,
};

const deletedTogether = (ids: [number, number][], data: object = {}): TestEvent =>
  change(ids[0]![0], 'messages.deleted.v1', { ids, by: 9, place: { channelId: 3, topic: 'Lunch' }, at: 300, ...data });

/** Adds each document's size. */
const sized = (outcome: ProjectionOutcome): ProjectionOutcome => ({
  thenDoc: (key, expected) =>
    sized(outcome.thenDoc(key, { ...expected, bytes: bytesOf(expected as Omit<MessageDocument, 'bytes'>) })),
  thenKeys: (...keys) => sized(outcome.thenKeys(...keys)),
});

describe('messages', () => {
  const spec = projectionSpec(messagesProjection);
  const given = (...facts: TestEvent[]) => sized(spec.given(...facts));

  test('are there once sent, by ID', () => {
    const direct = sent({ channelId: undefined, topic: undefined, to: [2, 9], mentions: [2], channelWildcard: true });
    given(sent(), direct)
      .thenDoc(1, asSent)
      .thenDoc(2, {
        conversation: 'd:2,9',
        topicKey: '',
        senderId: 9,
        content: 'hi',
        mentions: [2],
        singledOut: [0, 2],
        channelWildcard: true,
        client: 'test',
        at: 100,
      });
  });

  test('keep what they said before an edit, mention whom they mention now, and list whom they did before', () => {
    given(
      sent({ rendered: '<p><b>hi</b></p>', mentions: [4] }),
      edited(1, { prevRendered: '<p><b>hi</b></p>' }),
    ).thenDoc(1, {
      ...asSent,
      content: 'new',
      unmentioned: [4],
      edits: [{ by: 9, at: 200, position: 2, edited: true }],
      lastEditAt: 200,
    });
    const third = edited(1, { content: 'third', mentions: [4, 6] });
    given(sent({ mentions: [4, 5] }), edited(1), third, edited(1, { content: 'fourth', mentions: [5] })).thenDoc(1, {
      ...asSent,
      content: 'fourth',
      mentions: [5],
      unmentioned: [4, 6],
      singledOut: [5],
      edits: [4, 3, 2].map((position) => ({ by: 9, at: 200, position, edited: true })),
      lastEditAt: 200,
    });
  });

  test('move with their topic, remembering where they were sent and where they arrived', () => {
    const elsewhere = moved(1, [[1, 2]], { channelId: 5, topic: 'Food' });
    const back = moved(
      1,
      [[1, 1]],
      { channelId: 3, topic: 'Food' },
      { from: { channelId: 5, topic: 'Food' }, at: 300 },
    );
    const there = { by: 9, at: 200, position: 3, prevTopic: 'Lunch', topic: 'Food', prevChannelId: 3, channelId: 5 };
    given(sent(), sent(), elsewhere, back)
      .thenDoc(1, {
        ...asSent,
        topicKey: 'food',
        topic: 'Food',
        edits: [{ by: 9, at: 300, position: 4, prevChannelId: 5, channelId: 3 }, there],
        lastMovedAt: 300,
        sentTo: 3,
        movedInto: [3],
        arrivals: [
          { channelId: 5, position: 3 },
          { channelId: 3, position: 4 },
        ],
      })
      .thenDoc(2, {
        ...asSent,
        conversation: 'c:5',
        topicKey: 'food',
        topic: 'Food',
        edits: [there],
        lastMovedAt: 200,
        sentTo: 3,
        movedInto: [5],
        arrivals: [{ channelId: 5, position: 3 }],
      });
  });

  test('tell an edit and a move of one request as one, of the target', () => {
    const move = { by: 9, at: 200, position: 3, prevTopic: 'Lunch', topic: 'Food' };
    const edit = { content: '@x @**topic**', mentions: [4], topicWildcard: true, topicParticipants: [5], alerted: [6] };
    const food = { channelId: 3, topic: 'Food' };
    const facts = [
      sent({ mentions: [7], channelWildcard: true, rendered: '<a href="https://e.example/">hi</a>' }),
      sent(),
      moved(1, [[1, 2]], food, { edit: { ...edit, prevContent: 'hi', prevRendered: '<p>hi</p>' } }),
    ];
    const there = { ...asSent, topicKey: 'food', topic: 'Food', lastMovedAt: 200 };
    given(...facts)
      .thenDoc(1, {
        ...there,
        ...edit,
        singledOut: [4, 5],
        unmentioned: [7],
        edits: [{ ...move, edited: true }],
        lastEditAt: 200,
      })
      .thenDoc(2, { ...there, edits: [move] });
  });

  test('tell an edit and a move of one request as one, where they were two events', () => {
    const both = { by: 9, at: 200, position: 2, edited: true, prevTopic: 'Lunch', topic: 'Food' };
    given(sent(), edited(1), moved(1, [[1, 1]], { channelId: 3, topic: 'Food' }, { withEdit: true })).thenDoc(1, {
      ...asSent,
      content: 'new',
      topicKey: 'food',
      topic: 'Food',
      edits: [both],
      lastEditAt: 200,
      lastMovedAt: 200,
    });
  });

  test('tell an edit and a later move, or a move that another message was the target of, apart', () => {
    const edit = { by: 9, at: 200, position: 2, edited: true };
    const move = { by: 9, prevTopic: 'Lunch', topic: 'Food' };
    const doc = { ...asSent, content: 'new', topicKey: 'food', topic: 'Food', lastEditAt: 200 };
    given(sent(), edited(1), moved(1, [[1, 1]], { channelId: 3, topic: 'Food' })).thenDoc(1, {
      ...doc,
      edits: [{ ...move, at: 200, position: 3 }, edit],
      lastMovedAt: 200,
    });
    given(sent(), sent(), edited(1), moved(2, [[1, 2]], { channelId: 3, topic: 'Food' }, { withEdit: true })).thenDoc(
      1,
      {
        ...doc,
        edits: [
          { ...move, at: 200, position: 4 },
          { ...edit, position: 3 },
        ],
        lastMovedAt: 200,
      },
    );
  });

  test('are removed when deleted, one by one or together, despite changes decided meanwhile', () => {
    const lunch = { channelId: 3, topic: 'Lunch' };
    given(sent(), sent(), deleted(1, lunch)).thenKeys(2);
    given(sent(), sent(), sent(), deletedTogether([[1, 2]])).thenKeys(3);
    given(
      sent(),
      sent(),
      deletedTogether([[1, 2]]),
      edited(2),
      moved(2, [[1, 2]], { channelId: 3, topic: 'x' }),
    ).thenKeys();
  });

  test('that are notices of a resolved topic say for whom they are news', () => {
    given(sent({ unreadFor: [4] })).thenDoc(1, { ...asSent, unreadFor: [4] });
  });

  test('that are notices say for whom they start read', () => {
    given(sent({ readBy: [4] })).thenDoc(1, { ...asSent, readBy: [4] });
  });

  test('do not count resolving as a move', () => {
    given(sent(), moved(1, [[1, 1]], { channelId: 3, topic: '✔ Lunch' })).thenDoc(1, {
      ...asSent,
      topicKey: '✔ lunch',
      topic: '✔ Lunch',
      edits: [{ by: 9, at: 200, position: 2, prevTopic: 'Lunch', topic: '✔ Lunch' }],
    });
  });

  test('carry reactions, each once', () => {
    const smile = { messageId: 1, userId: 4, emojiName: 'smile', emojiCode: '1f642', reactionType: 'unicode_emoji' };
    const about = { place: { channelId: 3, topic: 'Lunch' }, at: 150 };
    const add = change(1, 'reaction.added.v1', { ...smile, ...about });
    const remove = change(1, 'reaction.removed.v1', { ...smile, ...about });
    const { messageId: _, ...reaction } = smile;
    given(sent(), add).thenDoc(1, { ...asSent, has: ['reaction'], reactions: [reaction] });
    given(sent(), add, remove).thenDoc(1, asSent);
  });

  test('are gone when deleted, even while a move counts on them', () => {
    given(
      sent(),
      deleted(1, { channelId: 3, topic: 'Lunch' }),
      moved(1, [[1, 1]], { channelId: 3, topic: 'Food' }),
    ).thenKeys();
  });
});

describe('what changes a message many times', () => {
  const docOf = (...facts: TestEvent[]) => run(messagesProjection, facts) as MessageDocument;

  test('leaves its document small: it lists the newest changes, and carries no earlier content', () => {
    const emoji = '<span>'.repeat(8_000);
    const edits = Array.from({ length: 3 * EDITS_MAX }, (_, n) =>
      edited(1, { content: `${n}`, rendered: emoji, prevContent: `${n - 1}`, prevRendered: emoji }),
    );
    const doc = docOf(sent({ rendered: emoji }), ...edits);
    expect(doc.edits).toHaveLength(EDITS_MAX);
    expect(doc.edits![0]).toEqual({ by: 9, at: 200, position: 3 * EDITS_MAX + 1, edited: true });
    expect(doc.firstEditPosition).toBe(2);
    expect(JSON.stringify(doc).length).toBeLessThan(emoji.length + 20_000);
  });

  test('moves among them', () => {
    const moves = Array.from({ length: 3 * ARRIVALS_MAX }, (_, n) => {
      const [from, to] = [3 + (n % 2), 4 - (n % 2)].map((channelId) => ({ channelId, topic: 't'.repeat(60) }));
      return moved(1, [[1, 1]], to!, { from });
    });
    const doc = docOf(sent({ topic: 't'.repeat(60) }), ...moves);
    expect(doc.arrivals).toHaveLength(ARRIVALS_MAX);
    expect(doc.arrivals!.at(-1)).toEqual({ channelId: 3, position: 3 * ARRIVALS_MAX + 1 });
    expect(doc.sentTo).toBe(3);
    expect(JSON.stringify(doc).length).toBeLessThan(40_000);
  });

  test('and each document knows about how large it is', () => {
    const smile = { messageId: 1, userId: 4, emojiName: 'smile', emojiCode: '1f642', reactionType: 'unicode_emoji' };
    const reactions = Array.from({ length: 50 }, (_, userId) =>
      change(1, 'reaction.added.v1', { ...smile, userId: userId + 1, place: { channelId: 3, topic: 'x' }, at: 1 }),
    );
    const alerted = Array.from({ length: 2_000 }, (_, n) => n + 100_000);
    for (const facts of [
      [sent({ content: 'ж'.repeat(5_000), alerted })],
      [sent({ content: 'x', rendered: 'й'.repeat(20_000) }), ...reactions],
    ]) {
      const doc = docOf(...facts);
      const { length } = Buffer.from(JSON.stringify(doc));
      expect(doc.bytes).toBeGreaterThan(length * 0.8);
      expect(doc.bytes).toBeLessThan(length * 1.4 + 400);
    }
  });
});

describe('earlier versions of messages', () => {
  const { given } = projectionSpec(messageVersionsProjection);

  test('are what they said before each edit, newest first, by the position of the edit', () => {
    given(
      sent(),
      sent(),
      edited(1, { content: 'two' }),
      edited(1, { prevContent: 'two', prevRendered: '<p>TWO</p>' }),
      moved(2, [[1, 2]], { channelId: 3, topic: 'Food' }, { edit: { content: 'x', prevContent: 'w' } }),
      moved(1, [[1, 2]], { channelId: 3, topic: 'Lunch' }),
    )
      .thenDoc(1, {
        versions: [
          { position: 4, content: 'two', rendered: '<p>TWO</p>' },
          { position: 3, content: 'hi' },
        ],
      })
      .thenDoc(2, { versions: [{ position: 5, content: 'w' }] })
      .thenKeys(1, 2);
  });

  test('are so many and so many bytes at most, the newest in any case', () => {
    const many = Array.from({ length: 2 * VERSIONS_MAX }, (_, n) => edited(1, { prevContent: `${n}` }));
    const { versions } = run(messageVersionsProjection, many) as MessageVersionsDocument;
    expect(versions.map(({ content }) => Number(content))).toEqual(
      Array.from({ length: VERSIONS_MAX }, (_, n) => 2 * VERSIONS_MAX - 1 - n),
    );
    const third = Math.floor(VERSIONS_BYTES_MAX / 3);
    const large = ['a', 'b', 'c', 'd'].map((prevContent) =>
      edited(1, { prevContent, prevRendered: 'x'.repeat(third - 1) }),
    );
    const kept = (facts: TestEvent[]) =>
      (run(messageVersionsProjection, facts) as MessageVersionsDocument).versions.map(({ content }) => content);
    expect(kept(large)).toEqual(['d', 'c', 'b']);
    expect(kept([...large, edited(1, { prevContent: 'e', prevRendered: 'x'.repeat(2 * VERSIONS_BYTES_MAX) })])).toEqual(
      ['e'],
    );
  });

  test('go with their messages', () => {
    const removes = (fact: TestEvent) => messageVersionsProjection.removes?.(recorded(fact)[0]!);
    expect(removes(deleted(7, { channelId: 3, topic: 'Lunch' }))).toEqual([{ from: 7, below: 8 }]);
    expect(
      removes(
        deletedTogether([
          [1, 2],
          [5, 5],
        ]),
      ),
    ).toEqual([
      { from: 1, below: 3 },
      { from: 5, below: 6 },
    ]);
    expect(removes(edited(1))).toEqual([]);
  });
});

describe('conversations', () => {
  const { given } = projectionSpec(conversationsProjection);

  test('are the topics of channels, regardless of case, and the direct conversations', () => {
    given(sent(), sent({ topic: 'LUNCH' }), sent({ channelId: undefined, topic: undefined, to: [2, 9] }))
      .thenKeys('c:3:lunch', 'd:2,9')
      .thenDoc('c:3:lunch', { channelId: 3, maxId: 2, count: 2 })
      .thenDoc('d:2,9', { participants: [2, 9], maxId: 3, count: 1 });
  });

  test('end with their last message', () => {
    const lunch = { channelId: 3, topic: 'Lunch' };
    given(sent(), sent(), deleted(2, lunch)).thenDoc('c:3:lunch', { channelId: 3, maxId: 2, count: 1 });
    given(sent(), sent(), deleted(2, lunch), deleted(1, lunch)).thenKeys();
    given(sent(), sent(), sent(), deletedTogether([[1, 2]])).thenDoc('c:3:lunch', { channelId: 3, maxId: 3, count: 1 });
    given(sent(), sent(), sent(), deletedTogether([[1, 3]])).thenKeys();
  });

  test('follow moves, in whole and in part', () => {
    given(sent(), sent(), sent(), moved(1, [[1, 2]], { channelId: 3, topic: 'Food' }))
      .thenDoc('c:3:lunch', { channelId: 3, maxId: 3, count: 1 })
      .thenDoc('c:3:food', { channelId: 3, maxId: 2, count: 2 });
    given(sent(), moved(1, [[1, 1]], { channelId: 5, topic: 'Lunch' })).thenKeys('c:5:lunch');
    given(sent(), moved(1, [[1, 1]], { channelId: 3, topic: 'LUNCH' })).thenDoc('c:3:lunch', {
      channelId: 3,
      maxId: 1,
      count: 1,
    });
  });
});

describe('the flags of users', () => {
  const { given } = projectionSpec(userFlagsProjection);
  const flags = (op: 'add' | 'remove', flag: string, ids: [number, number][]): TestEvent => ({
    type: 'flags.changed.v1',
    data: { userId: 4, op, flag, ids, at: 1 },
    stream: streams.flags(4),
  });

  test('are sets by chunk', () => {
    given(flags('add', 'read', [[8191, 8193]]))
      .thenKeys(flagChunkKey(4, 'read', 0), flagChunkKey(4, 'read', 1))
      .thenDoc(flagChunkKey(4, 'read', 1), { userId: 4, set: 'read', chunk: 1, ids: '0.2' });
  });

  test('tell what was marked as unread from what never was read', () => {
    given(flags('add', 'read', [[1, 5]]), flags('remove', 'read', [[3, 3]]))
      .thenDoc(flagChunkKey(4, 'read', 0), { userId: 4, set: 'read', chunk: 0, ids: '1.2.1.2' })
      .thenDoc(flagChunkKey(4, 'unread', 0), { userId: 4, set: 'unread', chunk: 0, ids: '3.1' });
    given(flags('remove', 'read', [[3, 3]]), flags('add', 'read', [[3, 3]])).thenKeys(flagChunkKey(4, 'read', 0));
  });

  test('leave nothing behind', () => {
    given(flags('add', 'starred', [[1, 5]]), flags('remove', 'starred', [[1, 5]])).thenKeys();
  });
});
