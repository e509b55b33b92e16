import fc from 'fast-check';
import { rounds, sampleUser, sized } from '#testing';
import { ROLE, SPECTATOR, type User } from '#users/model';
import { SYSTEM_GROUPS, systemGroupId } from '#groups/model';
import { NEW_REALM } from '#realm/model';
import type { Subscription } from '#channels/model';
import { Directory } from '../directory/directory.js';
import { knowing, mayKnowUser } from './user.access.js';

const USERS = 12;
const CHANNELS = 4;
const GUEST = 1;

const idOf = ({ userId }: User): number => userId;
const id = (max: number) => fc.integer({ min: 1, max });
const organization = fc.record({
  seats: fc.uniqueArray(
    fc.record({
      userId: id(USERS),
      channelId: id(CHANNELS),
      state: fc.constantFrom<Partial<Subscription>>(
        { active: true },
        { active: false },
        { active: false, paused: true },
      ),
    }),
    { selector: ({ userId, channelId }) => `${userId}-${channelId}`, maxLength: 20 },
  ),
  conversations: fc.array(fc.uniqueArray(id(USERS), { minLength: 2, maxLength: 3 }), { maxLength: 3 }),
  isLimited: fc.boolean(),
});

function directoryOf({
  seats,
  conversations,
  isLimited,
}: typeof organization extends fc.Arbitrary<infer T> ? T : never) {
  const directory = new Directory();
  directory.restore({
    ...directory.snapshot(),
    realm: {
      ...NEW_REALM,
      permissions: {
        ...NEW_REALM.permissions,
        can_access_all_users_group: systemGroupId(isLimited ? 'role:members' : 'role:everyone'),
      },
    },
    users: Array.from({ length: USERS }, (_, index) =>
      sampleUser(index + 1, {
        role: index + 1 === GUEST ? ROLE.guest : ROLE.member,
        isActive: index % 5 !== 4,
        ...(index === 7 ? { botType: 1, botOwnerId: 2 } : {}),
      }),
    ),
    groups: SYSTEM_GROUPS.map((group) => ({ ...group, isSystemGroup: true, directMembers: [] })),
    subscriptions: seats.map(({ userId, channelId, state }) => ({ userId, channelId, spans: [], ...state }) as never),
    directs: conversations.map((participants, index) => [participants.sort((a, b) => a - b), index + 1]),
  });
  return directory;
}

test('knowing many users at once is knowing each', () => {
  let limited = 0;
  fc.assert(
    fc.property(organization, (one) => {
      const directory = directoryOf(one);
      for (const viewer of [...directory.users(), SPECTATOR]) {
        const users = [...directory.users()];
        const known = users.filter(knowing(directory, viewer)).map(idOf);
        expect([viewer.userId, known]).toEqual([
          viewer.userId,
          users.filter((user) => mayKnowUser(directory, viewer, user)).map(idOf),
        ]);
        limited += users.length - known.length;
      }
    }),
    { numRuns: rounds(sized({ nightly: 100, usual: 30 })) },
  );
  expect(limited).toBeGreaterThan(100);
});

test('whom a limited guest has met is not looked up for each user', () => {
  const seats = Array.from({ length: USERS }, (_, index) => ({
    userId: index + 1,
    channelId: 1,
    state: { active: true },
  }));
  const directory = directoryOf({ seats, conversations: [[1, 2]], isLimited: true });
  const lookUps = [jest.spyOn(directory, 'subscriptionsOf'), jest.spyOn(directory, 'metIds')];
  const guest = directory.user(GUEST)!;
  expect([...directory.users()].filter(knowing(directory, guest))).toHaveLength(USERS);
  for (const lookUp of lookUps) expect(lookUp).toHaveBeenCalledTimes(1);
});
