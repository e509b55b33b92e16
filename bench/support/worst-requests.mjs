// The worst inputs of an ordinary member for each route, by route as in the OpenAPI document. The bench fails for a
// route without a case.
import { CHANNEL, CHANNELS, FREQUENT_WORDS, QUIET, USERS, WORST } from './worst-history.mjs';
import { ACCOUNT_REQUESTS } from './worst-account-requests.mjs';
import { json, numbers } from './worst-case.mjs';
import { ORGANIZATION_REQUESTS } from './worst-organization-requests.mjs';

/** Deactivates their own account. */
const LEAVING = 9_999;
const FETCHED_MAX = 5_000;
const FLAGGED_MAX = 10_000;
const OPERANDS_MAX = 1_000;
const MESSAGE_LENGTH_MAX = 10_000;

const is = (operator, operand, negated = false) => ({ operator, operand, negated });
const not = (operator, operand) => is(operator, operand, true);

const fetch = (narrow, more) => ({
  fields: {
    anchor: 'newest',
    num_before: FETCHED_MAX,
    num_after: 0,
    allow_empty_topic_name: true,
    narrow: json(narrow),
    ...more,
  },
});
const past = (more) => ({ stream_id: CHANNEL.moving, topic: 'huge', ...more });
/** Nothing matches, so the whole history is searched. */
const NOTHING_LEFT = FREQUENT_WORDS.slice(0, 27).map((word) => not('search', word));
const narrows = {
  'no narrow': [],
  'a channel': [is('channel', CHANNEL.crowded)],
  'a topic of large messages': [is('channel', CHANNEL.large), is('topic', 'large')],
  'a frequent word': [is('search', FREQUENT_WORDS[0])],
  'ten frequent words, never all together': numbers(10, (index) => is('search', FREQUENT_WORDS[index])),
  'not 27 frequent words': NOTHING_LEFT,
  'not 27 frequent words, a channel': [is('channel', CHANNEL.moving), ...NOTHING_LEFT],
  'not 90 frequent words': numbers(90, (index) => not('search', `${FREQUENT_WORDS[index % 31]} ${'x'.repeat(index)}`)),
  'not a thousand direct conversations': [
    ...numbers(40, (index) =>
      not(
        'dm-including',
        numbers(25, (one) => 200 + index * 25 + one),
      ),
    ),
  ],
  'direct messages with any of 1000': [
    is(
      'dm-including',
      numbers(OPERANDS_MAX, (index) => 200 + index),
    ),
  ],
  'not 100 senders': numbers(100, (index) => not('sender', 100 + index)),
  'not 100 senders, a channel': [
    is('channel', CHANNEL.moving),
    ...numbers(98, (index) => not('sender', 100 + index)),
    not('search', FREQUENT_WORDS[0]),
  ],
  'stop words in a phrase': [is('search', '"the of and"')],
  'a phrase that is nowhere': [is('search', `"${FREQUENT_WORDS[3]} ${FREQUENT_WORDS[0]}"`)],
  starred: [is('is', 'starred')],
  'starred, and nothing is': [is('is', 'starred'), ...NOTHING_LEFT],
  'not starred': [not('is', 'starred')],
  unread: [is('is', 'unread')],
  'unread, and nothing is': [is('is', 'unread'), ...NOTHING_LEFT],
  mentioned: [is('is', 'mentioned')],
  followed: [is('is', 'followed')],
  muted: [is('is', 'muted')],
  'not muted': [not('is', 'muted')],
  home: [is('in', 'home')],
  resolved: [is('is', 'resolved')],
  'links where none are': [is('has', 'link')],
  'a topic in any channel': [is('topic', 'huge')],
  'channels:public': [is('channels', 'public')],
  'a direct conversation with everybody': [
    is(
      'dm',
      numbers(199, (index) => 200 + index),
    ),
  ],
};
const windows = {
  newest: {},
  oldest: { anchor: 'oldest', num_before: 0, num_after: FETCHED_MAX },
  'first unread': { anchor: 'first_unread', num_before: 0, num_after: FETCHED_MAX },
};

const fetches = Object.entries(narrows).flatMap(([name, narrow]) =>
  Object.entries(windows)
    .filter(([window]) => window === 'newest' || ['no narrow', 'a channel', 'starred', 'home'].includes(name))
    .map(([window, more]) => ({ what: `${name}, ${window}`, ...fetch(narrow, more), isSearch: true })),
);

