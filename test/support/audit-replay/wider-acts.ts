import { ApiClient } from '../client.js';
import { channelOf } from '../people.js';
import type { Act, Telling, Widened } from '../audit-story.js';

/** Messages of each person before the story begins. */
const BEGINNING = 6;
/** System groups, by their IDs: owners to everyone, and nobody. */
const ROLES = [1, 2, 3, 4, 5, 6, 8];
const HISTORIES = [
  { is_private: false },
  { is_private: true, history_public_to_subscribers: true },
  { is_private: true, history_public_to_subscribers: false },
  { is_private: false, is_web_public: true },
];

/** Acts for which the naive replay has to know nested groups, bots, archived and public channels, mutes and moves of all kinds. */
export async function widerActs(telling: Telling, midway: () => Promise<void>): Promise<Widened> {
  const { people, channels, groups, cast } = telling;
  const { owner, ann, ben } = cast;
  channels.push(await channelOf('porch', ann, ben));
  for (const name of ['night', 'day']) {
    const group = { name, description: '', members: [ben.userId], subgroups: [groups[0]] };
    groups.push((await owner.ok('POST', '/user_groups/create', group)).group_id);
  }
  people.push(await botOf(ann));
  const names = { subscriptions: ['hall', 'den', 'vault', 'porch'].map((name) => ({ name })) };
  for (const actor of [owner, ann]) await actor.call('POST', '/users/me/subscriptions', names);
  // There is something to move, to edit and to delete from the start.
  for (const actor of people) for (let count = 0; count < BEGINNING; count++) await telling.pick(sends(telling))(actor);
  const said = [...sends(telling), ...moves(telling), ...moves(telling)];
  return { acts: [...said, ...said, ...organizing(telling), ...personal(telling)], midway };
}

async function botOf(maker: ApiClient): Promise<ApiClient> {
  const { user_id } = await maker.ok('POST', '/bots', { full_name: 'Robo Bot', short_name: 'robo', bot_type: 1 });
  const [{ username, api_key }] = (await maker.ok('GET', '/bots')).bots;
  const bot = new ApiClient(() => maker.site, String(username), String(api_key), 'Robo Bot');
  return Object.assign(bot, { userId: Number(user_id), isPatient: true });
}

function sends({ story: { topics }, people, channels, pick, sent, words }: Telling): Act[] {
  const say = (actor: ApiClient, content: string): Promise<void> =>
    sent(actor, { type: 'channel', to: pick(channels), topic: pick(topics), content });
  return [
    (actor) => say(actor, words()),
    (actor) => say(actor, words()),
    (actor) => say(actor, `@**|${pick(people).userId}** ${words()}`),
    (actor) => say(actor, `/poll ${words()}`),
    (actor) => sent(actor, { type: 'direct', to: [pick(people).userId, pick(people).userId], content: words() }),
  ];
}

function moves({ cast: { owner, ann }, story, channels, pick, anyId, words }: Telling): Act[] {
  const { topics } = story;
  const quiet = { send_notification_to_old_thread: false, send_notification_to_new_thread: false };
  const mode = (): object => ({ propagate_mode: pick(['change_one', 'change_later', 'change_all']), ...quiet });
  const topic = (): string => pick([...topics, 'PLANS']);
  return [
    () => owner.call('PATCH', `/messages/${anyId()}`, { ...mode(), topic: topic() }),
    () => owner.call('PATCH', `/messages/${anyId()}`, { ...mode(), topic: topic(), stream_id: pick(channels) }),
    () => owner.call('PATCH', `/messages/${anyId()}`, { ...mode(), stream_id: pick(channels) }),
    (actor) => actor.call('PATCH', `/messages/${anyId()}`, { ...mode(), topic: topic(), stream_id: pick(channels) }),
    (actor) => actor.call('PATCH', `/messages/${anyId()}`, { ...mode(), topic: topic(), content: words() }),
    () => ann.call('DELETE', `/messages/${anyId()}`),
    (actor) =>
      actor.call('POST', '/submessage', {
        message_id: anyId(),
        msg_type: 'widget',
        content: JSON.stringify({ type: 'vote', key: 'canned,0', vote: 1 }),
      }),
  ];
}

