import { Directory, type OrganizationEvent } from '#people';
import { ROLE, type User } from '#users/model';
import { SYSTEM_GROUPS } from '#groups/model';
import { sampleOrganization } from '#testing';
import { newChannel } from '../model/channels/new-channel.js';
import type { FolderRequest } from './folders.commands.js';
import { decideFolders, FOLDERS_MAX } from './folders.decider.js';
import { foldersPart } from '../model/folders/folders.part.js';
import type { FolderEvent } from '../model/folders/folder.events.js';

type Recorded = OrganizationEvent | FolderEvent;

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
];
const created = (folderId: number, name: string): Recorded => ({
  type: 'channel-folder.created.v1',
  data: { folderId, name, description: '', renderedDescription: '', by: OLIVE, at },
});
const archived = (folderId: number): Recorded => ({
  type: 'channel-folder.changed.v1',
  data: { folderId, isArchived: true, by: OLIVE, at },
});
const filed = (folderId: number): Recorded => newChannel({ channelId: 1, name: 'lunch', folderId, at });
const plain = { text: '', rendered: '' };

function given(...events: readonly Recorded[]): Directory {
  const directory = new Directory([foldersPart]);
  [...past, ...events].forEach((event, index) => {
    directory.evolve(event, index + 1);
  });
  return directory;
}

function decide(directory: Directory, asked: FolderRequest, as = OLIVE) {
  return decideFolders(directory, { ...asked, actor: directory.user(as) as User, at });
}

const namesIn = (directory: Directory): string[] => directory.of(foldersPart).inOrder.map(({ name }) => name);

test('folders get the next ID, and the last place', () => {
  const events = decide(given(created(1, 'One')), { type: 'create-folder', name: ' Two ', description: plain });
  expect(events[0]?.data).toMatchObject({ folderId: 2, name: 'Two', by: OLIVE, at });
  expect(namesIn(given(created(1, 'One'), ...events))).toEqual(['One', 'Two']);
});

test('only what changes is recorded', () => {
  const directory = given(created(1, 'One'));
  const change = (asked: object) => decide(directory, { type: 'change-folder', folderId: 1, ...asked });
  expect(change({ name: 'One', description: plain, isArchived: false })).toEqual([]);
  const [event] = change({ name: 'ONE', description: { text: 'd', rendered: '<p>d</p>' } });
  expect(event?.data).toEqual({
    folderId: 1,
    name: 'ONE',
    description: { text: 'd', rendered: '<p>d</p>' },
    by: OLIVE,
    at,
  });
});

test('the order is that of the whole list', () => {
  const directory = given(created(1, 'One'), created(2, 'Two'), archived(1));
  expect(decide(directory, { type: 'reorder-folders', folderIds: [1, 2] })).toEqual([]);
  const events = decide(directory, { type: 'reorder-folders', folderIds: [2, 1] });
  expect(namesIn(given(created(1, 'One'), created(2, 'Two'), ...events))).toEqual(['Two', 'One']);
});

test.each<[string, readonly Recorded[], FolderRequest]>([
  ['two of one name', [created(1, 'One')], { type: 'create-folder', name: 'ONE', description: plain }],
  ['a name without letters', [], { type: 'create-folder', name: ' ', description: plain }],
  ['a change of an unknown folder', [], { type: 'change-folder', folderId: 1 }],
  [
    'an archived folder with a channel',
    [created(1, 'One'), filed(1)],
    { type: 'change-folder', folderId: 1, isArchived: true },
  ],
  [
    'an active folder of a name in use',
    [created(1, 'One'), archived(1), created(2, 'One')],
    { type: 'change-folder', folderId: 1, isArchived: false },
  ],
  ['a part of the order', [created(1, 'One'), created(2, 'Two')], { type: 'reorder-folders', folderIds: [1] }],
  ['an order with repeats', [created(1, 'One'), created(2, 'Two')], { type: 'reorder-folders', folderIds: [1, 1] }],
  ['an order with others', [created(1, 'One'), created(2, 'Two')], { type: 'reorder-folders', folderIds: [1, 3] }],
  [
    'more folders than clients can be told of',
    Array.from({ length: FOLDERS_MAX }, (_, index) => created(index + 1, `Folder ${index}`)),
    { type: 'create-folder', name: 'More', description: plain },
  ],
])('%s cannot be', (_, events, asked) => {
  expect(() => decide(given(...events), asked)).toThrow(expect.objectContaining({ code: 'BAD_REQUEST' }));
});

test('moderators change nothing', () => {
  const asked = { type: 'change-folder', folderId: 99, name: 'x' } as const;
  expect(() => decide(given(), asked, ANN)).toThrow(expect.objectContaining({ code: 'UNAUTHORIZED_PRINCIPAL' }));
});
