import type { CommandRunner } from '#event-store';
import { BY_OPERATOR, type Origin } from '#kernel';
import { ManualClock } from '#testing';
import type { UsesNoted } from './use.events.js';
import { shownName, UseLog } from './use-log.js';

let clock: ManualClock;
let recorded: UsesNoted['data'][];
let isDown: boolean;
let log: UseLog;

beforeEach(() => {
  clock = new ManualClock();
  [recorded, isDown] = [[], false];
  const runner = {
    originText: ({ by }: Origin) => ('userId' in by ? String(by.userId) : by.kind),
    appendOnly: (_stream: string, [event]: readonly UsesNoted[]) => {
      if (isDown) return Promise.reject(new Error('down'));
      if (event !== undefined) recorded.push(event.data);
      return Promise.resolve();
    },
  };
  log = new UseLog(runner as unknown as CommandRunner, clock);
});

const user = (userId: number): Origin => ({ by: { kind: 'user', userId } });
const all = () => recorded.flatMap(({ uses }) => uses);
const pass = async (seconds: number): Promise<void> => {
  clock.atMs += seconds * 1000;
  await log.look();
};

test('uses of a second are recorded together, and nothing is when there is none', async () => {
  await pass(1);
  log.note({ kind: 'signed-in', how: 'password', key: 1, origin: user(7) });
  log.note({ kind: 'operator-called', call: 'GET /x', origin: BY_OPERATOR });
  await pass(1);
  await pass(1);
  expect(recorded).toHaveLength(1);
  expect(all()).toMatchObject([
    { kind: 'signed-in', o: '7', how: 'password', key: 1 },
    { kind: 'operator-called', o: 'operator', call: 'GET /x' },
  ]);
});

test('the same again is a number, once its minute is over', async () => {
  await pass(61);
  for (let round = 0; round < 5; round++) {
    log.note({ kind: 'sign-in-failed', userId: 9, origin: user(7) });
    await pass(1);
  }
  expect(all()).toMatchObject([{ kind: 'sign-in-failed', userId: 9 }]);
  await pass(61);
  expect(all().map(({ again }) => again)).toEqual([undefined, 4]);
  await pass(61);
  expect(all()).toHaveLength(2);
});

test('ten thousand sign-ins that fail in a minute are a thousand, and how many more', async () => {
  await pass(61);
  for (let name = 0; name < 10_000; name++)
    log.note({ kind: 'sign-in-failed', name: `a…@${name}.example`, origin: user(1) });
  await pass(1);
  expect(all()).toHaveLength(1_000);
  expect(JSON.stringify(recorded).length).toBeLessThan(100_000);
  await pass(61);
  expect(recorded.at(-1)?.more).toEqual({ 'sign-in-failed': 9_000 });
});

test('a file is noted once an hour for each person', async () => {
  const fetch = (userId: number, fileId: number): void => {
    log.note({ kind: 'file-fetched', fileId, origin: user(userId) });
  };
  for (let round = 0; round < 3; round++) {
    fetch(1, 5);
    fetch(2, 5);
    fetch(1, 6);
    await pass(70);
  }
  expect(all()).toHaveLength(3);
  await pass(3_600);
  fetch(1, 5);
  await pass(1);
  expect(all()).toHaveLength(4);
});

test('keys in what a client begins with are noted once an hour, person and key', async () => {
  const begin = (client: string, key = 1): void => {
    const request = { number: '1', visit: () => ({ client, requests: client }) };
    log.noteKeysSeen({ ...user(7), request }, [
      { userId: 20, key },
      { userId: 21, key: 1 },
    ]);
  };
  for (const client of ['a', 'b', 'c']) {
    begin(client);
    await pass(70);
  }
  log.noteKeysSeen(user(8), [{ userId: 20, key: 1 }]);
  await pass(1);
  expect(all().map(({ o, userId, key, again }) => [o, userId, key, again])).toEqual([
    ['7', 20, 1, undefined],
    ['7', 21, 1, undefined],
    ['8', 20, 1, undefined],
  ]);
  begin('d', 2);
  await pass(1);
  expect(all()).toHaveLength(4);
  await pass(3_600);
  begin('e', 2);
  await pass(1);
  expect(all()).toHaveLength(6);
});

test('what cannot be recorded is recorded later, also at the end', async () => {
  isDown = true;
  log.note({ kind: 'signed-in', origin: user(7) });
  await expect(pass(1)).rejects.toThrow('down');
  expect(all()).toEqual([]);
  isDown = false;
  await log.stop();
  expect(all()).toMatchObject([{ kind: 'signed-in', o: '7' }]);
});

test.each([
  ['ann@example.org', 'a…@example.org'],
  [' Ann.Lee+x@mail.example.org', 'A…@mail.example.org'],
  ['correct horse', undefined],
  ['p@ss', undefined],
  ['my secret@example.org', undefined],
  ['', undefined],
])('of the name %p only %p is kept', (name, shown) => {
  expect(shownName(name)).toBe(shown);
});
