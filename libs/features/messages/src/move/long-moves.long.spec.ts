import { streams, type RecordedEvent } from '#event-store';
import { BY_SERVER, idsIn } from '#kernel';
import { ROLE } from '#users/model';
import { sized } from '#testing';
import type { MessagesMoved, MessageSent } from '../model/messages.events.js';
import { MessagesWorld, START } from '../messages.fixture.js';
import { MOVED_AT_ONCE_MAX } from './move-portions.js';
import { inTopic } from '../existing/place-filters.js';

const [ANN, BOB, BOT, MOD] = [2, 3, 5, 6];
let world: MessagesWorld;

beforeEach(async () => {
  world = await MessagesWorld.open();
  await world.addUser(ANN, 'Ann');
  await world.addUser(BOB, 'Bob');
  await world.addUser(BOT, 'Notification Bot', { systemBot: 'notification', botType: 1 });
  await world.addUser(MOD, 'Moderator', { role: ROLE.moderator });
  await world.addChannel(1, 'Denmark', [ANN, BOB, MOD]);
  await world.addChannel(2, 'Sweden', [ANN, BOB, MOD]);
});
afterEach(() => world.close());

const SENT_AT_ONCE = 1_000;

/**
 * Writes sends by Ann to the log.
 * @returns the IDs of those in the topic `long`
 */
async function history(count: number, topicOf: (index: number) => string, content = 'hello'): Promise<number[]> {
  for (let from = 0; from < count; from += SENT_AT_ONCE) {
    const facts = Array.from({ length: Math.min(SENT_AT_ONCE, count - from) }, (_, index): MessageSent => {
      const place = { channelId: 1, topic: topicOf(from + index) };
      return { type: 'message.sent.v1', data: { senderId: ANN, ...place, content, client: 'test', at: START } };
    });
    await world.runner.appendOnly(streams.messages, facts, BY_SERVER);
  }
  return idsIn([[1, count]]).filter((id) => topicOf(id - 1) === 'long');
}

async function idsOf(topic: string, channelId = 1): Promise<number[]> {
  const ids: number[] = [];
  for await (const page of world.reader.scanIds(inTopic(channelId, topic))) ids.push(...page);
  return ids;
}

/** All move events, in log order. */
async function moves(): Promise<MessagesMoved['data'][]> {
  const found: RecordedEvent[] = [];
  for await (const page of world.store.readAll({})) found.push(...page);
  return found.filter(({ type }) => type === 'messages.moved.v1').map(({ data }) => data as MessagesMoved['data']);
}

test('a topic of more than ten thousand runs of IDs moves whole, and others go on meanwhile', async () => {
  const size = sized({ nightly: 120_002, usual: 20_002 });
  const ids = await history(size, (index) => (index % 2 === 0 ? 'long' : 'other'));
  expect(ids.length).toBeGreaterThan(10_000);
  const queue = await world.queue(BOB);
  const ended: string[] = [];
  const notices = { oldThread: true, newThread: true };
  const moving = world.change(ANN, ids[0]!, { topic: 'moved', propagateMode: 'change_all', notices });
  await Promise.all([
    moving.then(() => ended.push('move')),
    world.react(BOB, 2, 'tada').then(() => ended.push('reaction')),
    world.change(BOB, 4, { topic: 'another' }).then(() => ended.push('another move')),
    world.send(BOB, 'hi', { topic: 'long' }).then(() => ended.push('send')),
  ]);
  expect(ended.at(-1)).toBe('move');
  const facts = await moves();
  const parts = facts.filter(({ targetId }) => targetId === ids[0]);
  // The first one includes the target.
  expect(Math.max(...parts.map((part) => idsIn(part.ids).length))).toBe(MOVED_AT_ONCE_MAX + 1);
  expect(parts.flatMap((part) => idsIn(part.ids))).toEqual(ids);
  expect((await idsOf('moved')).slice(0, ids.length)).toEqual(ids);
  const events = await queue.events();
  const told = events.filter(({ type, subject }) => type === 'update_message' && subject === 'moved');
  expect(told.flatMap((event) => event['message_ids'] as number[])).toEqual(ids);
  for (const { message_id, message_ids } of told as any[]) expect(message_ids).toContain(message_id);
  const said = events.flatMap((event: any) => (event.type === 'message' ? [event.message.content as string] : []));
  expect(said).toHaveLength(3);
  expect(said).toContainEqual(expect.stringContaining(`${ids.length} messages were moved here`));
  expect(said).toContainEqual(expect.stringContaining(`${ids.length} messages were moved from this topic`));
});

