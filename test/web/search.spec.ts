/** The language of the search of the chat page. */
import { completionsOf } from '../../web/chat/search/completions.js';
import { type Known, queryOf, termsOfQuery } from '../../web/chat/search/query.js';

const person = (user_id: number, full_name: string) =>
  [user_id, { user_id, full_name, email: `${user_id}@example.test` }] as const;
const known = {
  meId: 7,
  allChannels: [
    { stream_id: 1, name: 'general', description: 'of all' },
    { stream_id: 2, name: 'on call', description: '' },
  ],
  people: new Map([person(7, 'Ann Archer'), person(8, 'Bo'), person(9, 'Bo')]),
} as unknown as Known;

test.each([
  ['words alone', [{ operator: 'search', operand: 'words alone' }]],
  [
    'channel:general topic:"a b" x',
    [
      { operator: 'channel', operand: 1 },
      { operator: 'topic', operand: 'a b' },
      { operator: 'search', operand: 'x' },
    ],
  ],
  [
    'channel:"on call" -is:unread',
    [
      { operator: 'channel', operand: 2 },
      { operator: 'is', operand: 'unread', negated: true },
    ],
  ],
  ['sender:"Ann Archer"', [{ operator: 'sender', operand: 7 }]],
  ['near:12', [{ operator: 'near', operand: 12 }]],
  ['channel:unknown', [{ operator: 'channel', operand: 'unknown' }]],
  ['https://example.test a:b', [{ operator: 'search', operand: 'https://example.test a:b' }]],
])('%s', (query, terms) => {
  expect(termsOfQuery(query, known)).toEqual(terms);
  expect(queryOf(terms, known)).toBe(query);
});

test('other names of operators, the reader, and several people', () => {
  expect(termsOfQuery('stream:GENERAL from:me dm:"Ann Archer,Bo|9"', known)).toEqual([
    { operator: 'channel', operand: 1 },
    { operator: 'sender', operand: 7 },
    { operator: 'dm', operand: [7, 9] },
  ]);
});

test('people of the same name are told apart, and what is done is not completed', () => {
  const of = (query: string) => completionsOf(query, known, ['a b'], 8).map((one) => one.query);
  expect(of('x -sender:b')).toEqual(['x -sender:Bo|8 ', 'x -sender:Bo|9 ']);
  expect(of('topic:"a')).toEqual(['topic:"a b" ']);
  expect(of('is:starred ')).toEqual([]);
  expect(of('')).toEqual([]);
});
