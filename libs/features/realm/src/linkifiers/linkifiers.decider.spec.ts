import { Directory } from '#people';
import { ROLE, type User } from '#users/model';
import { specFor } from '#testing';
import type { LinkifierCommand, LinkifierRequest } from './linkifiers.commands.js';
import { LINKIFIERS_MAX, linkifiersDecider } from './linkifiers.decider.js';
import type { LinkifierEvent } from '../model/linkifiers/linkifier.events.js';
import { linkifiersPart } from '../model/linkifiers/linkifiers.part.js';

const given = specFor(linkifiersDecider);
const at = 1_790_000_000;
const admin = { userId: 2, role: ROLE.administrator } as User;
const done = { by: admin.userId, at };

const BUG = { pattern: '#(?P<id>[0-9]+)', urlTemplate: 'https://bugs.example.com/{id}' };
const CODE = { pattern: '(?P<repo>[a-z]+)#(?P<id>[0-9]+)', urlTemplate: 'https://code.example.com/{repo}/{id}' };
const PLAIN = { pattern: 'wiki', urlTemplate: 'https://wiki.example.com/' };

const asked = (request: LinkifierRequest): LinkifierCommand => ({ ...request, actor: admin, at });
const add = (definition = BUG): LinkifierCommand => asked({ type: 'add-linkifier', ...definition });
const change = (linkifierId: number, definition = BUG): LinkifierCommand =>
  asked({ type: 'change-linkifier', linkifierId, ...definition });
const remove = (linkifierId: number): LinkifierCommand => asked({ type: 'remove-linkifier', linkifierId });
const reorder = (...linkifierIds: number[]): LinkifierCommand => asked({ type: 'reorder-linkifiers', linkifierIds });

const added = (linkifierId: number, definition = BUG): LinkifierEvent => ({
  type: 'linkifier.added.v1',
  data: { linkifierId, ...definition, ...done },
});
const changed = (linkifierId: number, definition: typeof BUG): LinkifierEvent => ({
  type: 'linkifier.changed.v1',
  data: { linkifierId, ...definition, ...done },
});
const removed = (linkifierId: number): LinkifierEvent => ({
  type: 'linkifier.removed.v1',
  data: { linkifierId, ...done },
});
const reordered = (...linkifierIds: number[]): LinkifierEvent => ({
  type: 'linkifiers.reordered.v1',
  data: { linkifierIds, ...done },
});

const commands: [string, LinkifierCommand][] = [
  ['adding', add(CODE)],
  ['changing', change(1, PLAIN)],
  ['removing', remove(1)],
  ['reordering', reorder(2, 1)],
];
const past = [added(1), added(2, PLAIN)];

describe.each(commands)('%s', (_, command) => {
  test.each([ROLE.moderator, ROLE.member, ROLE.guest])('is not for role %i', (role) => {
    const actor = { userId: 9, role } as User;
    given(...past)
      .when({ ...command, actor })
      .thenRefused('UNAUTHORIZED_PRINCIPAL');
  });
});

describe('adding', () => {
  test('gives dense ids', () => given(added(1)).when(add(CODE)).then(added(2, CODE)));
  test('the first', () => given().when(add()).then(added(1)));
  test('gives no id twice', () => given(added(1), added(2, PLAIN), removed(2)).when(add(CODE)).then(added(3, CODE)));
  test('a pattern that is there is refused', () =>
    void given(added(1))
      .when(add({ ...BUG, urlTemplate: 'https://other.example.com/{id}' }))
      .thenRefused('BAD_REQUEST'));
  test('a pattern that was there is fine', () => given(added(1), removed(1)).when(add()).then(added(2)));
  test('has a limit', () => {
    const all = Array.from({ length: LINKIFIERS_MAX }, (_, n) => added(n + 1, { ...PLAIN, pattern: `wiki${n}` }));
    given(...all.slice(1))
      .when(add())
      .then(added(LINKIFIERS_MAX + 1));
    given(...all)
      .when(add())
      .thenRefused('BAD_REQUEST');
  });
});

