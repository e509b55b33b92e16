import fc from 'fast-check';
import type { RecordedEvent } from '#event-store';
import {
  type ChannelPlace,
  EDITS_MAX,
  type MessageDocument,
  type MessageEvent,
  messagesProjection,
  SentMessages,
} from '#messages';
import type { User } from '#users/model';
import { executing } from '#testing';
import { knownHistory } from '../versions/known-edits.js';
import { changeDecider, changesOf, MESSAGE_SETTINGS } from '../../../messages/src/edit/change.fixture.js';
import { messageVersionsProjection, type MessageVersionsDocument } from '../versions/message-versions.projection.js';
import { ReadSideFixture } from '../read-side.fixture.js';
import { historyOf, messageHistory, MessageHistoryQuery } from './message-history.js';

const ANN = 9;
const sent = { senderId: ANN, channelId: 3, topic: 'a', content: 'first', client: 'test', at: 100 };

interface Asked {
  readonly content?: string;
  readonly topic?: string;
  readonly channelId?: number;
}

/** Requests of a client: an edit, a move, or both; never content and channel at once. */
const asked: fc.Arbitrary<Asked> = fc.oneof(
  fc.record({ content: fc.constantFrom('first', 'second', '**third**', 'a b', 'b a') }),
  fc.record({ topic: fc.constantFrom('a', 'A', 'b', '✔ a', '') }),
  fc.record({ content: fc.constantFrom('second', 'x y z'), topic: fc.constantFrom('b', 'c') }),
  fc.record({ channelId: fc.constantFrom(3, 4), topic: fc.constantFrom('a', 'b') }),
);

/**
 * Runs requests through the decider and the projection.
 * @returns the message after each, oldest first
 */