function organizing({ cast: { owner }, people, channels, groups, pick, random, words }: Telling): Act[] {
  const holders = (): unknown =>
    pick([
      pick([...ROLES, ...groups]),
      { direct_members: [pick(people).userId], direct_subgroups: [pick([...groups, 4])] },
      { direct_members: [pick(people).userId], direct_subgroups: [] },
    ]);
  /** Rendered mentions have names, which the naive replay does not search. */
  const name = (): string => `${pick(['Amber', 'Basil', 'Cedar'])} ${Math.floor(random() * 100)}`;
  const permission = (): string =>
    pick(['can_subscribe_group', 'can_add_subscribers_group', 'can_remove_subscribers_group']);
  return [
    () => owner.call('PATCH', `/streams/${pick(channels)}`, { [permission()]: { new: holders() } }),
    () => owner.call('PATCH', `/streams/${pick(channels)}`, { [permission()]: { new: holders() } }),
    () => owner.call('PATCH', `/streams/${pick(channels)}`, pick(HISTORIES)),
    () => owner.call('PATCH', `/streams/${pick(channels)}`, { is_archived: random() < 0.2 }),
    () => owner.call('PATCH', `/streams/${pick(channels)}`, { description: words() }),
    () => owner.call('PATCH', `/streams/${pick(channels)}`, { new_name: name() }),
    () => owner.call('POST', `/user_groups/${pick(groups)}/subgroups`, { [pick(['add', 'delete'])]: [pick(groups)] }),
    () =>
      owner.call('POST', `/user_groups/${pick(groups)}/members`, { [pick(['add', 'delete'])]: [pick(people).userId] }),
    () => owner.call('PATCH', `/user_groups/${pick(groups)}`, { name: name(), description: words() }),
    () => owner.call('PATCH', `/user_groups/${pick(groups)}`, { can_add_members_group: { new: holders() } }),
    () => (random() < 0.3 ? owner.call('POST', `/user_groups/${pick(groups)}/deactivate`) : Promise.resolve()),
    () => owner.call('PATCH', `/user_groups/${pick(groups)}`, { deactivated: false }),
    () => owner.call('PATCH', '/realm', { enable_spectator_access: random() < 0.7 }),
    () => owner.call('PATCH', '/realm', { waiting_period_threshold: pick([0, 1, 3, 30]) }),
    () => owner.call('PATCH', '/realm', { can_create_groups: { new: holders() } }),
    () => owner.call('PATCH', '/realm', { can_mention_many_users_group: { new: holders() } }),
    () => owner.call('PATCH', `/users/${pick(people.slice(1)).userId}`, { full_name: name() }),
    () => owner.call('PATCH', `/users/${pick(people.slice(1)).userId}`, { role: pick([200, 300, 400, 400, 600]) }),
    () => (random() < 0.3 ? owner.call('DELETE', `/users/${pick(people.slice(1)).userId}`) : Promise.resolve()),
    () => owner.call('POST', `/users/${pick(people.slice(1)).userId}/reactivate`),
    // The bot has another key then, and says no more.
    () =>
      random() < 0.1
        ? owner.call('PATCH', `/bots/${people.at(-1)?.userId}`, { bot_owner_id: pick(people.slice(0, 4)).userId })
        : Promise.resolve(),
  ];
}

function personal({ story: { topics }, people, channels, pick, random, words, cast: { owner } }: Telling): Act[] {
  const name = async (): Promise<string> => {
    const { streams } = await owner.ok('GET', '/streams', { include_all_active: true, exclude_archived: false });
    const found = streams.filter((one: { stream_id: number }) => channels.includes(one.stream_id));
    return pick<{ name: string }>(found).name;
  };
  return [
    async (actor) => actor.call('POST', '/users/me/subscriptions', { subscriptions: [{ name: await name() }] }),
    async (actor) => actor.call('DELETE', '/users/me/subscriptions', { subscriptions: [await name()] }),
    async (actor) =>
      actor.call('POST', '/users/me/subscriptions', {
        subscriptions: [{ name: await name() }, { name: await name() }],
        principals: [pick(people).userId, pick(people).userId],
      }),
    async (actor) =>
      actor.call('DELETE', '/users/me/subscriptions', {
        subscriptions: [await name(), await name()],
        principals: [pick(people).userId],
      }),
    (actor) => actor.call(pick(['POST', 'DELETE']), `/users/me/muted_users/${pick(people).userId}`),
    (actor) => actor.call('POST', '/mark_all_as_read'),
    (actor) => actor.call('POST', '/mark_topic_as_read', { stream_id: pick(channels), topic_name: pick(topics) }),
    (actor) =>
      actor.call('POST', '/messages/flags/narrow', {
        anchor: 'newest',
        num_before: 20,
        num_after: 0,
        narrow: [{ operator: 'channel', operand: pick(channels) }],
        op: pick(['add', 'remove']),
        flag: pick(['read', 'starred']),
      }),
    (actor) => actor.call('POST', '/users/me/alert_words', { alert_words: [pick(['kettle', 'noon', 'stone'])] }),
    (actor) => actor.call('POST', '/drafts', { drafts: [{ type: 'private', to: [1], topic: '', content: words() }] }),
    () => {
      const username = random() < 0.7 ? pick(people).email : 'nobody@example.test';
      return owner.call('POST', '/fetch_api_key', { username, password: words() });
    },
  ];
}
