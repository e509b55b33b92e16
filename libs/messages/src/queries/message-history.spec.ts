import fc from 'fast-check';
import type { Recorded } from '#event-store';
import type { User } from '#organization';
import { changesOf, decideChange } from '../change.decider.js';
import { knownHistory } from '../known-edits.js';
import { MESSAGE_SETTINGS } from '../message-settings.fixture.js';
import { messageDecider } from '../message.decider.js';
import type { ChannelPlace, MessageEvent } from '../messages.events.js';
import type { MessageDocument } from '../projections/message.document.js';
import { messagesProjection } from '../projections/messages.projection.js';
import { ReadSideFixture } from '../read-side.fixture.js';
import { historyOf, MessageHistoryHandler, MessageHistoryQuery } from './message-history.js';

const ANN = 9;
const sent = { senderId: ANN, channelId: 3, topic: 'a', content: 'first', client: 'test', at: 100 };

interface Asked {
  readonly content?: string;
  readonly topic?: string;
  readonly channelId?: number;
}

/** What a client may ask of a message: to edit it, to move it, or both; never content and channel at once. */
const asked: fc.Arbitrary<Asked> = fc.oneof(
  fc.record({ content: fc.constantFrom('first', 'second', '**third**', 'a b', 'b a') }),
  fc.record({ topic: fc.constantFrom('a', 'A', 'b', '✔ a', '') }),
  fc.record({ content: fc.constantFrom('second', 'x y z'), topic: fc.constantFrom('b', 'c') }),
  fc.record({ channelId: fc.constantFrom(3, 4), topic: fc.constantFrom('a', 'b') }),
);

/** A message's life: what each request made of it, oldest first, by the decider and the projection. */
function live(requests: readonly Asked[]): { doc: MessageDocument; lives: { content: string; place: ChannelPlace }[] } {
  let state = messageDecider.initial();
  let place: ChannelPlace = { channelId: sent.channelId, topic: sent.topic };
  let revision = 0;
  let doc = evolved(undefined, { type: 'message.sent.v1', data: sent }, 0);
  const lives = [{ content: doc.content, place }];
  for (const { content, topic = place.topic, channelId = place.channelId } of requests) {
    if (state.phase !== 'standing') throw new Error('It was deleted.');
    const to = { channelId, topic };
    const before = doc.content;
    if (changesOf(place, to) === undefined && (content === undefined || content === before)) continue;
    const facts = decideChange(state, {
      type: 'change',
      messageId: 1,
      by: ANN,
      at: 200,
      sent,
      place,
      isArchived: false,
      settings: { ...MESSAGE_SETTINGS, contentEditLimitSeconds: null },
      propagateMode: 'change_one',
      notices: { oldThread: false, newThread: false },
      ...(content === undefined ? {} : { content: { content } }),
      ...(changesOf(place, to) === undefined ? {} : { topic, move: mayMove(to) }),
      ...(channelId === place.channelId ? {} : { channelId }),
    });
    for (const fact of facts) {
      state = messageDecider.evolve(state, fact);
      doc = evolved(doc, fact, revision++);
    }
    place = to;
    lives.push({ content: doc.content, place });
  }
  return { doc, lives };
}

function mayMove(to: ChannelPlace) {
  return {
    to,
    mayChangeTopic: true,
    mayResolveTopic: true,
    mayLeaveChannel: true,
    skipsTimeLimits: true,
    destination: { name: 'there', maySend: true, mayUseTopic: true, topicsPolicy: 'allow_empty_topic' },
    ids: [1],
    firstLeft: undefined,
    merges: false,
    takesBack: undefined,
  };
}

function evolved(
  doc: MessageDocument | undefined,
  fact: MessageEvent | { type: 'message.sent.v1'; data: object },
  revision: number,
): MessageDocument {
  const recorded = { ...fact, revision, position: revision + 1 } as unknown as Recorded;
  const result = messagesProjection.evolve(doc, recorded, 1);
  if (result === undefined) throw new Error('It is gone.');
  return result;
}

test('a history replays from what was sent to what is there, whatever was asked', () => {
  fc.assert(
    fc.property(fc.array(asked, { maxLength: 12 }), (requests) => {
      const { doc, lives } = live(requests);
      const history: any[] = historyOf(doc, true, { edits: doc.edits ?? [], at: sent.at, by: ANN });
      expect(history.map(({ content, topic }) => ({ content, topic }))).toEqual(
        lives.map(({ content, place: { topic } }) => ({ content, topic })),
      );
      expect(history.at(-1)).toMatchObject({ content: doc.content, topic: doc.topic });
      for (const [index, entry] of history.entries()) {
        const [before, now] = [lives[index - 1], lives[index]!];
        expect([entry.prev_content, entry.prev_topic, entry.prev_stream, entry.stream]).toEqual([
          changed(before?.content, now.content),
          changed(before?.place.topic, now.place.topic),
          changed(before?.place.channelId, now.place.channelId),
          before === undefined || before.place.channelId === now.place.channelId ? undefined : now.place.channelId,
        ]);
      }
    }),
  );
});

function changed<Value>(before: Value | undefined, now: Value): Value | undefined {
  return before === now ? undefined : before;
}

describe('what the organization shows of histories', () => {
  let world: ReadSideFixture;
  let ann: User;
  let id: number;
  beforeEach(async () => {
    world = await ReadSideFixture.create();
    ann = await world.user('ann@example.com');
    const channelId = await world.channel('c', 'public', ann);
    id = await world.send(ann, { channelId, topic: 'a' }, { content: 'one' });
    const place = { channelId, topic: 'a' };
    await world.change(id, {
      type: 'messages.moved.v1',
      data: {
        targetId: id,
        ids: [[id, id]],
        firstId: id,
        by: ann.userId,
        from: place,
        to: { channelId, topic: 'b' },
        edit: { content: 'two', prevContent: 'one' },
        propagateMode: 'change_one',
        at: 200,
      },
    });
  });
  afterEach(() => world.destroy());

  const showing = (policy: 'all' | 'moves' | 'none'): Promise<void> =>
    world.record({
      type: 'organization.settings-changed.v1',
      data: { settings: { message_edit_history_visibility_policy: policy }, by: ann.userId, at: 300 },
    });
  const history = async (): Promise<any[]> => {
    const handler = new MessageHistoryHandler(world.directory, world.messages);
    return [...(await handler.execute(new MessageHistoryQuery(world.again(ann), id, true)))];
  };
  const edits = async () => knownHistory(world.directory, ann, (await world.messages.get(id))!).edits;

  test('everything', async () => {
    expect(await history()).toMatchObject([
      { content: 'one', topic: 'a' },
      { content: 'two', prev_content: 'one', topic: 'b', prev_topic: 'a' },
    ]);
  });

  test('moves alone', async () => {
    await showing('moves');
    expect(await history()).toEqual([
      {
        content: 'two',
        rendered_content: '<p>two</p>',
        topic: 'a',
        timestamp: expect.any(Number),
        user_id: ann.userId,
      },
      {
        content: 'two',
        rendered_content: '<p>two</p>',
        topic: 'b',
        prev_topic: 'a',
        timestamp: 200,
        user_id: ann.userId,
      },
    ]);
    expect(JSON.stringify(await edits())).not.toContain('one');
    expect(await edits()).toHaveLength(1);
  });

  test('nothing', async () => {
    await showing('none');
    await expect(history()).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    expect(await edits()).toEqual([]);
  });
});
