import fc from 'fast-check';
import type { RecordedEvent } from '#event-store';
import { Directory, type OrganizationEvent } from '#people';
import { ROLE } from '#users/model';
import { SYSTEM_GROUPS, systemGroupId } from '#groups/model';
import { rounds } from '#testing';
import { mayKnowChannel } from '../model/channels/channel.access.js';
import { newChannel } from '../model/channels/new-channel.js';
import type { RecentlyActive } from '../subscribers/recently-active.js';
import { ChannelClientEvents } from '../channels.client-events.js';

const at = 1_790_000_000;
const done = { by: 1, at };
const ROLES = [ROLE.owner, ROLE.member, ROLE.member, ROLE.member, ROLE.guest, ROLE.moderator];
const PEOPLE = ROLES.length;
const CHANNELS = 4;
/** IDs of the groups that users created. */
const GROUPS = [1, 2, 3, 4].map((index) => SYSTEM_GROUPS.length + index);
const SHOWING = ['can_add_subscribers_group', 'can_administer_channel_group', 'can_subscribe_group'] as const;
const FULL_MEMBERS = systemGroupId('role:fullmembers');

const userIds = fc.uniqueArray(fc.integer({ min: 1, max: PEOPLE }), { minLength: 1, maxLength: 3 });
const groupId = fc.constantFrom(...GROUPS);
const holders = fc.oneof(
  groupId,
  fc.constantFrom(FULL_MEMBERS, systemGroupId('role:moderators'), systemGroupId('role:nobody')),
  fc.record({ directMembers: userIds, directSubgroups: fc.uniqueArray(groupId, { maxLength: 2 }) }),
);

type Change =
  | { readonly kind: 'members'; readonly groupId: number; readonly userIds: readonly number[] }
  | { readonly kind: 'subgroups'; readonly groupId: number; readonly subgroupIds: readonly number[] }
  | { readonly kind: 'waiting'; readonly userIds: readonly number[] }
  | { readonly kind: 'role'; readonly userId: number; readonly role: number }
  | { readonly kind: 'channel'; readonly channelId: number; readonly name: string; readonly to: any }
  | { readonly kind: 'subscribed'; readonly channelId: number; readonly userId: number };

const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ kind: fc.constant('members' as const), groupId, userIds }),
  fc.record({
    kind: fc.constant('subgroups' as const),
    groupId,
    subgroupIds: fc.uniqueArray(fc.oneof(groupId, fc.constant(FULL_MEMBERS)), { minLength: 1, maxLength: 2 }),
  }),
  fc.record({ kind: fc.constant('waiting' as const), userIds }),
  fc.record({
    kind: fc.constant('role' as const),
    userId: fc.integer({ min: 1, max: PEOPLE }),
    role: fc.constantFrom(ROLE.administrator, ROLE.moderator, ROLE.member, ROLE.guest),
  }),
  fc.record({
    kind: fc.constant('channel' as const),
    channelId: fc.integer({ min: 1, max: CHANNELS }),
    name: fc.constantFrom(...SHOWING),
    to: holders,
  }),
  fc.record({
    kind: fc.constant('subscribed' as const),
    channelId: fc.integer({ min: 1, max: CHANNELS }),
    userId: fc.integer({ min: 1, max: PEOPLE }),
  }),
);

class World {
  readonly directory = new Directory();
  readonly #events = new ChannelClientEvents(this.directory, undefined as unknown as RecentlyActive);
  #position = 0;

  constructor() {
    const groups = SYSTEM_GROUPS.map((group) => ({ ...group }));
    this.tell({ type: 'organization.created.v1', data: { uuid: 'u', name: 'Acme', at, groups } });
    for (const [index, role] of ROLES.entries()) {
      const email = `user${index}@acme.test`;
      const data = {
        userId: index + 1,
        email,
        fullName: email,
        role,
        botType: null,
        botOwnerId: null,
        timezone: '',
        at,
      };
      this.tell({ type: 'user.created.v1', data });
    }
    for (const id of GROUPS) {
      const data = { groupId: id, name: `g${id}`, description: '', userIds: [], subgroupIds: [], ...done };
      this.tell({ type: 'group.created.v1', data: { ...data, permissions: {} } });
    }
    for (let channelId = 1; channelId <= CHANNELS; channelId++) {
      this.tell(newChannel({ channelId, name: `c${channelId}`, inviteOnly: true, creatorId: 1, at }));
    }
  }

  /** Applies the event; returns its entries. */
  tell(event: OrganizationEvent) {
    const position = ++this.#position;
    const recorded = { ...event, stream: this.directory.stream, revision: position - 1, position } as unknown;
    this.directory.apply(recorded as RecordedEvent);
    return this.#events.derive(recorded as RecordedEvent, this.directory);
  }

  /** By user: IDs of the channels that the user knows. */
  known(): Map<number, Set<number>> {
    return new Map(
      Array.from(this.directory.users(), (user) => [
        user.userId,
        new Set(
          [...this.directory.channels()]
            .filter((channel) => mayKnowChannel(this.directory, user, channel))
            .map(({ channelId }) => channelId),
        ),
      ]),
    );
  }

