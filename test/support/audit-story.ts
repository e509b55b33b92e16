import { seeded } from '#testing';
import type { ApiClient } from './client.js';
import type { MovedClock } from './later.js';
import { channelOf, type Cast } from './people.js';

export interface Story {
  readonly people: readonly ApiClient[];
  readonly channels: readonly number[];
  /** A channel with one message, which nobody touches. */
  readonly attic: number;
  readonly groups: readonly number[];
  readonly topics: readonly string[];
  /** Highest message ID. */
  lastId: number;
}

const TOPICS = ['plans', 'Old plans', 'lunch', 'a/b@7 ä'];
/** Of the last message, which is deleted at a later second. */
export const LAST_WORDS = 'secret kettle';
const WORDS = ['noon', 'leave', 'bread', 'kettle', 'secret', 'orange', 'river', 'stone'];

/** What acts are made of. */
export interface Telling {
  readonly cast: Cast;
  readonly story: Story;
  /** Those of the story, to which more may be added. */
  readonly people: ApiClient[];
  readonly channels: number[];
  readonly groups: number[];
  readonly random: () => number;
  readonly pick: <Item>(items: readonly Item[]) => Item;
  readonly words: () => string;
  readonly anyId: () => number;
  readonly sent: (actor: ApiClient, parameters: object) => Promise<void>;
}

export type Act = (actor: ApiClient) => Promise<unknown>;

/** Acts beside the usual ones, and what happens in the middle of the story. */
export interface Widened {
  readonly acts: readonly Act[];
  readonly midway: () => Promise<void>;
}

/**
 * Acts of all kinds, chosen by chance; many are refused, which is part of the story.
 * @param clock of the server, which goes on by up to three seconds with each act
 */
