// The worst inputs for what depends on groups, in the organization of `worst-groups.mjs`.
import { json, numbers } from './worst-case.mjs';
import { ALONE, DEPTH, GROUPS, INNERMOST, nameOf, OUTERMOST, OWNER, groupsOfLevel } from './worst-groups.mjs';
import { CHANNEL, CHANNELS, USERS } from './worst-history.mjs';

/** Maximum group mentions of a message. */
const MENTIONED_MAX = 50;
/** Deactivates their own account. */
const LEAVING = 9_999;
const DEACTIVATED = 9_998;
const PROMOTED = 9_997;

const everybody = numbers(USERS - 3, (index) => index + 4);
const [OUTER] = OUTERMOST;
const [INNER] = INNERMOST;
const mentions = numbers(DEPTH, groupsOfLevel)
  .flat()
  .slice(0, MENTIONED_MAX)
  .map((groupId) => `@*${nameOf(groupId)}*`)
  .join(' ');
const silent = mentions.replaceAll('@*', '@_*');
const mentioning = { content: mentions };
const channelMessage = { type: 'stream', to: CHANNEL.crowded, topic: 'groups' };
const soon = () => ({
  ...channelMessage,
  ...mentioning,
  scheduled_delivery_timestamp: Math.floor(Date.now() / 1000) + 2,
});
const of = (groupId) => ({ path: () => ({ user_group_id: groupId }) });
/** All but one that can be deactivated. */
const everyGroup = numbers(GROUPS, (index) => index + 9).filter((groupId) => groupId !== ALONE[2]);
const setting = json({ new: { direct_members: everybody, direct_subgroups: everyGroup } });
const newSetting = json({ direct_members: everybody, direct_subgroups: everyGroup });

const named = (cases) =>
  Object.fromEntries(
    Object.entries(cases).map(([route, all]) => [
      route,
      all.map(({ what, ...rest }) => ({ what: `groups: ${what}`, fields: {}, ...rest })),
    ]),
  );

