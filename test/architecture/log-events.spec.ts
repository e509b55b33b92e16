import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ACT_TYPES, NO_ACT_TYPES } from '#audit';
import { scrollback } from '#runtime';

const ROOT = resolve(__dirname, '../..');
const rows = readFileSync(join(ROOT, 'docs/interface/log.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
const rowsByType = new Map(rows.map(([type = '', ...cells]) => [type.slice(1, -1), cells]));

test('the page of the log has each type of event once', () => {
  expect(rows.map(([type = '']) => type.slice(1, -1))).toEqual(scrollback.registry.names.toSorted());
});

test('and says of each who acts, its cause, and the earlier value', () => {
  for (const [type, cells] of rowsByType) {
    expect([type, cells.length]).toEqual([type, 3]);
    expect([type, cells.filter((cell) => cell === '' || /^[-–—?]+$/.test(cell))]).toEqual([type, []]);
  }
});

test('types whose earlier value the directory knows have it in `was`', () => {
  const known = scrollback.newDirectory().parts.flatMap(({ earlier }) => Object.keys(earlier));
  expect(known.length).toBeGreaterThan(15);
  expect(known.filter((type) => rowsByType.get(type)?.[2]?.includes('`was`') !== true)).toEqual([]);
});

test('the index of acts has each type that is no send and not of the server alone', () => {
  expect([...ACT_TYPES, ...NO_ACT_TYPES].toSorted()).toEqual(scrollback.registry.names.toSorted());
  const ofServer = NO_ACT_TYPES.filter((type) => !/send|message\.sent/.test(type));
  expect(ofServer.filter((type) => rowsByType.get(type)?.[0]?.startsWith('the server') !== true)).toEqual([]);
});