const REFUSED: [string, typeof BUG, RegExp][] = [
  ['a bad pattern', { ...PLAIN, pattern: '(' }, /^Bad regular expression/],
  ['what no linear machine can match', { ...PLAIN, pattern: '(?=a)b' }, /^Bad regular expression/],
  ['a pattern without end', { ...PLAIN, pattern: 'a'.repeat(501) }, /longer than 500/],
  ['many groups', { ...PLAIN, pattern: Array.from({ length: 21 }, (_, n) => `(?P<g${n}>a)`).join('') }, /More than 20/],
  ['a group that leads nowhere', { ...CODE, urlTemplate: 'https://code.example.com/{id}' }, /'repo' in linkifier/],
  ['a variable from nowhere', { ...BUG, urlTemplate: 'https://bugs.example.com/{id}/{x}' }, /'x' in URL template/],
  ['half an expression', { ...PLAIN, urlTemplate: 'https://wiki.example.com/{' }, /^Invalid URL template/],
  ['blanks in an address', { ...PLAIN, urlTemplate: 'https://wiki.example.com/ x' }, /^Invalid URL template/],
  ['control characters', { ...PLAIN, urlTemplate: 'https://wiki.example.com/\0' }, /^Invalid URL template/],
  ['quotes', { ...PLAIN, urlTemplate: 'https://wiki.example.com/"' }, /^Invalid URL template/],
  ['half a percent-encoding', { ...PLAIN, urlTemplate: 'https://wiki.example.com/%2' }, /^Invalid URL template/],
  ['a script', { ...PLAIN, urlTemplate: 'javascript:alert(1)' }, /^Invalid URL template/],
  ['an address without end', { ...PLAIN, urlTemplate: `https://e.example/${'a'.repeat(1000)}` }, /longer than 1000/],
];

test.each(REFUSED)('%s is refused, new or changed', (_, definition, text) => {
  for (const command of [add(definition), change(1, definition)]) {
    const refusal = given(added(1, { ...PLAIN, pattern: 'other' }))
      .when(command)
      .thenRefused('BAD_REQUEST');
    expect(refusal.message).toMatch(text);
  }
});

describe('changing', () => {
  test('both parts', () => given(added(1)).when(change(1, CODE)).then(changed(1, CODE)));
  test('only where it leads', () => {
    const elsewhere = { ...BUG, urlTemplate: '/bugs/{id}' };
    given(added(1)).when(change(1, elsewhere)).then(changed(1, elsewhere));
  });
  test('into what it is', () => given(added(1)).when(change(1)).thenNothing());
  test('what is not there', () => void given(added(1), removed(1)).when(change(1, CODE)).thenRefused('BAD_REQUEST'));
  test("into another one's pattern", () =>
    void given(...past)
      .when(change(2))
      .thenRefused('BAD_REQUEST'));
});

describe('removing', () => {
  test('takes it away', () =>
    given(...past)
      .when(remove(1))
      .then(removed(1)));
  test('twice is refused', () =>
    void given(...past, removed(1))
      .when(remove(1))
      .thenRefused('BAD_REQUEST'));
});

describe('reordering', () => {
  test('puts them in this order', () =>
    given(...past)
      .when(reorder(2, 1))
      .then(reordered(2, 1)));
  test('as they are', () =>
    given(...past)
      .when(reorder(1, 2))
      .thenNothing());
  test('as they were put before', () =>
    given(...past, reordered(2, 1))
      .when(reorder(2, 1))
      .thenNothing());
  test('nothing', () => given().when(reorder()).thenNothing());
  test.each([[[1]], [[]], [[1, 1]], [[1, 2, 2]], [[1, 2, 3]], [[1, 3]]])(
    '%j names not each of two',
    (ids) =>
      void given(...past)
        .when(reorder(...ids))
        .thenRefused('BAD_REQUEST'),
  );
});

test('the directory holds them in order, and so does a copy of it', () => {
  const directory = new Directory([linkifiersPart]);
  const facts = [...past, added(3, CODE), reordered(3, 1, 2), removed(1), changed(2, { ...PLAIN, pattern: 'WIKI' })];
  for (const [index, fact] of facts.entries()) directory.evolve(fact, index + 1);
  const expected = {
    inOrder: [
      { linkifierId: 3, ...CODE },
      { linkifierId: 2, ...PLAIN, pattern: 'WIKI' },
    ],
    lastId: 3,
  };
  expect(directory.of(linkifiersPart)).toEqual(expected);
  const copy = new Directory([linkifiersPart]);
  copy.restore(JSON.parse(JSON.stringify(directory.snapshot())));
  expect(copy.of(linkifiersPart)).toEqual(expected);
  // A snapshot from before linkifiers existed has none.
  const { linkifiers: _, ...older } = directory.snapshot();
  const old = new Directory([linkifiersPart]);
  old.restore(older);
  expect(old.of(linkifiersPart)).toEqual({ inOrder: [], lastId: 0 });
});