test('large messages move in events of fewer', async () => {
  const ids = await history(100, () => 'long', 'word '.repeat(2_000));
  await world.change(ANN, ids[50]!, { topic: '✔ long', propagateMode: 'change_all' });
  const parts = (await moves()).map((part) => idsIn(part.ids));
  expect(parts.length).toBeGreaterThanOrEqual(10);
  expect(parts[0]).toContain(ids[50]);
  expect(parts.flat().sort((a, b) => a - b)).toEqual(ids);
  expect(await idsOf('✔ long')).toEqual([...ids, 101]);
});

test('another spelling, and later ones alone', async () => {
  const ids = await history(700, () => 'long');
  await world.change(ANN, ids[300]!, {
    topic: 'Long',
    propagateMode: 'change_later',
    notices: { oldThread: false, newThread: true },
  });
  const docs = await world.reader.getMany([...ids, 701]);
  expect(ids.filter((id) => docs.get(id)?.topic === 'Long')).toEqual(ids.slice(300));
  expect(docs.get(701)?.content).toContain('400 messages were moved here');
  expect((await moves()).flatMap((part) => idsIn(part.ids))).toEqual(ids.slice(300));
});

test('what was begun is finished before the same topic moves again', async () => {
  const ids = await history(900, () => 'long');
  const resolving = world.change(ANN, ids[0]!, { topic: '✔ long', propagateMode: 'change_all' });
  await world.react(BOB, ids[0]!, 'tada');
  const taking = world.change(BOB, ids[0]!, { topic: 'long', propagateMode: 'change_all' });
  await Promise.all([resolving, taking]);
  expect(await idsOf('✔ long')).toEqual([]);
  expect((await idsOf('long')).slice(0, ids.length)).toEqual(ids);
});

test('the oldest message of a channel is told right after each event', async () => {
  const ids = await history(500, (index) => (index < 450 ? 'long' : 'left'));
  await world.change(MOD, ids[0]!, { channelId: 2, topic: 'long', propagateMode: 'change_all' });
  expect((await moves()).map(({ firstLeft }) => firstLeft)).toEqual([102, 202, 302, 402, 451]);
  expect([1, 2].map((id) => world.directory.channel(id)?.firstMessageId)).toEqual([451, 1]);
});

test('messages that the actor may not see stay, in any number', async () => {
  await world.addChannel(3, 'Norway', [ANN, MOD], { inviteOnly: true, historyPublicToSubscribers: false });
  const place = { channelId: 3, topic: 'long' };
  const sent = (): MessageSent => {
    return { type: 'message.sent.v1', data: { senderId: ANN, ...place, content: 'x', client: 'test', at: START } };
  };
  await world.runner.appendOnly(streams.messages, Array.from({ length: 2_500 }, sent), BY_SERVER);
  await world.subscribe(3, BOB);
  await world.runner.appendOnly(streams.messages, Array.from({ length: 300 }, sent), BY_SERVER);
  await world.change(BOB, 2_600, { topic: 'moved', propagateMode: 'change_all' });
  expect(await idsOf('moved', 3)).toEqual(idsIn([[2_501, 2_800]]));
  expect(await idsOf('long', 3)).toHaveLength(2_500);
});

test('a topic is deleted in events of a bounded size, too', async () => {
  const ids = await history(450, () => 'long');
  await world.addUser(7, 'Owner', { role: ROLE.owner });
  await expect(world.deleteTopic(7, 1, 'long')).resolves.toBe(true);
  expect(await idsOf('long')).toEqual([]);
  expect((await world.reader.getMany(ids)).size).toBe(0);
});
