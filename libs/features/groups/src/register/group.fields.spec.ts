import { JsonFields, type RegisterContext } from '#feature';
import { Directory, type OrganizationEvent } from '#people';
import type { Group } from '../model/group.js';
import { SYSTEM_GROUPS } from '../model/system-groups.js';
import { ANN, at, BAKERS, BEN, COOKS, created, organization } from '../groups.fixture.js';
import { GroupFields } from './group.fields.js';

/** Tells whose members were listed. */
class Observed extends Directory {
  listed: number[] = [];

  override directMemberIds(group: Group): number[] {
    this.listed.push(group.groupId);
    return super.directMemberIds(group);
  }

  take(...events: readonly OrganizationEvent[]): void {
    for (const event of events) this.evolve(event, ++this.position);
  }

  /** The field, and whose members were listed for it. */
  read(capabilities: readonly string[] = []): { groups: any[]; listed: number[] } {
    this.listed = [];
    const fields = new JsonFields();
    const context = { directory: this, keys: null, settings: { capabilities } } as unknown as RegisterContext;
    new GroupFields().addTo(fields, context);
    return { groups: JSON.parse(`{${fields.pieces().join('')}}`).realm_user_groups, listed: this.listed };
  }
}

let directory: Observed;

beforeEach(() => {
  directory = new Observed();
  directory.take(...organization, created(COOKS, { userIds: [ANN] }), created(BAKERS));
});

test('all groups come by ID, deactivated ones to clients that know them', () => {
  directory.take({ type: 'group.deactivated.v1', data: { groupId: COOKS, by: ANN, at } });
  const system = SYSTEM_GROUPS.map(({ groupId }) => groupId);
  const idsFor = (...capabilities: string[]) => directory.read(capabilities).groups.map(({ id }) => id);
  expect(idsFor('include_deactivated_groups')).toEqual([...system, COOKS, BAKERS]);
  expect(idsFor()).toEqual([...system, BAKERS]);
});

test('after a change only the group that changed is written anew', () => {
  const before = directory.read();
  expect(before.listed).toHaveLength(SYSTEM_GROUPS.length + 2);
  expect(directory.read()).toEqual({ groups: before.groups, listed: [] });
  directory.take({ type: 'group.members-added.v1', data: { groupId: COOKS, userIds: [BEN], by: ANN, at } });
  const { groups, listed } = directory.read();
  expect(listed).toEqual([COOKS]);
  expect(groups.find(({ id }) => id === COOKS).members).toEqual([ANN, BEN]);
});

test('a new account is in the system groups of its role at once', () => {
  directory.read();
  const account = { email: 'new@acme.test', fullName: 'New', role: 400, botType: null, botOwnerId: null };
  directory.take({ type: 'user.created.v1', data: { userId: 9, timezone: '', at, ...account } });
  const { groups } = directory.read();
  const listing = groups.filter(({ members }) => members.includes(9)).map(({ name }) => name);
  expect(listing).toEqual(['role:fullmembers', 'role:members']);
});
