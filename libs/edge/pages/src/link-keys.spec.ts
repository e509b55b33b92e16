import { LinkKeys } from './link-keys.js';

const keys = new LinkKeys('x'.repeat(32));

test('a key says what was put into it', () => {
  for (const text of ['', '12', '7:1790000000:ünï@example.test'])
    expect(keys.read('i', keys.keyOf('i', text))).toBe(text);
  expect(keys.keyOf('i', 12)).toBe(keys.keyOf('i', '12'));
});

test('a key of another purpose, text, spelling or server says nothing', () => {
  const key = keys.keyOf('i', 12);
  expect(keys.read('m', key)).toBeUndefined();
  expect(new LinkKeys('y'.repeat(32)).read('i', key)).toBeUndefined();
  for (let at = 0; at < key.length; at++) {
    const other = key[at] === 'A' ? 'B' : 'A';
    expect(keys.read('i', key.slice(0, at) + other + key.slice(at + 1))).toBeUndefined();
  }
  for (const text of ['', 'i', `${key}=`, ` ${key}`, `${key}A`, key.slice(1), 'A'.repeat(10_000), '%00', '💥'])
    expect(keys.read('i', text)).toBeUndefined();
});