export const GROUP_REQUESTS = named({
  'POST /api/v1/register': [{ what: 'after a start' }, { what: 'again' }, { what: 'by a guest', as: PROMOTED }],
  'GET /api/v1/user_groups': [{ what: 'all', fields: { include_deactivated_groups: 'true' } }],
  'GET /api/v1/user_groups/{user_group_id}/members': [
    { what: 'of the outermost', ...of(OUTER) },
    { what: 'direct ones', ...of(OUTER), fields: { direct_member_only: 'true' } },
    { what: 'of everyone', ...of(6) },
  ],
  'GET /api/v1/user_groups/{user_group_id}/members/{user_id}': [
    { what: 'one', path: () => ({ user_group_id: OUTER, user_id: USERS }) },
  ],
  'GET /api/v1/user_groups/{user_group_id}/subgroups': [{ what: 'of the outermost', ...of(OUTER) }],
  'POST /api/v1/messages/render': [
    { what: `names ${MENTIONED_MAX}`, fields: mentioning },
    { what: `names ${MENTIONED_MAX} silently`, fields: { content: silent } },
  ],
  'POST /api/v1/messages': [
    { what: `names ${MENTIONED_MAX}`, fields: { ...channelMessage, ...mentioning } },
    { what: `names ${MENTIONED_MAX} silently`, fields: { ...channelMessage, content: silent } },
    { what: `names ${MENTIONED_MAX} directly`, fields: { type: 'direct', to: json([20]), ...mentioning } },
    { what: 'to a channel by a group', as: 20, fields: { ...channelMessage, to: 500, content: 'hello' } },
  ],
  'PATCH /api/v1/messages/{message_id}': [
    { what: `names ${MENTIONED_MAX}`, path: () => ({ message_id: 1 }), fields: mentioning, any: true },
  ],
  'GET /api/v1/messages': [
    {
      what: 'with those',
      as: 20,
      fields: { anchor: 'newest', num_before: 100, num_after: 0, allow_empty_topic_name: true },
    },
    {
      what: 'channels:public, searched',
      fields: {
        anchor: 'newest',
        num_before: 5_000,
        num_after: 0,
        allow_empty_topic_name: true,
        narrow: json([{ operator: 'search', operand: 'message' }]),
      },
    },
  ],
  'POST /api/v1/scheduled_messages': [
    { what: `names ${MENTIONED_MAX}, delivered soon after`, fields: soon, restMs: 3_000 },
  ],
  'POST /api/v1/drafts': [
    {
      what: `names ${MENTIONED_MAX}`,
      fields: { drafts: json([{ type: 'stream', to: [CHANNEL.crowded], topic: 'x', content: mentions }]) },
      any: true,
    },
  ],
  'POST /api/v1/user_groups/create': [
    {
      what: 'everybody, and every group below',
      fields: { name: 'one more', description: 'x', members: json(everybody), subgroups: json(OUTERMOST) },
      any: true,
    },
    {
      what: 'settings that name everybody',
      fields: {
        name: 'another',
        description: 'x',
        members: json(everybody),
        can_manage_group: newSetting,
        can_mention_group: newSetting,
        can_add_members_group: newSetting,
      },
      any: true,
    },
  ],
  'POST /api/v1/user_groups/{user_group_id}/members': [
    { what: 'one leaves the innermost', ...of(INNER), fields: { delete: json([5_000]) } },
    { what: 'one joins the innermost', ...of(INNER), fields: { add: json([5_000]) } },
    { what: '9,000 leave the innermost', ...of(INNER), fields: { delete: json(everybody.slice(-9_000)) } },
    { what: '9,000 join the innermost', ...of(INNER), fields: { add: json(everybody.slice(-9_000)) } },
  ],
  'POST /api/v1/user_groups/{user_group_id}/subgroups': [
    { what: 'the outermost loses all', ...of(OUTER), fields: { delete: json(groupsOfLevel(1)) } },
    { what: 'the outermost gets all', ...of(OUTER), fields: { add: json(groupsOfLevel(1)) } },
    { what: 'a cycle', ...of(INNER), fields: { add: json([OUTER]) }, any: true },
    { what: 'one too deep', ...of(ALONE[0]), fields: { add: json(OUTERMOST) }, any: true },
  ],
  'PATCH /api/v1/user_groups/{user_group_id}': [
    { what: 'a setting of everything', ...of(ALONE[1]), fields: { can_manage_group: setting }, any: true },
    { what: 'a name', ...of(ALONE[1]), fields: { name: 'a new name' } },
  ],
  'POST /api/v1/user_groups/{user_group_id}/deactivate': [
    { what: 'one in use', ...of(INNER), any: true },
    { what: 'one', ...of(ALONE[2]) },
  ],
  'GET /api/v1/streams': [
    { what: `${CHANNELS} channels known by groups` },
    { what: `${CHANNELS} channels known by groups, by another`, as: 21 },
  ],
  'GET /api/v1/users': [{ what: 'all' }],
  'POST /api/v1/channels/create': [
    {
      what: 'permissions of everybody',
      fields: {
        name: 'private',
        subscribers: '[]',
        invite_only: 'true',
        can_subscribe_group: newSetting,
        can_add_subscribers_group: newSetting,
        can_administer_channel_group: newSetting,
      },
      any: true,
    },
  ],
  'PATCH /api/v1/streams/{stream_id}': [
    {
      what: 'a permission of everybody',
      path: () => ({ stream_id: CHANNEL.observed + 3 }),
      fields: { can_subscribe_group: setting },
      any: true,
    },
  ],
  'POST /api/v1/users/me/subscriptions': [
    {
      what: 'joins 900 channels',
      as: 22,
      fields: { subscriptions: json(numbers(900, (index) => ({ name: `channel ${index + 10}` }))) },
    },
    {
      what: 'everybody into one channel',
      fields: { subscriptions: json([{ name: 'channel 950' }]), principals: json(everybody) },
      any: true,
    },
  ],
  'DELETE /api/v1/users/me/subscriptions': [
    { what: 'of 900', as: 22, fields: { subscriptions: json(numbers(900, (index) => `channel ${index + 10}`)) } },
  ],
  'PATCH /api/v1/realm': [
    {
      what: 'a permission of everything',
      as: OWNER,
      fields: { can_create_groups: json({ new: { direct_members: everybody, direct_subgroups: everyGroup } }) },
      any: true,
    },
  ],
  'PATCH /api/v1/users/{user_id}': [
    { what: 'another role', as: OWNER, path: () => ({ user_id: PROMOTED }), fields: { role: 600 } },
    { what: 'back', as: OWNER, path: () => ({ user_id: PROMOTED }), fields: { role: 400 } },
  ],
  'DELETE /api/v1/users/{user_id}': [{ what: 'one in all groups', as: OWNER, path: () => ({ user_id: DEACTIVATED }) }],
  'POST /api/v1/users/{user_id}/reactivate': [
    { what: 'one in all groups', as: OWNER, path: () => ({ user_id: DEACTIVATED }) },
  ],
  'DELETE /api/v1/users/me': [{ what: 'one in all groups', as: LEAVING }],
  'GET /api/v1/events': [
    {
      what: 'all of these',
      fields: ({ queue }) => ({ queue_id: queue.id, last_event_id: queue.lastEventId, dont_block: 'true' }),
      // Who sees other channels after a change of groups may have to fetch everything again.
      any: true,
    },
  ],
});
