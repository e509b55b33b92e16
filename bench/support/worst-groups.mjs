// Writes an organization in which everything that depends on groups has a worst input: as many groups as there may be, as
// deep as they may be, of everybody, and channels and settings whose permissions go through them.
import { randomUUID } from 'node:crypto';
import { streams } from '#event-store';
import { openLog, seedOrganization } from './seed.mjs';
import { CHANNEL, CHANNELS, OBSERVER, USERS, WORST } from './worst-history.mjs';

export const OWNER = 4;
/** First group created by a user, after the system groups. */
const FIRST = 9;
/** Ten fewer than there may be, so that some can be created. */
export const GROUPS = Number(process.env.BENCH_GROUPS ?? 1_990);
export const DEPTH = 50;
/** Some groups are not nested. */
const PER_LEVEL = Math.floor((GROUPS - 10) / DEPTH);
const AT = 1_790_000_000;
/** Messages of the crowded channel, to be edited. */
export const MESSAGES = 100;

const everybody = Array.from({ length: USERS - 3 }, (_, index) => index + 4);

/** IDs of the groups of a level, of which 0 is the outermost; each has all groups of the next level as subgroups. */
export const groupsOfLevel = (level) => {
  // IDs count up, and a subgroup exists before the group that names it.
  const first = FIRST + (DEPTH - 1 - level) * PER_LEVEL;
  return Array.from({ length: PER_LEVEL }, (_, index) => first + index);
};
export const OUTERMOST = groupsOfLevel(0);
export const INNERMOST = groupsOfLevel(DEPTH - 1);
/** Groups that nothing names, and that are not nested. */
export const ALONE = Array.from(
  { length: GROUPS - DEPTH * PER_LEVEL },
  (_, index) => FIRST + DEPTH * PER_LEVEL + index,
);
export const nameOf = (groupId) => `group ${groupId}`;

const holders = (...directSubgroups) => ({ directMembers: [WORST], directSubgroups });

export async function writeWorstGroups(folder) {
  const store = openLog(folder);
  await seedOrganization(store, {
    users: USERS,
    channels: Array.from({ length: CHANNELS }, (_, index) => ({
      name: `channel ${index + 1}`,
      ...(index + 1 === CHANNEL.observed || index + 1 === CHANNEL.crowded
        ? { subscribers: index + 1 === CHANNEL.crowded ? everybody : [WORST, OBSERVER] }
        : { subscribers: [], inviteOnly: true, permissions: channelPermissions(index) }),
    })),
  });
  let [{ revision }] = await store.readStream(streams.organization, { direction: 'backwards', limit: 1 });
  // A separate append for each: together they are too large.
  for (const event of [...groupEvents(), settingsChanged()])
    revision = (await store.append(streams.organization, revision, [{ id: randomUUID(), ...event }])).lastRevision;
  for (let index = 0; index < MESSAGES; index++) {
    const data = { senderId: WORST, channelId: CHANNEL.crowded, topic: 'groups', content: `Message ${index}` };
    const sent = { id: randomUUID(), type: 'message.sent.v1', data: { ...data, client: 'Bench', at: now() } };
    await store.append(streams.messages, 'any', [sent]);
  }
  await store.close();
}

const now = () => Math.floor(Date.now() / 1000);

/** Each names two outermost groups, in three permissions by which a private channel is known. */
function channelPermissions(index) {
  const [one, other] = [0, 7].map((offset) => OUTERMOST[(index + offset) % OUTERMOST.length]);
  return {
    can_add_subscribers_group: { directMembers: [], directSubgroups: [one, other] },
    can_administer_channel_group: other,
    can_send_message_group: one,
    can_subscribe_group: one,
  };
}

function groupEvents() {
  const events = [];
  for (let level = DEPTH - 1; level >= 0; level--)
    for (const groupId of groupsOfLevel(level))
      events.push(created(groupId, level === DEPTH - 1 ? [] : groupsOfLevel(level + 1)));
  for (const groupId of ALONE) events.push(created(groupId, []));
  return events;
}

function created(groupId, subgroupIds) {
  const permissions = {
    can_add_members_group: holders(...subgroupIds),
    can_manage_group: holders(...subgroupIds),
    can_join_group: holders(...subgroupIds),
    can_remove_members_group: holders(...subgroupIds),
    can_leave_group: 6,
    can_mention_group: subgroupIds.length === 0 ? 6 : holders(...subgroupIds),
  };
  const data = { groupId, name: nameOf(groupId), description: '', userIds: everybody, subgroupIds, permissions };
  return { type: 'group.created.v1', data: { ...data, by: OWNER, at: AT } };
}

/** Permissions of the organization name all outermost groups; those that hold up the other requests name everybody. */
function settingsChanged() {
  const outermost = holders(...OUTERMOST);
  const permissions = {
    can_create_groups: outermost,
    can_create_public_channel_group: outermost,
    can_create_private_channel_group: outermost,
    can_add_subscribers_group: outermost,
    can_invite_users_group: outermost,
    can_mention_many_users_group: 6,
  };
  return { type: 'organization.settings-changed.v1', data: { permissions, by: OWNER, at: AT } };
}
