import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WorkFolder } from './work-folder.js';

let folder: string;
const never = new AbortController().signal;

beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'parts-')), 'work');
});
afterEach(() => rmSync(join(folder, '..'), { recursive: true }));

async function* lines(...values: readonly number[]): AsyncGenerator<object> {
  await Promise.resolve();
  for (const value of values) yield { value };
}

const open = (name = 'a') => WorkFolder.open(folder, { name }, { at: Math.random() });
const write = (work: WorkFolder, name: string, ...values: number[]) =>
  work.write(name, () => ({ lines: lines(...values), next: () => 'there' }), never);

test('a part is written once, and found by the next attempt with what was chosen', async () => {
  const first = await open();
  const part = await write(first, 'deep/a.jsonl', 1, 2);
  expect(part).toMatchObject({ bytes: 24, documents: 2, next: 'there' });
  await first.close();
  const second = await open();
  expect(second.header).toEqual(first.header);
  expect(second.parts).toEqual([part]);
  expect(await write(second, 'deep/a.jsonl', 9)).toEqual(part);
  expect(readFileSync(join(folder, 'deep/a.jsonl'), 'utf8')).toBe('{"value":1}\n{"value":2}\n');
  await second.remove();
  expect(existsSync(folder)).toBe(false);
});

test('parts of another archive are not used', async () => {
  const first = await open('a');
  await write(first, 'a.jsonl', 1);
  await first.close();
  const other = await open('b');
  expect(other.parts).toEqual([]);
  expect(existsSync(join(folder, 'a.jsonl'))).toBe(false);
  await other.close();
});

test('a part that was cut short, or whose line in the list was, is written again', async () => {
  const first = await open();
  for (const name of ['a', 'b', 'c']) await write(first, name, 1);
  await first.close();
  truncateSync(join(folder, 'b'), 3);
  appendFileSync(join(folder, 'parts.jsonl'), '{"name":"d","by');
  const second = await open();
  expect(second.parts.map(({ name }) => name)).toEqual(['a']);
  expect(await write(second, 'b', 7)).toMatchObject({ bytes: 12 });
  await second.close();
  const third = await open();
  expect(third.parts.map(({ name }) => name)).toEqual(['a', 'b']);
  await third.close();
});

test('what is stopped leaves no part', async () => {
  const work = await open();
  const stopping = new AbortController();
  async function* endless(): AsyncGenerator<object> {
    for (let count = 0; ; count++) {
      await Promise.resolve();
      if (count === 10) stopping.abort();
      yield { count };
    }
  }
  await expect(work.write('a', () => ({ lines: endless() }), stopping.signal)).rejects.toThrow();
  expect(work.parts).toEqual([]);
  expect(existsSync(join(folder, 'a'))).toBe(false);
  await work.close();
});
