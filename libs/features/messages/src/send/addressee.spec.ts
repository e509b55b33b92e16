import { addresseeOf } from './addressee.js';

test.each([
  ['Denmark', 'Denmark'],
  [3, 3],
  [[3], 3],
  [['Denmark'], 'Denmark'],
])('a channel as %j', (to, channel) => {
  expect(addresseeOf('stream', to)).toEqual({ kind: 'channel', channel });
});

test.each([
  [
    [9, 10],
    [9, 10],
  ],
  [9, [9]],
  ['ann@acme.test', ['ann@acme.test']],
  ['ann@acme.test, bob@acme.test', ['ann@acme.test', 'bob@acme.test']],
  ['9,10', [9, 10]],
  [['ann@acme.test'], ['ann@acme.test']],
])('users as %j', (to, users) => {
  expect(addresseeOf('direct', to)).toEqual({ kind: 'users', users });
});

test.each([
  ['two channels', 'channel', ['a', 'b']],
  ['no channel', 'channel', []],
  ['nobody', 'direct', []],
  ['nobody, as text', 'private', ' , '],
  ['IDs and addresses together', 'direct', [9, 'ann@acme.test']],
  ['too many', 'direct', Array.from({ length: 201 }, (_, index) => index + 1)],
] as const)('%s: refused', (_, type, to) => {
  expect(() => addresseeOf(type, to)).toThrow(expect.objectContaining({ code: 'BAD_REQUEST' }));
});
