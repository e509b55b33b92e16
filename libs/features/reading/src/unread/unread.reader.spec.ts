import { streams } from '#event-store';
import { newId } from '#kernel';
import { messagesCollection } from '#messages';
import type { User } from '#users/model';
import { ReadSideFixture } from '../read-side.fixture.js';

describe('looking for unread messages', () => {
  let world: ReadSideFixture;
  let ann: User;
  let bob: User;
  let mine: number;
  let theirs: number;
  beforeEach(async () => {
    world = await ReadSideFixture.create();
    ann = await world.user('ann@example.com');
    bob = await world.user('bob@example.com');
    mine = await world.channel('mine', 'public', ann, bob);
    theirs = await world.channel('theirs', 'public', bob);
  });
  afterEach(() => world.destroy());

  const unreadNow = async (): Promise<number[]> => (await world.freshUnread().look(world.again(ann))).unread.ids();

  /** Records messages up to this ID as sent: every `share`th of them to the channel that ann reads. */
  const fill = async (count: number, share: number): Promise<void> => {
    const expected: object[] = [];
    for (let id = 1; id <= count; id++) {
      const channelId = id % share === 0 ? mine : theirs;
      const doc = {
        conversation: `c:${channelId}`,
        topicKey: 'x',
        topic: 'x',
        senderId: bob.userId,
        content: 'hi',
        client: 'test',
        at: 1,
      };
      expected.push({ collection: messagesCollection.name, key: id, doc });
    }
    await world.store.commit({ writes: expected as never, position: 1_000_000 });
    world.directory.lastMessageId = count;
  };

  test.each([1, 3, 100])('finds one in %i', async (share) => {
    await fill(5000, share);
    const unread = await unreadNow();
    expect(unread).toEqual(Array.from({ length: Math.floor(5000 / share) }, (_, n) => (n + 1) * share));
  });

  test('remembers older ones across restarts', async () => {
    await fill(20_000, 100);
    const look = async (): Promise<number[]> => (await world.freshUnread(1).look(world.again(ann))).unread.ids();
    const all = await look();
    expect([all[0], all.length]).toEqual([100, 200]);
    // A message that appears below the examined position is not found: nobody looks there again.
    const [row] = await world.messages.find(undefined, 'ascending', 1);
    const doc = { ...row!.doc, conversation: `c:${mine}` };
    await world.store.commit({ writes: [{ collection: messagesCollection.name, key: 1, doc }], position: 2_000_000 });
    expect(await look()).toEqual(all);
  });

  test('trusts nothing that a former release found', async () => {
    await fill(20_000, 100);
    const look = async (): Promise<number[]> => (await world.freshUnread(1).look(world.again(ann))).unread.ids();
    const kept = { upTo: 9000, ids: [], from: 1 };
    await world.side.put('unread-messages', String(ann.userId), { version: 2, ...kept });
    expect((await look())[0]).toBeGreaterThan(9000);
    await world.side.put('unread-messages', String(ann.userId), kept);
    expect((await look())[0]).toBe(100);
  });

  test('looks at nothing up to where everything was marked as read, but at what is unread again', async () => {
    const change = async (op: 'add' | 'remove', first: number, last: number): Promise<void> => {
      const data = { userId: ann.userId, op, flag: 'read', ids: [[first, last]], at: 1 };
      await world.events.append(streams.flags(ann.userId), 'any', [{ id: newId(), type: 'flags.changed.v1', data }]);
    };
    await change('add', 1, 4990);
    await change('remove', 4000, 4001);
    await change('add', 4000, 4000);
    // When this is visible, so are the flags.
    await world.send(bob, { channelId: theirs, topic: 'x' });
    await fill(5000, 1);
    const fresh = Array.from({ length: 10 }, (_, n) => 4991 + n);
    expect(await unreadNow()).toEqual([4001, ...fresh]);
  });

  test('trusts nothing that was found in a longer log', async () => {
    await world.side.put('unread-messages', String(ann.userId), { version: 2, upTo: 99, ids: [], from: 50 });
    const message = await world.send(bob, { channelId: mine, topic: 'x' });
    expect(await unreadNow()).toEqual([message]);
  });

  test('finds later what was sent to a channel before its subscribers were known here', async () => {
    const reader = world.freshUnread();
    const look = async (): Promise<number[]> => (await reader.look(world.again(ann))).unread.ids();
    const first = await world.send(bob, { channelId: mine, topic: 'x' });
    expect(await look()).toEqual([first]);
    // Both events are in the read store before the directory applies either.
    const subscribers = [{ userId: ann.userId, color: '#aaaaaa' }];
    const data = { channelId: theirs, subscribers, by: null, at: 1 };
    await world.events.append(streams.organization, 'any', [{ id: newId(), type: 'channel.subscribed.v1', data }]);
    world.beforeDirectory = async () => expect(await look()).toEqual([first]);
    const second = await world.send(bob, { channelId: theirs, topic: 'x' });
    expect(await look()).toEqual([first, second]);
  });
});
