import { Directory, type OrganizationEvent } from '#people';
import { ROLE, type User } from '#users/model';
import { SYSTEM_GROUPS } from '#groups/model';
import { sampleOrganization } from '#testing';
import { newChannel } from '../model/channels/new-channel.js';
import type { DefaultGroupRequest } from './default-groups.commands.js';
import { decideDefaultGroups, DEFAULT_GROUPS_MAX } from './default-groups.decider.js';
import { defaultGroupsPart } from '../model/default-groups/default-groups.part.js';
import type { DefaultGroupEvent } from '../model/default-groups/default-group.events.js';

type Recorded = OrganizationEvent | DefaultGroupEvent;

const at = 1_790_000_000;
const [OLIVE, ANN] = [1, 2];

const person = (userId: number, fullName: string, role: number): Recorded => ({
  type: 'user.created.v1',
  data: { userId, email: `${fullName}@acme.test`, fullName, role, botType: null, botOwnerId: null, timezone: '', at },
});
const past: Recorded[] = [
  sampleOrganization(SYSTEM_GROUPS, at),
  person(OLIVE, 'olive', ROLE.administrator),
  person(ANN, 'ann', ROLE.moderator),
  newChannel({ channelId: 1, name: 'garden', at }),
  newChannel({ channelId: 2, name: 'kitchen', at }),
  newChannel({ channelId: 3, name: 'general', isDefault: true, at }),
  newChannel({ channelId: 4, name: 'vault', inviteOnly: true, at }),
];
const created = (defaultGroupId: number, name: string, ...channelIds: number[]): Recorded => ({
  type: 'default-channel-group.created.v1',
  data: { defaultGroupId, name, description: '', channelIds, by: OLIVE, at },
});

function given(...events: readonly Recorded[]): Directory {
  const directory = new Directory([defaultGroupsPart]);
  [...past, ...events].forEach((event, index) => {
    directory.evolve(event, index + 1);
  });
  return directory;
}

function decide(directory: Directory, asked: DefaultGroupRequest, as = OLIVE) {
  return decideDefaultGroups(directory, { ...asked, actor: directory.user(as) as User, at });
}

const create = (name: string, ...channelNames: string[]): DefaultGroupRequest => {
  return { type: 'create-default-group', name, description: 'd', channelNames };
};
const change = (type: 'add-to-default-group' | 'remove-from-default-group', ...channelNames: string[]) => {
  return { type, defaultGroupId: 1, channelNames } as const;
};

test('IDs are not used again', () => {
  const directory = given(
    created(1, 'One'),
    ...decide(given(created(1, 'One')), { type: 'remove-default-group', defaultGroupId: 1 }),
  );
  expect(directory.of(defaultGroupsPart).all).toEqual([]);
  expect(decide(directory, create('Two'))[0]?.data).toMatchObject({ defaultGroupId: 2 });
});

test('channels are named in any case, once each, and kept by ID', () => {
  const [event] = decide(given(), create(' House ', 'KITCHEN', 'garden', 'kitchen'));
  expect(event?.data).toMatchObject({ name: 'House', channelIds: [1, 2], by: OLIVE, at });
});

test('channels are added and removed', () => {
  const directory = given(created(1, 'One', 2));
  expect(decide(directory, change('add-to-default-group', 'garden'))[0]?.data).toMatchObject({ channelIds: [1, 2] });
  expect(decide(directory, change('remove-from-default-group', 'kitchen'))[0]?.data).toMatchObject({ channelIds: [] });
  expect(decide(directory, change('add-to-default-group'))).toEqual([]);
});

test('what stays as it is, is not recorded', () => {
  const asked = { type: 'describe-default-group', defaultGroupId: 1, name: 'One', description: '' } as const;
  expect(decide(given(created(1, 'One')), asked)).toEqual([]);
});

test.each<[string, DefaultGroupRequest]>([
  ['two of one name', create('ONE')],
  ['one without a name', create('  ')],
  ['one with a default channel', create('Two', 'general')],
  ['one with a private channel', create('Two', 'vault')],
  ['one with an unknown channel', create('Two', 'nowhere')],
  ['a channel twice in one', change('add-to-default-group', 'kitchen')],
  ['a channel that leaves before it came', change('remove-from-default-group', 'garden')],
  [
    'a change of nothing',
    { type: 'describe-default-group', defaultGroupId: 1, name: undefined, description: undefined },
  ],
  ['a change of none', { type: 'remove-default-group', defaultGroupId: 9 }],
])('%s cannot be', (_, asked) => {
  expect(() => decide(given(created(1, 'One', 2)), asked)).toThrow(expect.objectContaining({ code: 'BAD_REQUEST' }));
});

test('there is a limit', () => {
  const many = Array.from({ length: DEFAULT_GROUPS_MAX }, (_, index) => created(index + 1, `Group ${index}`));
  expect(() => decide(given(...many), create('More'))).toThrow(expect.objectContaining({ code: 'BAD_REQUEST' }));
});

test('moderators change nothing', () => {
  expect(() => decide(given(), create('Two'), ANN)).toThrow(
    expect.objectContaining({ code: 'UNAUTHORIZED_PRINCIPAL' }),
  );
});