  /** The event of the change; undefined when it would change nothing, or is refused. */
  eventOf(one: Change): OrganizationEvent | undefined {
    switch (one.kind) {
      case 'members': {
        const { directMembers } = this.directory.group(one.groupId)!;
        const absent = one.userIds.filter((userId) => !directMembers.has(userId));
        const data = { groupId: one.groupId, ...done };
        return absent.length > 0
          ? { type: 'group.members-added.v1', data: { ...data, userIds: absent } }
          : { type: 'group.members-removed.v1', data: { ...data, userIds: [...one.userIds] } };
      }
      case 'subgroups': {
        const { directSubgroups } = this.directory.group(one.groupId)!;
        const absent = one.subgroupIds.filter(
          (id) => !directSubgroups.includes(id) && !this.directory.groupIdsBelow(id).has(one.groupId),
        );
        const present = one.subgroupIds.filter((id) => directSubgroups.includes(id));
        const data = { groupId: one.groupId, ...done };
        if (absent.length > 0) return { type: 'group.subgroups-added.v1', data: { ...data, subgroupIds: absent } };
        if (present.length === 0) return undefined;
        return { type: 'group.subgroups-removed.v1', data: { ...data, subgroupIds: present } };
      }
      case 'waiting': {
        const isWaiting = (userId: number): boolean => this.directory.user(userId)?.isWaiting === true;
        const over = one.userIds.filter(isWaiting);
        const begun = one.userIds.filter((userId) => !isWaiting(userId));
        return { type: 'user.waiting-changed.v1', data: { over, begun, at } };
      }
      case 'role': {
        const from = this.directory.user(one.userId)!.role;
        if (from === one.role) return undefined;
        return { type: 'user.changed.v1', data: { userId: one.userId, role: { from, to: one.role }, ...done } };
      }
      case 'channel': {
        const from = this.directory.channel(one.channelId)!.permissions[one.name as (typeof SHOWING)[number]];
        const permissions = { [one.name]: { from, to: one.to } };
        return { type: 'channel.changed.v1', data: { channelId: one.channelId, permissions, ...done } } as any;
      }
      case 'subscribed':
        if (this.directory.isSubscribed(one.userId, one.channelId)) return undefined;
        return {
          type: 'channels.subscribed.v1',
          data: { channels: [{ channelId: one.channelId, colors: ['#aaaaaa'] }], userIds: [one.userId], ...done },
        } as any;
    }
  }
}

test('whoever gains or loses sight of a channel is told so, and nobody else', () => {
  let told = 0;
  fc.assert(
    fc.property(fc.array(change, { minLength: 10, maxLength: 40 }), (changes) => {
      const world = new World();
      for (const one of changes) {
        const event = world.eventOf(one);
        if (event === undefined) continue;
        const before = world.known();
        const entries = world.tell(event).filter(({ type }) => type === 'stream');
        const toldOf = Array.from(world.known(), ([userId, known]) => {
          const mine = entries.filter(({ audience }) => audience.to === 'users' && audience.ids.includes(userId));
          const ids = (op: string, field: string): number[] =>
            mine.flatMap(({ body }) => (body.op === op ? body[field] : [])).sort((a: number, b: number) => a - b);
          const knew = before.get(userId)!;
          const isTold = [ids('create', 'channelIds'), ids('delete', 'stream_ids')];
          const expected = [[...known].filter((id) => !knew.has(id)), [...knew].filter((id) => !known.has(id))];
          return { userId, isTold, expected };
        });
        const wrong = toldOf.filter(({ isTold, expected }) => JSON.stringify(isTold) !== JSON.stringify(expected));
        if (wrong.length > 0) expect([event, wrong]).toEqual([event, []]);
        if (/^(group\.|user\.waiting)/.test(event.type)) told += toldOf.flatMap(({ isTold }) => isTold.flat()).length;
      }
    }),
    { numRuns: rounds(60) },
  );
  expect(told).toBeGreaterThan(40);
});

test('clients of very many users fetch their state again instead of comparing each with each channel', () => {
  const world = new World();
  const members = Array.from({ length: 2_000 }, (_, index) => PEOPLE + 1 + index);
  for (const userId of members) {
    const data = { userId, email: `${userId}@acme.test`, fullName: '', role: ROLE.member, timezone: '', at };
    world.tell({ type: 'user.created.v1', data: { ...data, botType: null, botOwnerId: null } });
  }
  const [group = 0] = GROUPS;
  for (let channelId = CHANNELS + 1; channelId <= CHANNELS + 60; channelId++) {
    const permissions = { can_subscribe_group: group };
    world.tell(newChannel({ channelId, name: `c${channelId}`, inviteOnly: true, creatorId: 1, at, permissions }));
  }
  const subgroupIds = [systemGroupId('role:members')];
  const [entry] = world
    .tell({ type: 'group.subgroups-added.v1', data: { groupId: group, subgroupIds, ...done } })
    .filter(({ type }) => type === 'stream');
  expect(entry?.body).toEqual({ op: 'outdated' });
  expect(entry?.audience).toMatchObject({ to: 'users', ids: expect.arrayContaining([members[0], members.at(-1)]) });
});
