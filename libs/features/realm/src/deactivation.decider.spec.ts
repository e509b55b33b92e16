import { Directory, type OrganizationEvent } from '#people';
import { ROLE } from '#users/model';
import { sampleUser, specFor } from '#testing';
import type { RealmEvent } from './model/realm.events.js';
import { decideDeactivation, type DeactivateOrganization } from './deactivation.decider.js';

const at = 1_790_000_000;
const [OLGA, ADA, BOB] = [1, 2, 3] as const;

const account = (userId: number, role: number): OrganizationEvent => {
  const { email, fullName, timezone, botType, botOwnerId } = sampleUser(userId);
  return { type: 'user.created.v1', data: { userId, email, fullName, role, timezone, botType, botOwnerId, at } };
};
const organization: readonly OrganizationEvent[] = [
  { type: 'organization.created.v1', data: { uuid: 'u', name: 'Acme', at, groups: [] } },
  account(OLGA, ROLE.owner),
  account(ADA, ROLE.administrator),
  account(BOB, ROLE.owner),
];

function evolve(directory: Directory, event: OrganizationEvent): Directory {
  directory.evolve(event, ++directory.position);
  return directory;
}
const given = specFor({
  initial: () => organization.reduce(evolve, new Directory()),
  decide: decideDeactivation,
  evolve: (directory: Directory, event: OrganizationEvent) => evolve(directory, event),
});

const deactivate = (actorId: number, deletionDelayDays: number | null = null): DeactivateOrganization => ({
  type: 'deactivate-organization',
  actorId,
  deletionDelayDays,
  at,
});
const deactivated = (more: object = {}): RealmEvent => ({
  type: 'organization.deactivated.v1',
  data: { by: OLGA, at, ...more },
});
const reactivated: RealmEvent = { type: 'organization.reactivated.v1', data: { at } };

test('an owner ends the organization', () => {
  given().when(deactivate(OLGA)).then(deactivated());
});

test('an owner says when the data is to be deleted', () => {
  given()
    .when(deactivate(OLGA, 14))
    .then(deactivated({ deletionDelayDays: 14 }));
  given().when(deactivate(OLGA, 13)).thenRefused('BAD_REQUEST');
});

test('an administrator is no owner, nor is an owner who was deactivated meanwhile', () => {
  given().when(deactivate(ADA)).thenRefused('UNAUTHORIZED_PRINCIPAL');
  given({ type: 'user.deactivated.v1', data: { userId: BOB, by: OLGA, at } })
    .when(deactivate(BOB))
    .thenRefused('USER_DEACTIVATED');
});

test('it ends once, until the operator reactivates it', () => {
  given(deactivated()).when(deactivate(BOB)).thenRefused('REALM_DEACTIVATED');
  given(deactivated(), reactivated).when(deactivate(OLGA)).then(deactivated());
});

test('the directory keeps what the operator needs, in its snapshot, too', () => {
  const directory = [...organization, deactivated({ deletionDelayDays: 20 })].reduce(evolve, new Directory());
  const restored = new Directory();
  restored.restore(JSON.parse(JSON.stringify(directory.snapshot())));
  for (const one of [directory, restored]) {
    expect(one.organization.deactivated).toEqual({ at, deleteFrom: at + 20 * 86_400 });
    expect([one.isDeactivated, one.queuesEndedAt]).toEqual([true, 5]);
    evolve(one, reactivated);
    expect([one.isDeactivated, one.queuesEndedAt]).toEqual([false, 5]);
  }
});
