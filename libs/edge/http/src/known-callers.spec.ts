import { Socket } from 'node:net';
import { knownCaller, rememberCaller } from './known-callers.js';

const ann = { userId: 4 };

test('a connection knows the caller whom the same header proved', () => {
  const connection = new Socket();
  expect(knownCaller(connection, 'Basic abc')).toBeUndefined();
  rememberCaller(connection, 'Basic abc', ann);
  expect(knownCaller(connection, 'Basic abc')).toBe(ann);
  expect(knownCaller(new Socket(), 'Basic abc')).toBeUndefined();
});

test.each(['Basic abd', 'Basic abcd', '', undefined])('%p is another header', (header) => {
  const connection = new Socket();
  rememberCaller(connection, 'Basic abc', ann);
  expect(knownCaller(connection, header)).toBeUndefined();
});