const move = (what, of, fields) => ({
  what,
  path: ({ ids }) => ({ message_id: ids[of] }),
  fields: { propagate_mode: 'change_all', send_notification_to_new_thread: 'false', ...fields },
});
/** There and back again. */
const moves = (what, of, there, back) => [move(what, of, there), move(`${what}, back`, of, back)];

const none = [{ what: 'nothing to vary', fields: {} }];
const channel = (channelId) => ({ path: () => ({ stream_id: channelId }), fields: {} });
/** First group created by a user, after the system groups. */
const FIRST_GROUP = 9;
const group = { path: () => ({ user_group_id: FIRST_GROUP }), fields: {} };
const flags = (what, more) => ({
  what,
  fields: {
    anchor: 'newest',
    num_before: FETCHED_MAX,
    num_after: 0,
    narrow: '[]',
    ...more,
  },
});
const listed = ({ size }, count = FLAGGED_MAX) =>
  json(numbers(count, (index) => 1 + Math.floor((index * size) / count)));

/**
 * A request with `isSearch` may be refused for taking too long. Functions get `{ size, ids }`: the number of messages,
 * and the first of each topic that is moved.
 */
export const WORST_REQUESTS = {
  'GET /api/v1/messages': [
    ...fetches,
    { what: '5,000 listed', fields: (site) => ({ message_ids: listed(site, FETCHED_MAX) }) },
    { what: 'no narrow, hardly a subscription', as: QUIET, ...fetch([]) },
    { what: 'not 27 frequent words, hardly a subscription', as: QUIET, ...fetch(NOTHING_LEFT), isSearch: true },
    { what: 'not a frequent word, hardly a subscription', as: QUIET, ...fetch([not('search', FREQUENT_WORDS[0])]) },
  ],
  'GET /api/v1/messages/matches_narrow': [
    { what: '5,000 listed', fields: (site) => ({ msg_ids: listed(site, FETCHED_MAX), narrow: json(NOTHING_LEFT) }) },
  ],
  'PATCH /api/v1/messages/{message_id}': [
    ...moves('a topic of a hundredth', 'moving', { topic: 'moved' }, { topic: 'moving' }),
    ...moves('its resolution', 'moving', { topic: '✔ moving' }, { topic: 'moving' }),
    ...moves('a topic of large messages', 'large', { topic: '✔ large' }, { topic: 'large' }),
    ...moves('a topic of a tenth', 'huge', { topic: 'vast' }, { topic: 'huge' }),
    ...moves(
      'a topic of a hundredth, to a channel',
      'moving',
      { stream_id: CHANNEL.empty, topic: 'moved' },
      { stream_id: CHANNEL.moving, topic: 'moving' },
    ),
    { ...move('refused: protected history', 'protected', { stream_id: 999_999 }), status: 400 },
    { ...move('refused: the channel', 'huge', { stream_id: 999_999 }), status: 400 },
  ],
  'POST /api/v1/messages/flags': [
    { what: '10,000 read', fields: (site) => ({ messages: listed(site), op: 'add', flag: 'read' }) },
    { what: '10,000 unread', fields: (site) => ({ messages: listed(site), op: 'remove', flag: 'read' }) },
    { what: '10,000 starred', fields: (site) => ({ messages: listed(site), op: 'add', flag: 'starred' }) },
  ],
  'POST /api/v1/messages/flags/narrow': [
    flags('collapsed', { op: 'add', flag: 'collapsed' }),
    flags('expanded', { op: 'remove', flag: 'collapsed' }),
    flags('large messages', { op: 'add', flag: 'collapsed', narrow: json(narrows['a topic of large messages']) }),
    { ...flags('nothing matches', { op: 'add', flag: 'read', narrow: json(NOTHING_LEFT) }), isSearch: true },
  ],
  'POST /api/v1/mark_topic_as_read': [
    { what: 'a topic of a tenth', fields: { stream_id: CHANNEL.moving, topic_name: 'huge' } },
  ],
  'POST /api/v1/mark_stream_as_read': [{ what: 'a crowded channel', fields: { stream_id: CHANNEL.crowded } }],
  'POST /api/v1/register': [
    { what: 'everything', as: WORST, fields: {} },
    { what: 'everything, with subscribers', fields: { include_subscribers: 'true', slim_presence: 'true' } },
    { what: 'everything, with subscribers in part', fields: { include_subscribers: 'partial', slim_presence: 'true' } },
    { what: 'everything, again', fields: {} },
  ],
  'POST /api/v1/mark_all_as_read': none,
  'GET /api/v1/users/me/{stream_id}/topics': [
    { what: '10,000 topics', ...channel(CHANNEL.topics) },
    { what: 'protected history', ...channel(CHANNEL.protected) },
  ],
  'GET /api/v1/past/messages': [
    { what: 'the largest topic', fields: past({ as_of: 4_102_444_800, limit: 500 }) },
    { what: 'before the largest topic', fields: past({ as_of: 1, limit: 500 }) },
  ],
  'GET /api/v1/past/since': [
    { what: 'six days', as: WORST, fields: { time: Math.floor(Date.now() / 1000) - 6 * 86_400 } },
  ],
  'GET /api/v1/past/moments': [{ what: 'the largest topic', fields: past({}) }],
  'POST /api/v1/messages': [
    {
      what: 'the longest text',
      fields: {
        type: 'stream',
        to: CHANNEL.crowded,
        topic: 'long',
        content: `${'*a* **b** `c` [d](http://e.test) '.repeat(300)}`,
      },
    },
    {
      what: 'thousands of emoji',
      fields: { type: 'stream', to: CHANNEL.crowded, topic: 'long', content: '😀'.repeat(MESSAGE_LENGTH_MAX) },
    },
    {
      what: 'hundreds of formulas',
      fields: { type: 'stream', to: CHANNEL.crowded, topic: 'long', content: '$$x^2$$ '.repeat(1_200) },
    },
    {
      what: 'mentions of many',
      fields: {
        type: 'stream',
        to: CHANNEL.crowded,
        topic: 'long',
        content: numbers(500, (index) => `@**User ${index + 200}**`)
          .join(' ')
          .slice(0, MESSAGE_LENGTH_MAX),
      },
    },
    {
      what: 'a topic wildcard in a topic of a tenth',
      fields: { type: 'stream', to: CHANNEL.moving, topic: 'huge', content: '@**topic**' },
      status: 400,
    },
    {
      what: '199 recipients',
      fields: { type: 'private', to: json(numbers(199, (index) => 200 + index)), content: 'hello' },
    },
  ],
  'POST /api/v1/messages/render': [
    { what: 'thousands of emoji', fields: { content: '😀'.repeat(MESSAGE_LENGTH_MAX) } },
    { what: 'hundreds of formulas', fields: { content: '$$x^2$$ '.repeat(1_200) } },
    { what: 'deep quotes', fields: { content: `${'> '.repeat(100)}x\n`.repeat(49) } },
  ],
  'GET /api/v1/messages/{message_id}': [
    { what: 'a large message', path: ({ ids }) => ({ message_id: ids.large }), fields: {} },
  ],
  'GET /api/v1/messages/{message_id}/history': [
    { what: 'a large message', path: ({ ids }) => ({ message_id: ids.large }), fields: {} },
  ],
  'GET /api/v1/messages/{message_id}/read_receipts': [
    { what: '10,000 readers', path: ({ ids }) => ({ message_id: ids.crowded }), fields: {} },
  ],
  'POST /api/v1/messages/{message_id}/reactions': [
    {
      what: 'to a large message',
      path: ({ ids }) => ({ message_id: ids.large }),
      fields: { emoji_name: 'smile' },
      any: true,
    },
  ],
  'DELETE /api/v1/messages/{message_id}/reactions': [
    {
      what: 'of a large message',
      path: ({ ids }) => ({ message_id: ids.large }),
      fields: { emoji_name: 'smile' },
      any: true,
    },
  ],
  'DELETE /api/v1/messages/{message_id}': [
    { what: 'not their own', path: ({ ids }) => ({ message_id: ids.large }), fields: {}, status: 400 },
  ],
  'POST /api/v1/messages/{message_id}/report': [
    {
      what: 'a large message',
      path: ({ ids }) => ({ message_id: ids.large }),
      fields: { report_type: 'spam', description: 'x'.repeat(1_000) },
      any: true,
    },
  ],
  'POST /api/v1/messages/{message_id}/typing': [
    { what: 'not their own', path: ({ ids }) => ({ message_id: ids.large }), fields: { op: 'start' }, any: true },
  ],
  'POST /api/v1/typing': [
    {
      what: 'to 199',
      fields: { type: 'direct', op: 'start', to: json(numbers(199, (index) => 200 + index)) },
    },
    {
      what: 'in a crowded channel',
      fields: { type: 'stream', op: 'start', stream_id: CHANNEL.crowded, topic: 'mentions' },
    },
  ],
  'POST /api/v1/submessage': [
    {
      what: 'to no widget',
      fields: ({ ids }) => ({ message_id: ids.large, msg_type: 'widget', content: '{}' }),
      any: true,
    },
  ],
  'POST /api/v1/streams/{stream_id}/delete_topic': [
    {
      what: 'not theirs to delete',
      path: () => ({ stream_id: CHANNEL.moving }),
      fields: { topic_name: 'huge' },
      status: 400,
    },
  ],
  'GET /api/v1/users': [{ what: '10,000 users', fields: {} }],
  'POST /api/v1/users': [
    { what: 'not theirs', fields: { email: 'a@b.test', full_name: 'A', password: 'p' }, any: true },
  ],
  'GET /api/v1/users/me': none,
  'GET /api/v1/users/{user_id}': [{ what: 'one', path: () => ({ user_id: 20 }), fields: {} }],
  'POST /api/v1/fetch_api_key': [
    { what: 'a wrong password', fields: { username: 'user10@bench.test', password: 'x'.repeat(100) }, any: true },
  ],
  'GET /api/v1/server_settings': none,
  'PATCH /api/v1/realm': [{ what: 'not theirs', fields: { name: 'x' }, any: true }],
  'GET /api/v1/realm/linkifiers': none,
  'PATCH /api/v1/realm/linkifiers': [{ what: 'not theirs', fields: { ordered_linkifier_ids: '[]' }, any: true }],
  'POST /api/v1/realm/linkifiers/try': [
    { what: 'not theirs', fields: { pattern: 'x', url_template: 'http://x', content: 'x' }, any: true },
  ],
  'GET /api/v1/realm/filters': none,
  'POST /api/v1/zcommand': [{ what: 'dark', fields: { command: '/dark' } }],
  'POST /api/v1/realm/filters': [{ what: 'not theirs', fields: { pattern: 'x', url_template: 'http://x' }, any: true }],
  'PATCH /api/v1/realm/filters/{filter_id}': [
    {
      what: 'not theirs',
      path: () => ({ filter_id: 1 }),
      fields: { pattern: 'x', url_template: 'http://x' },
      any: true,
    },
  ],
  'DELETE /api/v1/realm/filters/{filter_id}': [
    { what: 'not theirs', path: () => ({ filter_id: 1 }), fields: {}, any: true },
  ],
  'GET /api/v1/realm/domains': none,
  'POST /api/v1/realm/domains': [
    { what: 'not theirs', fields: { domain: 'e.test', allow_subdomains: 'true' }, any: true },
  ],
  'PATCH /api/v1/realm/domains/{domain}': [
    { what: 'not theirs', path: () => ({ domain: 'e.test' }), fields: { allow_subdomains: 'true' }, any: true },
  ],
  'DELETE /api/v1/realm/domains/{domain}': [
    { what: 'not theirs', path: () => ({ domain: 'e.test' }), fields: {}, any: true },
  ],
  'POST /api/v1/realm/playgrounds': [
    {
      what: 'not theirs',
      fields: { name: 'x', pygments_language: 'Python', url_template: 'http://x/{code}' },
      any: true,
    },
  ],
  'DELETE /api/v1/realm/playgrounds/{playground_id}': [
    { what: 'not theirs', path: () => ({ playground_id: 1 }), fields: {}, any: true },
  ],
  'PATCH /api/v1/realm/user_settings_defaults': [
    { what: 'not theirs', fields: { twenty_four_hour_time: 'true' }, any: true },
  ],
  'POST /api/v1/realm/deactivate': [{ what: 'not theirs', fields: {}, any: true }],
  'POST /api/v1/realm/test_welcome_bot_custom_message': [
    { what: 'not theirs', fields: { welcome_message_custom_text: 'x'.repeat(1_000) }, any: true },
  ],
  'POST /api/v1/users/me/presence': [
    { what: 'with all others', fields: { status: 'active', last_update_id: '-1', slim_presence: 'true' }, any: true },
  ],
  'GET /api/v1/realm/presence': none,
  'POST /api/v1/user_groups/create': [
    {
      what: '10,000 members',
      fields: { name: 'everybody here', description: 'x', members: json(numbers(USERS - 3, (index) => index + 4)) },
      any: true,
    },
  ],
  'GET /api/v1/user_groups': none,
  'GET /api/v1/user_groups/{user_group_id}/members': [{ what: '10,000 members', ...group }],
  'GET /api/v1/user_groups/{user_group_id}/members/{user_id}': [
    { what: 'one', path: () => ({ user_group_id: FIRST_GROUP, user_id: 20 }), fields: {} },
  ],
  'POST /api/v1/user_groups/{user_group_id}/members': [
    {
      what: '9,000 leave',
      ...group,
      fields: { delete: json(numbers(9_000, (index) => index + 1_000)) },
      any: true,
    },
    { what: '9,000 join', ...group, fields: { add: json(numbers(9_000, (index) => index + 1_000)) }, any: true },
  ],
  'GET /api/v1/user_groups/{user_group_id}/subgroups': [{ what: 'none', ...group }],
  'POST /api/v1/user_groups/{user_group_id}/subgroups': [
    { what: 'itself', ...group, fields: { add: json([FIRST_GROUP]) }, any: true },
  ],
  'PATCH /api/v1/user_groups/{user_group_id}': [
    {
      what: 'a setting of 10,000',
      ...group,
      fields: {
        can_mention_group: json({
          new: { direct_members: numbers(USERS - 3, (index) => index + 4), direct_subgroups: [] },
        }),
      },
      any: true,
    },
  ],
  'POST /api/v1/user_groups/{user_group_id}/deactivate': [{ what: '10,000 members', ...group, any: true }],
  'PATCH /api/v1/users/{user_id}': [
    { what: 'not theirs', path: () => ({ user_id: 20 }), fields: { full_name: 'X' }, any: true },
  ],
  'DELETE /api/v1/users/{user_id}': [{ what: 'not theirs', path: () => ({ user_id: 20 }), fields: {}, any: true }],
  'POST /api/v1/users/{user_id}/reactivate': [
    { what: 'not theirs', path: () => ({ user_id: 20 }), fields: {}, any: true },
  ],
  'DELETE /api/v1/users/me': [{ what: 'a member of a crowded channel', as: LEAVING, fields: {}, any: true }],
  'POST /api/v1/drafts': [
    {
      what: '1,000 drafts',
      fields: { drafts: json(numbers(1_000, () => ({ type: '', to: [], topic: '', content: 'x'.repeat(500) }))) },
      any: true,
    },
  ],
  'GET /api/v1/drafts': none,
  'PATCH /api/v1/drafts/{draft_id}': [
    {
      what: 'the longest',
      path: () => ({ draft_id: 1 }),
      fields: { draft: json({ type: '', to: [], topic: '', content: 'x'.repeat(MESSAGE_LENGTH_MAX) }) },
      any: true,
    },
  ],
  'DELETE /api/v1/drafts/{draft_id}': [{ what: 'one', path: () => ({ draft_id: 1 }), fields: {}, any: true }],
  'POST /api/v1/saved_snippets': [
    { what: 'the longest', fields: { title: 'x', content: 'x'.repeat(MESSAGE_LENGTH_MAX) }, any: true },
  ],
  'GET /api/v1/saved_snippets': none,
  'PATCH /api/v1/saved_snippets/{saved_snippet_id}': [
    {
      what: 'the longest',
      path: () => ({ saved_snippet_id: 1 }),
      fields: { content: 'y'.repeat(MESSAGE_LENGTH_MAX) },
      any: true,
    },
  ],
  'DELETE /api/v1/saved_snippets/{saved_snippet_id}': [
    { what: 'one', path: () => ({ saved_snippet_id: 1 }), fields: {}, any: true },
  ],
  'POST /api/v1/navigation_views': [{ what: 'one', fields: { fragment: 'inbox', is_pinned: 'true' }, any: true }],
  'GET /api/v1/navigation_views': none,
  'PATCH /api/v1/navigation_views/{fragment}': [
    { what: 'one', path: () => ({ fragment: 'inbox' }), fields: { is_pinned: 'false' }, any: true },
  ],
  'DELETE /api/v1/navigation_views/{fragment}': [
    { what: 'one', path: () => ({ fragment: 'inbox' }), fields: {}, any: true },
  ],
  'GET /api/v1/streams': [{ what: `${CHANNELS} channels`, fields: {} }],
  'GET /api/v1/get_stream_id': [{ what: 'the last', fields: { stream: `channel ${CHANNELS}` } }],
  'GET /api/v1/streams/{stream_id}': [{ what: 'a crowded one', ...channel(CHANNEL.crowded) }],
  'GET /api/v1/streams/{stream_id}/members': [{ what: `${USERS} members`, ...channel(CHANNEL.crowded) }],
  'GET /api/v1/users/{user_id}/subscriptions/{stream_id}': [
    { what: 'one', path: () => ({ user_id: 20, stream_id: CHANNEL.crowded }), fields: {} },
  ],
  'GET /api/v1/users/me/subscriptions': [
    { what: `${CHANNELS} channels`, fields: { include_subscribers: 'true' } },
    { what: `${CHANNELS} channels, subscribers in part`, fields: { include_subscribers: 'partial' } },
  ],
  'POST /api/v1/users/me/subscriptions': [
    {
      what: '20,000 subscriptions',
      fields: {
        subscriptions: json(numbers(20, (index) => ({ name: `channel ${CHANNEL.empty + 1 + index}` }))),
        principals: json(numbers(1_000, (index) => index + 200)),
      },
    },
    {
      what: '10,000 people to one channel',
      fields: {
        subscriptions: json([{ name: `channel ${CHANNEL.empty + 60}` }]),
        principals: json(numbers(USERS - 10, (index) => index + 4)),
      },
    },
    {
      what: 'a thousand again',
      fields: { subscriptions: json(numbers(CHANNELS, (i) => ({ name: `channel ${i + 1}` }))) },
    },
  ],
  'DELETE /api/v1/users/me/subscriptions': [
    {
      what: 'of 100 channels',
      fields: { subscriptions: json(numbers(100, (index) => `channel ${CHANNEL.empty + 300 + index}`)) },
    },
    { what: 'of a crowded channel', fields: { subscriptions: json([`channel ${CHANNEL.crowded}`]) } },
  ],
  'PATCH /api/v1/settings': [{ what: 'one', fields: { twenty_four_hour_time: 'true' } }],
  'PATCH /api/v1/settings/display': [{ what: 'one', fields: { twenty_four_hour_time: 'false' } }],
  'PATCH /api/v1/settings/notifications': [{ what: 'one', fields: { enable_sounds: 'true' } }],
  'POST /api/v1/user_topics': [
    { what: 'one of many', fields: { stream_id: CHANNEL.topics, topic: 'topic 1', visibility_policy: 2 } },
  ],
  'PATCH /api/v1/users/me/subscriptions/muted_topics': [
    { what: 'one of many', fields: { stream_id: CHANNEL.topics, topic: 'topic 3', op: 'add' }, any: true },
  ],
  'GET /api/v1/users/me/alert_words': none,
  'POST /api/v1/users/me/alert_words': [
    { what: '500 words', fields: { alert_words: json(numbers(500, (index) => `word${index}`)) } },
  ],
  'DELETE /api/v1/users/me/alert_words': [
    { what: '500 words', fields: { alert_words: json(numbers(500, (index) => `word${index}`)) } },
  ],
  'POST /api/v1/users/me/muted_users/{muted_user_id}': [
    { what: 'a busy writer', path: () => ({ muted_user_id: 101 }), fields: {} },
  ],
  'DELETE /api/v1/users/me/muted_users/{muted_user_id}': [
    { what: 'a busy writer', path: () => ({ muted_user_id: 101 }), fields: {} },
  ],
  ...ORGANIZATION_REQUESTS,
  ...ACCOUNT_REQUESTS,
  'GET /api/v1/events': [
    {
      what: 'after all of the above',
      fields: ({ queue }) => ({ queue_id: queue.id, last_event_id: queue.lastEventId, dont_block: 'true' }),
    },
  ],
  'DELETE /api/v1/events': [{ what: 'that queue', fields: ({ queue }) => ({ queue_id: queue.id }) }],
};

/** Routes that members may not call, or whose answer is cached and equal for everybody. */
export const NOT_WALKED = [
  /^\w+ \/api\/v1\/(?:operator|audit)\/|\/events\/held$/,
  /^\w+ \/health\//,
  /^GET \/(static\/|api\/v1\/openapi|[^a]|$)/,
];
