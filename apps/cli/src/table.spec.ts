import { durationOf, tableOf, timeOf } from './table.js';

test('columns are as wide as their widest cell', () => {
  const rows = [
    { id: 7, name: 'Ann Archer', isBot: false, owner: null },
    { id: 1234, name: 'Bo', isBot: true, owner: 7 },
  ];
  const columns = {
    ID: ({ id }: (typeof rows)[0]) => id,
    NAME: ({ name }: (typeof rows)[0]) => name,
    BOT: ({ isBot }: (typeof rows)[0]) => isBot,
    OWNER: ({ owner }: (typeof rows)[0]) => owner,
  };
  expect(tableOf(rows, columns)).toEqual([
    'ID    NAME        BOT  OWNER',
    '7     Ann Archer  no   -',
    '1234  Bo          yes  7',
  ]);
});

test('a name moves no cursor', () => {
  expect(tableOf([{ name: 'a\u001b[2Jb\n\u009bc' }], { NAME: ({ name }) => name })).toEqual(['NAME', 'a [2Jb  c']);
});

test('times and durations are short', () => {
  expect([timeOf(0), timeOf(1_800_000_000), timeOf(null)]).toEqual([
    '1970-01-01T00:00:00Z',
    '2027-01-15T08:00:00Z',
    '-',
  ]);
  expect([0, 59, 60, 3_661, 90_000, 864_000, -5, null].map(durationOf)).toEqual([
    '0s',
    '59s',
    '1m',
    '1h 1m',
    '1d 1h',
    '10d',
    '-5s',
    '-',
  ]);
});