function live(requests: readonly Asked[]) {
  let state = changeDecider.initial();
  let place: ChannelPlace = { channelId: sent.channelId, topic: sent.topic };
  let revision = 0;
  let doc = evolved(undefined, { type: 'message.sent.v1', data: sent }, 0);
  let earlier: MessageVersionsDocument | undefined;
  const lives = [{ content: doc.content, place }];
  for (const { content, topic = place.topic, channelId = place.channelId } of requests) {
    if (state.phase !== 'standing') throw new Error('It was deleted.');
    const to = { channelId, topic };
    const before = doc.content;
    if (changesOf(place, to) === undefined && (content === undefined || content === before)) continue;
    const facts = changeDecider.decide(state, {
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
      state = changeDecider.evolve(state, fact);
      earlier = versionsAfter(earlier, fact, revision);
      doc = evolved(doc, fact, revision++);
    }
    place = to;
    lives.push({ content: doc.content, place });
  }
  return { doc, versions: earlier?.versions ?? [], lives };
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

function versionsAfter(doc: MessageVersionsDocument | undefined, fact: MessageEvent, revision: number) {
  const recorded = { ...fact, revision, position: revision + 1 } as unknown as RecordedEvent;
  return messageVersionsProjection.keys(recorded).length === 0
    ? doc
    : messageVersionsProjection.evolve(doc, recorded, 1);
}

function evolved(
  doc: MessageDocument | undefined,
  fact: MessageEvent | { type: 'message.sent.v1'; data: object },
  revision: number,
): MessageDocument {
  const recorded = { ...fact, revision, position: revision + 1 } as unknown as RecordedEvent;
  const result = messagesProjection.evolve(doc, recorded, 1);
  if (result === undefined) throw new Error('It is gone.');
  return result;
}

test('a history leads from the sent message to its current state, after random requests', async () => {
  const world = await ReadSideFixture.create();
  const ann = await world.user('ann@example.com');
  while (world.directory.nextChannelId <= 4) await world.channel(`c${world.directory.nextChannelId}`, 'public', ann);
  await fc.assert(
    fc.asyncProperty(fc.array(asked, { maxLength: 12 }), async (requests) => {
      const { doc, versions, lives } = live(requests);
      const known = knownHistory(world.directory, ann, 1, doc, versions);
      const history: any[] = await historyOf(doc, true, known);
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
  await world.destroy();
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
    const edit = { content: 'two', prevContent: 'one' };
    await world.move(ann, id, { from: place, to: { channelId, topic: 'b' }, edit, at: 200 });
  });
  afterEach(() => world.destroy());

  const showing = (policy: 'all' | 'moves' | 'none'): Promise<void> =>
    world.record({
      type: 'organization.settings-changed.v1',
      data: { settings: { message_edit_history_visibility_policy: policy }, by: ann.userId, at: 300 },
    });
  const history = async (): Promise<any[]> => {
    const handler = executing(messageHistory, {
      directory: world.directory,
      messages: world.messages,
      versions: world.versions,
      sent: new SentMessages(world.events),
    });
    return [...(await handler.execute(new MessageHistoryQuery(world.again(ann), id, true)))];
  };
  const edits = async () =>
    knownHistory(world.directory, ann, id, (await world.messages.get(id))!, await world.versions.of(id)).edits;

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

describe('what a viewer learns of earlier versions', () => {
  let world: ReadSideFixture;
  let ann: User;
  let bob: User;
  let hall: number;
  beforeEach(async () => {
    world = await ReadSideFixture.create();
    ann = await world.user('ann@example.com');
    bob = await world.user('bob@example.com');
    hall = await world.channel('hall', 'public', ann);
  });
  afterEach(() => world.destroy());

  const edit = async (id: number, channelId: number, prevContent: string, content: string, rendered?: string) =>
    world.change(id, {
      type: 'message.edited.v1',
      data: {
        messageId: id,
        by: ann.userId,
        content,
        prevContent,
        ...(rendered === undefined ? {} : { rendered, prevRendered: rendered }),
        place: { channelId, topic: 'a' },
        at: 200,
      },
    });
  const move = (id: number, from: number, to: number): Promise<void> =>
    world.move(ann, id, { from: { channelId: from, topic: 'a' }, to: { channelId: to, topic: 'a' }, at: 300 });
  const history = async (viewer: User, id: number): Promise<any[]> => {
    const handler = executing(messageHistory, {
      directory: world.directory,
      messages: world.messages,
      versions: world.versions,
      sent: new SentMessages(world.events),
    });
    return [...(await handler.execute(new MessageHistoryQuery(world.again(viewer), id, true)))];
  };
  const contents = async (viewer: User, id: number) => (await history(viewer, id)).map(({ content }) => content);
  const listed = async (viewer: User, id: number) => {
    const doc = (await world.messages.get(id))!;
    return knownHistory(world.directory, world.again(viewer), id, doc, await world.versions.of(id)).edits.map(
      ({ prevContent }) => prevContent,
    );
  };

  test.each(['private', 'protected'] as const)(
    'begins when they joined the %s channel, also after the message has moved to where they may read it',
    async (kind) => {
      const den = await world.channel('den', kind, ann);
      const id = await world.send(ann, { channelId: den, topic: 'a' }, { content: 'secret' });
      await edit(id, den, 'secret', 'tame');
      await world.subscribe(den, bob);
      await edit(id, den, 'tame', 'tamer');
      await move(id, den, hall);
      await edit(id, hall, 'tamer', 'tamest');
      expect(await contents(ann, id)).toEqual(['secret', 'tame', 'tamer', 'tamer', 'tamest']);
      // A new subscriber of a channel with protected history does not get what was sent there before.
      const shown = kind === 'private' ? ['tame', 'tamer', 'tamer', 'tamest'] : ['tamer', 'tamest'];
      expect(await contents(bob, id)).toEqual(shown);
      expect(await listed(bob, id)).toEqual(kind === 'private' ? ['tamer', undefined, 'tame'] : ['tamer']);
      await world.unsubscribe(den, bob);
      expect(await contents(bob, id)).toEqual(['tamer', 'tamest']);
    },
  );

  test('has nothing of what a message said while they were away, nor of what came before', async () => {
    const den = await world.channel('den', 'private', ann, bob);
    const id = await world.send(ann, { channelId: den, topic: 'a' }, { content: 'one' });
    await edit(id, den, 'one', 'two');
    await world.unsubscribe(den, bob);
    await edit(id, den, 'two', 'three');
    await edit(id, den, 'three', 'four');
    await world.subscribe(den, bob);
    await edit(id, den, 'four', 'five');
    expect(await contents(ann, id)).toEqual(['one', 'two', 'three', 'four', 'five']);
    expect(await contents(bob, id)).toEqual(['four', 'five']);
  });

  test('is complete in a channel open to all, also for users who joined later', async () => {
    const id = await world.send(ann, { channelId: hall, topic: 'a' }, { content: 'one' });
    await edit(id, hall, 'one', 'two');
    await world.subscribe(hall, bob);
    await edit(id, hall, 'two', 'three');
    expect(await contents(bob, id)).toEqual(['one', 'two', 'three']);
    expect(await contents(await world.user('new@example.com'), id)).toEqual(['one', 'two', 'three']);
  });

  describe('of more than is kept', () => {
    const TIMES = EDITS_MAX + 20;

    test('are how it was sent, and the newest edits', async () => {
      const id = await world.send(ann, { channelId: hall, topic: 'a' }, { content: '0' });
      for (let n = 0; n < TIMES; n++) await edit(id, hall, `${n}`, `${n + 1}`);
      const [first, second, ...others] = await history(bob, id);
      expect(first).toMatchObject({ content: '0', timestamp: 100, user_id: ann.userId });
      expect(first).not.toHaveProperty('prev_content');
      expect(second).toMatchObject({ prev_content: '0', content: `${TIMES - EDITS_MAX + 1}`, timestamp: 200 });
      expect(others.map(({ content }) => content)).toEqual(
        Array.from({ length: EDITS_MAX - 1 }, (_, n) => `${TIMES - EDITS_MAX + 2 + n}`),
      );
    });

    test('are bounded in bytes, however large they were', async () => {
      const html = `<p>${'x'.repeat(50_000)}</p>`;
      const id = await world.send(ann, { channelId: hall, topic: 'a' }, { content: '0', rendered: html });
      for (let n = 0; n < 30; n++) await edit(id, hall, `${n}`, `${n + 1}`, html);
      expect(await contents(bob, id)).toEqual(['0', '25', '26', '27', '28', '29', '30']);
      expect(await listed(bob, id)).toEqual(['29', '28', '27', '26', '25']);
    });

    test('do not include how it was sent, where they could not read it', async () => {
      const den = await world.channel('den', 'private', ann);
      const id = await world.send(ann, { channelId: den, topic: 'a' }, { content: '0' });
      await edit(id, den, '0', '1');
      await move(id, den, hall);
      for (let n = 1; n < TIMES; n++) await edit(id, hall, `${n}`, `${n + 1}`);
      expect((await contents(ann, id)).slice(0, 2)).toEqual(['0', `${TIMES - EDITS_MAX + 1}`]);
      expect((await contents(bob, id))[0]).toBe(`${TIMES - EDITS_MAX + 1}`);
      await world.subscribe(den, bob);
      expect((await contents(bob, id))[0]).toBe(`${TIMES - EDITS_MAX + 1}`);
    });

    test('tell nothing but moves where only those are shown', async () => {
      const id = await world.send(ann, { channelId: hall, topic: 'a' }, { content: '0' });
      for (let n = 0; n < TIMES; n++) await edit(id, hall, `${n}`, `${n + 1}`);
      const settings = { message_edit_history_visibility_policy: 'moves' } as const;
      await world.record({ type: 'organization.settings-changed.v1', data: { settings, by: ann.userId, at: 300 } });
      expect(await contents(bob, id)).toEqual([`${TIMES}`]);
      expect(JSON.stringify(await history(bob, id))).not.toContain('prev_content');
    });
  });
});
