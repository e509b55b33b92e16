import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { transformFile } from '@swc/core';
import { contractRegistry, everything, note, textsOf } from '../contract/log.contract.js';
import { EventStoreUnavailable } from '../event-store.js';
import { SqliteEventStore } from './sqlite-event-store.js';

const ROOT = join(__dirname, '../../../../..');

let program: string;
let directory: string;
let path: string;
let children: Child[];

/** Transpiles the libraries to a plain Node program, so that other processes can run them. */
beforeAll(async () => {
  program = await mkdtemp(join(tmpdir(), 'event-log-program-'));
  await symlink(join(ROOT, 'node_modules'), join(program, 'node_modules'));
  await writeFile(
    join(program, 'package.json'),
    '{ "type": "module", "imports": { "#*": "./libs/engine/*/src/index.js" } }',
  );
  for (const lib of ['libs/engine/kernel/src', 'libs/engine/event-store/src']) {
    for (const file of await readdir(join(ROOT, lib), { recursive: true })) {
      if (!file.endsWith('.ts') || file.endsWith('.spec.ts')) continue;
      const { code } = await transformFile(join(ROOT, lib, file), {
        swcrc: false,
        jsc: { parser: { syntax: 'typescript', decorators: true }, target: 'es2023' },
        module: { type: 'es6' },
      });
      const target = join(program, lib, file.replace(/\.ts$/, '.js'));
      await mkdir(dirname(target), { recursive: true });
      await writeFile(target, code);
    }
  }
});

afterAll(() => rm(program, { recursive: true }));

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'event-log-'));
  path = join(directory, 'events.db');
  children = [];
});

afterEach(async () => {
  await Promise.all(children.map((child) => child.kill()));
  await rm(directory, { recursive: true });
});

/** Another process, which tells what it does line by line. */
class Child {
  readonly #lines: AsyncIterator<string>;

  constructor(readonly process: ChildProcessByStdio<null, Readable, null>) {
    this.#lines = createInterface({ input: process.stdout })[Symbol.asyncIterator]();
  }

  async line(): Promise<string> {
    const { value, done } = await this.#lines.next();
    return done === true ? 'ended' : value;
  }

  /** Kills it, as a power failure would, and returns its remaining output. */
  async kill(): Promise<string[]> {
    if (this.process.exitCode === null && this.process.signalCode === null) {
      const exit = once(this.process, 'exit');
      this.process.kill('SIGKILL');
      await exit;
    }
    const lines: string[] = [];
    for (let line = await this.line(); line !== 'ended'; line = await this.line()) lines.push(line);
    return lines;
  }
}

async function run(code: string): Promise<Child> {
  const file = join(program, `child-${children.length}.mjs`);
  const imports = `
    import { SqliteEventStore } from '#event-store';
    import { contractRegistry, note } from './libs/engine/event-store/src/contract/log.contract.js';
    const path = ${JSON.stringify(path)};`;
  await writeFile(file, `${imports}\n${code}`);
  const child = new Child(spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] }));
  children.push(child);
  return child;
}

const WRITER = `
  const store = SqliteEventStore.open(path, contractRegistry);
  console.log('open');
  for (let round = 0; ; round++) {
    await Promise.all(Array.from({ length: 8 }, async (_, index) => {
      const text = round + '.' + index;
      await store.append('1.s-' + index % 3, 'any', [note(text)]);
      console.log(text);
    }));
  }`;

const READER = `
  const store = SqliteEventStore.openReadOnly(path, contractRegistry);
  await store.append('1.a', 'any', [note('x')]).catch((error) => console.log(error.name));
  for await (const batch of store.subscribe({ signal: AbortSignal.timeout(110_000) })) {
    for (const { position, data } of batch) console.log(position + ' ' + data.text);
  }`;

test('another process reads and follows the log while this one writes, and cannot write', async () => {
  const store = SqliteEventStore.open(path, contractRegistry);
  await store.append('1.a', 'any', [note('0'), note('1')]);
  const reader = await run(READER);
  expect(await reader.line()).toBe('EventStoreUnavailable');
  expect([await reader.line(), await reader.line()]).toEqual(['1 0', '2 1']);
  for (let index = 2; index < 300; index++) await store.append(`1.s-${index % 5}`, 'any', [note(String(index))]);
  for (let index = 2; index < 300; index++) expect(await reader.line()).toBe(`${index + 1} ${index}`);
  await reader.kill();
  await store.append('1.a', 'any', [note('after')]);
  await store.close();
});

test('this process reads what another one writes', async () => {
  const writer = await run(WRITER);
  expect(await writer.line()).toBe('open');
  const acknowledged = [await writer.line(), await writer.line()];
  const store = SqliteEventStore.openReadOnly(path, contractRegistry);
  expect(textsOf(await everything(store))).toEqual(expect.arrayContaining(acknowledged));
  expect(await store.head()).toBeGreaterThanOrEqual(2);
  expect(await store.readStream('1.s-0', { limit: 1 })).toMatchObject([{ revision: 0 }]);
  const seen: number[] = [];
  for await (const batch of store.subscribe({ signal: AbortSignal.timeout(110_000) })) {
    seen.push(...batch.map(({ position }) => position));
    if (seen.length > 500) break;
  }
  expect(seen).toEqual(seen.map((_, index) => index + 1));
  await store.close();
});

test('a log that does not exist is not created by a reader', () => {
  expect(() => SqliteEventStore.openReadOnly(path, contractRegistry)).toThrow(/There is no event log/);
});

test('a second writer is refused, in this process and in another, until the first is gone', async () => {
  const store = SqliteEventStore.open(path, contractRegistry);
  expect(() => SqliteEventStore.open(path, contractRegistry)).toThrow(EventStoreUnavailable);
  const attempt = `
    try { SqliteEventStore.open(path, contractRegistry); console.log('open'); }
    catch (error) { console.log(error.name + ': ' + error.message); }`;
  expect(await (await run(attempt)).line()).toMatch(/^EventStoreUnavailable: Another server is already writing/);
  await store.close();
  expect(await (await run(attempt)).line()).toBe('open');
});

test('nothing acknowledged is lost when the writer is killed, and the next one may write at once', async () => {
  const acknowledged: string[] = [];
  for (let round = 0; round < 4; round++) {
    const writer = await run(WRITER.replaceAll("round + '.'", `'${round}.' + round + '.'`));
    expect(await writer.line()).toBe('open');
    for (let count = 0; count < 20 + round * 37; count++) acknowledged.push(await writer.line());
    acknowledged.push(...(await writer.kill()));
    const store = SqliteEventStore.open(path, contractRegistry);
    const events = await everything(store);
    expect(textsOf(events)).toEqual(expect.arrayContaining(acknowledged));
    expect(events.map(({ position }) => position)).toEqual(events.map((_, index) => index + 1));
    await store.close();
  }
});
