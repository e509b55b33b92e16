import { ROLE, type User } from '#users/model';
import { specFor } from '#testing';
import type { PlaygroundCommand } from './playgrounds.commands.js';
import { playgroundsDecider, PLAYGROUNDS_MAX } from './playgrounds.decider.js';
import type { PlaygroundEvent } from '../model/playgrounds/playground.events.js';

const given = specFor(playgroundsDecider);
const at = 1_790_000_000;
const actor = { userId: 2, role: ROLE.administrator } as User;
const done = { by: actor.userId, at };
const PYTHON = { name: 'Py', pygmentsLanguage: 'Python', urlTemplate: 'https://py.example/{?code}' };

const add = (change: Partial<typeof PYTHON> = {}): PlaygroundCommand => ({
  type: 'add-playground',
  ...PYTHON,
  ...change,
  actor,
  at,
});
const remove: PlaygroundCommand = { type: 'remove-playground', playgroundId: 1, actor, at };
const added = (playgroundId: number, change: Partial<typeof PYTHON> = {}): PlaygroundEvent => ({
  type: 'playground.added.v1',
  data: { playgroundId, ...PYTHON, ...change, ...done },
});
const removed: PlaygroundEvent = { type: 'playground.removed.v1', data: { playgroundId: 1, ...done } };

test('no ID is given twice', () => {
  given(added(1), removed).when(add()).then(added(2));
});

test.each<[Partial<typeof PYTHON>, RegExp]>([
  [{ name: ' ' }, /name cannot be empty/],
  [{ name: 'a\0b' }, /Invalid character in name/],
  [{ pygmentsLanguage: '' }, /pygments_language cannot be empty/],
  [{ pygmentsLanguage: '<b>' }, /Invalid characters/],
  [{ urlTemplate: 'https://py.example/' }, /Missing the required variable "code"/],
  [{ urlTemplate: 'https://py.example/{code}{x}' }, /only variable/],
  [{ urlTemplate: 'https://py.example/{code' }, /Invalid URL template/],
  [{ urlTemplate: 'javascript:{code}' }, /Invalid URL template/],
  [{ urlTemplate: `https://py.example/{code}${'a'.repeat(1000)}` }, /longer than/],
])('%j is refused', (change, text) => {
  expect(given().when(add(change)).thenRefused('BAD_REQUEST').message).toMatch(text);
});

test('there is one of each name and language, and so many', () => {
  given(added(1)).when(add()).thenRefused('BAD_REQUEST');
  given(added(1))
    .when(add({ name: 'Other' }))
    .then(added(2, { name: 'Other' }));
  const all = Array.from({ length: PLAYGROUNDS_MAX }, (_, index) => added(index + 1, { name: `p${index}` }));
  given(...all)
    .when(add())
    .thenRefused('BAD_REQUEST');
});

test('one that is not there is not removed', () => {
  given(added(1)).when(remove).then(removed);
  given(added(1), removed).when(remove).thenRefused('BAD_REQUEST');
});

test.each([ROLE.moderator, ROLE.member, ROLE.guest])('role %i changes none', (role) => {
  given()
    .when({ ...add(), actor: { userId: 9, role } as User })
    .thenRefused('UNAUTHORIZED_PRINCIPAL');
});
