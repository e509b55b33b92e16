// A large organization whose permissions go through nested groups: 10,000 users, 1,000 channels, 200 groups nested ten deep. What
// POST /register costs a member, a limited guest, and everybody right after a group has changed; what a change of a group costs;
// how long a start takes; and how much memory the directory needs.
import { randomUUID } from 'node:crypto';
import { streams } from '#event-store';
import { percentile } from './support/load.mjs';
import { residentBytes, startServer, temporaryFolder } from './support/processes.mjs';
import { formRequest, RawClient } from './support/raw-client.mjs';
import { authorizationOf, openLog, seedOrganization } from './support/seed.mjs';

const OWNER_ID = 4;
const GUEST_ID = 5;
const [USERS, CHANNELS, GROUPS, DEPTH, MEMBERS] = [10_000, 1_000, 200, 10, 50];
const FIRST_GROUP = 9;
const AT = 1_790_000_000;
const ROUNDS = 100;

export async function measureNestedGroups() {
  const data = temporaryFolder();
  try {
    const empty = await idleBytes(temporaryFolder());
    await seed(data.folder);
    await (await startServer(data.folder)).stop();
    const startedAt = performance.now();
    const server = await startServer(data.folder);
    const startMs = performance.now() - startedAt;
    const memory = residentBytes(server.pid) - empty;
    const client = await RawClient.open(server.port);
    const register = (userId) => timed(client, 'POST', '/api/v1/register', userId, { client_gravatar: 'true' });
    const change = (round) =>
      timed(client, 'POST', `/api/v1/user_groups/${FIRST_GROUP + DEPTH - 1}/members`, OWNER_ID, {
        [round % 2 === 0 ? 'delete' : 'add']: `[${OWNER_ID + 1000}]`,
      });
    const figures = [];
    const measure = async (what, work, bar) => {
      const tookMs = [];
      for (let round = 0; round < ROUNDS + 10; round++) {
        const ms = await work(round);
        if (round >= 10) tookMs.push(ms);
      }
      const sorted = tookMs.sort((a, b) => a - b);
      const p99 = percentile(sorted, 0.99);
      const judged = bar === undefined ? {} : { bar: `p99 ≤ ${bar}`, met: p99 <= bar };
      figures.push({ what, value: percentile(sorted, 0.5), p99, unit: 'ms', ...judged });
    };
    await measure('POST /register by a member', () => register(OWNER_ID + 100), 50);
    await measure('a member added to, or removed from, a group ten levels down', change);
    const changeAndRegister = async (round) => {
      await change(round);
      return register(OWNER_ID + 100);
    };
    await measure('POST /register right after that', changeAndRegister);
    await timed(client, 'PATCH', '/api/v1/realm', OWNER_ID, { can_access_all_users_group: '{"new":5}' });
    await measure('POST /register by a limited guest', () => register(GUEST_ID));
    client.close();
    await server.stop();
    return [
      ...figures,
      { what: 'start after SIGTERM', value: startMs, unit: 'ms', bar: '≤ 2000', met: startMs <= 2000 },
      { what: 'memory above that of an empty server', value: memory / 1024 / 1024, unit: 'MB' },
    ].map((figure) => ({ ...figure, what: `${figure.what}, 200 groups nested ten deep` }));
  } finally {
    data.remove();
  }
}

async function timed(client, method, path, userId, fields) {
  const request = formRequest(method, path, authorizationOf(userId), fields);
  const sentAt = performance.now();
  const { status, body } = await client.request(request);
  if (status !== 200) throw new Error(body);
  return performance.now() - sentAt;
}

async function idleBytes(data) {
  const server = await startServer(data.folder);
  const bytes = residentBytes(server.pid);
  await server.stop();
  data.remove();
  return bytes;
}

/** Chains of ten groups each, of which the organization's permissions name the outermost. */
async function seed(folder) {
  const store = openLog(folder);
  const subscribers = Array.from({ length: 200 }, (_, index) => OWNER_ID + index);
  const channels = Array.from({ length: CHANNELS }, (_, index) => ({ name: `channel ${index}`, subscribers }));
  await seedOrganization(store, { users: USERS + 3, channels });
  const events = [];
  for (let index = GROUPS - 1; index >= 0; index--) events.push(groupCreated(index));
  // IDs count up from the system groups, so the innermost comes first in the log.
  events.sort((a, b) => a.data.groupId - b.data.groupId);
  const outermost = { directMembers: [], directSubgroups: [FIRST_GROUP, FIRST_GROUP + DEPTH] };
  const names = ['can_create_groups', 'can_create_public_channel_group', 'can_mention_many_users_group'];
  const permissions = Object.fromEntries(names.map((name) => [name, outermost]));
  events.push({ type: 'organization.settings-changed.v1', data: { permissions, by: OWNER_ID, at: AT } });
  const role = { from: 400, to: 600 };
  events.push({ type: 'user.changed.v1', data: { userId: GUEST_ID, role, by: OWNER_ID, at: AT } });
  const [{ revision }] = await store.readStream(streams.organization, { direction: 'backwards', limit: 1 });
  await store.append(
    streams.organization,
    revision,
    events.map((event) => ({ id: randomUUID(), ...event })),
  );
  await store.close();
}

function groupCreated(index) {
  const groupId = FIRST_GROUP + index;
  const isInnermost = index % DEPTH === DEPTH - 1;
  const userIds = Array.from({ length: MEMBERS }, (_, member) => OWNER_ID + ((index * MEMBERS + member) % USERS));
  const setting = { directMembers: [OWNER_ID], directSubgroups: [] };
  const permissions = {
    can_add_members_group: setting,
    can_manage_group: setting,
    can_join_group: 8,
    can_remove_members_group: 8,
    can_leave_group: 6,
    can_mention_group: 6,
  };
  return {
    type: 'group.created.v1',
    data: {
      groupId,
      name: `group ${index}`,
      description: '',
      userIds: [...new Set([...userIds, ...(isInnermost ? [OWNER_ID + 1000] : [])])].sort((a, b) => a - b),
      subgroupIds: isInnermost ? [] : [groupId + 1],
      permissions,
      by: OWNER_ID,
      at: AT,
    },
  };
}