export async function tellStory(
  cast: Cast,
  acts: number,
  seed: number,
  clock?: MovedClock,
  widen?: (telling: Telling) => Promise<Widened>,
): Promise<Story> {
  const { owner, ann, ben, cleo, server } = cast;
  const random = seeded(seed);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const gus = await server.user('Gus Guest');
  await owner.ok('PATCH', `/users/${gus.userId}`, { role: 600 });
  await owner.ok('PATCH', '/realm', { can_set_delete_message_policy_group: { new: 5 } });
  const people = [owner, ann, ben, cleo, gus];
  const channels = [
    await channelOf('hall', owner, ann, ben, gus),
    await closedChannel(owner, 'den', true, [owner, ann]),
    await closedChannel(owner, 'vault', false, [owner, ben]),
  ];
  const groups: number[] = [];
  for (const name of ['crew', 'watch'])
    groups.push(
      (await owner.ok('POST', '/user_groups/create', { name, description: '', members: [ann.userId] })).group_id,
    );
  const attic = await channelOf('attic', owner);
  const story: Story = { people, channels, attic, groups, topics: TOPICS, lastId: 0 };
  const words = (): string => `${pick(WORDS)} ${pick(WORDS)} ${Math.floor(random() * 100)}`;
  const anyId = (): number => 1 + Math.floor(random() * story.lastId);
  const sent = async (actor: ApiClient, parameters: object): Promise<void> => {
    const { body } = await actor.call('POST', '/messages', { ...parameters });
    story.lastId = Math.max(story.lastId, body.id ?? 0);
  };
  const wider = await widen?.({ cast, story, people, channels, groups, random, pick, words, anyId, sent });
  const act: readonly Act[] = [
    (actor) => sent(actor, { type: 'channel', to: pick(channels), topic: pick(TOPICS), content: words() }),
    (actor) => sent(actor, { type: 'channel', to: pick(channels), topic: pick(TOPICS), content: words() }),
    (actor) =>
      sent(actor, { type: 'channel', to: pick(channels), topic: pick(TOPICS), content: `@**Cleo Cole** ${words()}` }),
    (actor) => sent(actor, { type: 'direct', to: [pick(people).userId], content: words() }),
    (actor) => actor.call('PATCH', `/messages/${anyId()}`, { content: words() }),
    () => owner.call('PATCH', `/messages/${anyId()}`, moving(pick(TOPICS), undefined)),
    () => owner.call('PATCH', `/messages/${anyId()}`, moving(pick(TOPICS), pick(channels))),
    () => ann.call('PATCH', `/messages/${anyId()}`, { ...moving(pick(TOPICS), undefined), content: words() }),
    () => owner.call('DELETE', `/messages/${anyId()}`),
    () => (random() < 0.2 ? deleteTopic(owner, pick(channels), pick(TOPICS)) : Promise.resolve()),
    (actor) => actor.call('POST', `/messages/${anyId()}/reactions`, { emoji_name: pick(['tada', 'heart']) }),
    (actor) => actor.call('DELETE', `/messages/${anyId()}/reactions`, { emoji_name: pick(['tada', 'heart']) }),
    (actor) =>
      actor.call('POST', '/messages/flags', {
        op: pick(['add', 'remove']),
        flag: pick(['read', 'starred']),
        messages: [anyId(), anyId()],
      }),
    (actor) => actor.call('POST', '/mark_stream_as_read', { stream_id: pick(channels) }),
    () => subscribing(owner, pick(['hall', 'den', 'vault']), pick(people), random() < 0.6),
    () =>
      owner.call('POST', `/user_groups/${pick(groups)}/members`, {
        [pick(['add', 'delete'])]: [pick(people).userId],
      }),
    () => owner.call('PATCH', `/users/${pick([ann, ben, cleo]).userId}`, { role: pick([200, 300, 400, 600]) }),
    () => owner.call('PATCH', '/realm', { message_content_edit_limit_seconds: pick([600, 3600, 7200]) }),
    () => owner.call('PATCH', '/realm', { can_create_groups: { new: pick([2, 3, 5, ...groups]) } }),
    () => owner.call('PATCH', `/streams/${pick(channels)}`, { can_subscribe_group: { new: pick([8, 3, ...groups]) } }),
    () => owner.call('PATCH', `/streams/${pick(channels.slice(1))}`, privacy(pick(['shared', 'protected']))),
    () => owner.call('PATCH', `/user_groups/${pick(groups)}`, { can_mention_group: { new: pick([2, 3, 5]) } }),
    () => (random() < 0.3 ? leaving(owner, pick([cleo, gus])) : Promise.resolve()),
    ...(wider?.acts ?? []),
  ];
  for (let count = 0; count < acts; count++) {
    if (count === Math.floor(acts / 2)) await wider?.midway();
    clock?.goOn(Math.floor(random() * 4));
    await pick(act)(pick(people));
  }
  for (const one of [cleo, gus]) await owner.call('POST', `/users/${one.userId}/reactivate`);
  // Whatever chance chose, one message is kept for a while, one is reworded at the end, and another one deleted.
  await sent(owner, { type: 'channel', to: attic, topic: TOPICS[0], content: 'orange river' });
  const to = { type: 'channel', to: channels[0], topic: TOPICS[0] };
  await sent(owner, { ...to, content: 'bread and kettle' });
  await owner.ok('PATCH', `/messages/${story.lastId}`, { content: 'bread and stone' });
  await sent(owner, { ...to, content: LAST_WORDS });
  clock?.goOn(1);
  await owner.ok('DELETE', `/messages/${story.lastId}`);
  return story;
}

function moving(topic: string, channel: number | undefined): Record<string, unknown> {
  return {
    topic,
    propagate_mode: 'change_all',
    send_notification_to_old_thread: false,
    ...(channel === undefined ? {} : { stream_id: channel }),
  };
}

const privacy = (kind: 'shared' | 'protected'): Record<string, unknown> => ({
  is_private: true,
  history_public_to_subscribers: kind === 'shared',
});

async function closedChannel(
  owner: ApiClient,
  name: string,
  history: boolean,
  people: readonly ApiClient[],
): Promise<number> {
  await owner.ok('POST', '/users/me/subscriptions', {
    subscriptions: [{ name }],
    principals: people.map(({ userId }) => userId),
    invite_only: true,
    history_public_to_subscribers: history,
  });
  return Number((await owner.ok('GET', '/get_stream_id', { stream: name })).stream_id);
}

function deleteTopic(owner: ApiClient, channel: number, topic: string): Promise<unknown> {
  return owner.call('POST', `/streams/${channel}/delete_topic`, { topic_name: topic });
}

function subscribing(owner: ApiClient, name: string, user: ApiClient, isJoining: boolean): Promise<unknown> {
  const principals = [user.userId];
  return isJoining
    ? owner.call('POST', '/users/me/subscriptions', { subscriptions: [{ name }], principals })
    : owner.call('DELETE', '/users/me/subscriptions', { subscriptions: [name], principals });
}

async function leaving(owner: ApiClient, user: ApiClient): Promise<void> {
  const { status } = await owner.call('DELETE', `/users/${user.userId}`);
  if (status !== 200) await owner.call('POST', `/users/${user.userId}/reactivate`);
}
