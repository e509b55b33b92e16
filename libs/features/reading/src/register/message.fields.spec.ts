import type { QueryBus } from '@nestjs/cqrs';
import { streams } from '#event-store';
import { JsonFields, type PreparedFields, type RegisterContext } from '#feature';
import { BY_SERVER } from '#kernel';
import type { User } from '#users/model';
import { RecentDirectConversations } from '../topics/recent-direct-conversations.js';
import { StarredMessages } from './starred-messages.js';
import { ReadSideFixture } from '../read-side.fixture.js';
import { MessageFields } from './message.fields.js';

describe('register fields that are read beforehand', () => {
  let world: ReadSideFixture;
  let ann: User;
  let bob: User;
  let open: number;
  let closed: number;
  let messages: number[];
  let fields: MessageFields;
  let prepared: PreparedFields | undefined;

  beforeEach(async () => {
    world = await ReadSideFixture.create();
    ann = await world.user('ann@example.com');
    bob = await world.user('bob@example.com');
    open = await world.channel('open', 'public', ann, bob);
    closed = await world.channel('closed', 'private', bob);
    messages = [];
    for (let count = 0; count < 5; count++) messages.push(await world.send(bob, { channelId: open, topic: 'x' }));
    await flag('add', 'starred', messages[0]!, messages[1]!);
    const queries = { execute: () => Promise.resolve(0) } as unknown as QueryBus;
    const starred = new StarredMessages(world.flags, world.messages, world.seen);
    const recent = new RecentDirectConversations(world.conversations, world.messages);
    fields = new MessageFields(queries, world.unread, starred, recent);
    prepared = fields.prepare(context());
    await prepared?.read();
  });
  afterEach(async () => {
    prepared?.end();
    await world.destroy();
  });

  const context = (keys: readonly string[] | null = null): RegisterContext =>
    ({
      directory: world.directory,
      viewer: world.again(ann),
      settings: { capabilities: [] },
      keys: keys === null ? null : new Set(keys),
    }) as unknown as RegisterContext;
  const flag = async (op: 'add' | 'remove', name: 'read' | 'starred', ...ids: number[]): Promise<void> => {
    const data = { userId: ann.userId, op, flag: name, ids: ids.map((id) => [id, id] as const), at: 1 };
    await world.runner.appendOnly(streams.flags(ann.userId), [{ type: 'flags.changed.v1', data }], BY_SERVER);
  };
  const textOf = async (source: Pick<PreparedFields, 'addTo'>): Promise<Record<string, unknown>> => {
    const found = new JsonFields();
    await source.addTo(found, context());
    return JSON.parse(`{${found.pieces().join('')}}`) as Record<string, unknown>;
  };
  const at = (channelId: number, topic: string) => ({ channelId, topic });
  const move = (ids: number[], from: ReturnType<typeof at>, to: ReturnType<typeof at>): Promise<unknown> =>
    world.move(bob, ids[0]!, { ids: [[ids[0]!, ids.at(-1)!]], from, to, propagateMode: 'change_later' });

  const changes: Record<string, () => Promise<unknown>> = {
    nothing: () => Promise.resolve(),
    'messages to a channel and to a user': async () => {
      await world.send(bob, at(open, 'y'));
      await world.send(bob, [ann]);
    },
    'a message that was deleted': () => {
      const data = { messageId: messages[1]!, by: bob.userId, place: at(open, 'x'), at: 1 };
      return world.change(messages[1]!, { type: 'message.deleted.v1', data });
    },
    'a move to another topic': () => move([messages[1]!, messages[2]!], at(open, 'x'), at(open, 'z')),
    'a move to another channel and back': async () => {
      await move([messages[1]!], at(open, 'x'), at(closed, 'x'));
      await prepared!.addTo(new JsonFields(), context());
      await move([messages[1]!], at(closed, 'x'), at(open, 'y'));
    },
    'a direct message that was deleted': async () => {
      const messageId = await world.send(bob, [ann]);
      await prepared!.addTo(new JsonFields(), context());
      const place = { to: [ann.userId, bob.userId] };
      const data = { messageId, by: bob.userId, place, at: 1 };
      await world.change(messageId, { type: 'message.deleted.v1', data });
    },
    'direct messages to others': () => world.send(bob, []),
    'a mention that an edit added': () => {
      const edit = { messageId: messages[2]!, prevContent: 'hi', content: '@ann', mentions: [ann.userId] };
      const data = { ...edit, place: at(open, 'x'), by: bob.userId, at: 1 };
      return world.change(messages[2]!, { type: 'message.edited.v1', data });
    },
  };

  test.each(Object.keys(changes))('show what came in between: %s', async (what) => {
    await changes[what]!();
    expect(prepared?.isUsable).toBe(true);
    const shown = await textOf(prepared!);
    expect(shown).toEqual(await textOf(fields));
    expect(shown['starred_messages']).toHaveLength(what === 'a message that was deleted' ? 1 : 2);
  });

  test.each<[string, () => Promise<unknown>]>([
    ['the user read one', () => flag('add', 'read', messages[0]!)],
    ['the user left the channel', () => world.unsubscribe(open, ann)],
    [
      'the user muted the topic',
      () =>
        world.prefer({
          type: 'topic-policy.set.v1',
          data: { userId: ann.userId, channelId: open, topic: 'x', policy: 1, at: 1 },
        }),
    ],
  ])('are of no use once %s, and still tell the truth', async (_, change) => {
    await change();
    expect(prepared?.isUsable).toBe(false);
    expect(await textOf(prepared!)).toEqual(await textOf(fields));
  });

  test('are left out unless requested', () => {
    expect(fields.prepare(context(['realm']))).toBeUndefined();
  });
});
