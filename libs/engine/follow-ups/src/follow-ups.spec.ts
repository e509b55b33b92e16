import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Type } from 'typebox';
import { CommandRunner, EventRegistry, eventType, SqliteEventStore, ReadBarrier } from '#event-store';
import { badRequest, BY_SERVER, Refusal } from '#kernel';
import { ProjectionEngine, SqliteReadStore } from '#read-store';
import { ManualClock, OpenGate, startedWith, until } from '#testing';
import { followUpEventTypes } from './follow-up.events.js';
import { type FollowUp, FollowUps } from './follow-ups.js';
import {
  type OpenFollowUpDocument,
  openFollowUpsCollection,
  openFollowUpsProjection,
} from './open-follow-ups.projection.js';

const OPENED = 'door.opened.v1';
const LIT = 'lamp.lit.v1';
const PATIENCE_MS = 11_000;

const opened = (name: string, entails?: 'closing') => ({
  type: OPENED,
  data: { name, entails },
});

let folder: string;
let store: SqliteEventStore;
let readStore: SqliteReadStore;
let engine: ProjectionEngine;
let path: CommandRunner;
let clock: ManualClock;
let errors: unknown[];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'follow-ups-'));
  clock = new ManualClock();
  errors = [];
  const schema = Type.Object({ name: Type.String(), entails: Type.Optional(Type.Literal('closing')) });
  const registry = new EventRegistry([eventType(OPENED, schema), eventType(LIT, schema), ...followUpEventTypes]);
  store = SqliteEventStore.open(join(folder, 'log.db'), registry, { clock });
  readStore = new SqliteReadStore(join(folder, 'read.db'));
  // The tests set the clock, so the engine cannot derive its lag from it.
  const options = { streamPrefixes: ['1.'], lagLimitMs: Number.MAX_SAFE_INTEGER };
  engine = new ProjectionEngine(store, readStore, [openFollowUpsProjection([OPENED, LIT])], [], options);
  await engine.start();
  path = new CommandRunner(store, engine);
});

afterEach(async () => {
  await engine.stop();
  await readStore.close();
  await store.close();
  rmSync(folder, { recursive: true });
});

/** Starts the follow-ups of one process. */
async function process(
  carryOut: FollowUp<{ name: string }>['carryOut'],
  barrier: ReadBarrier = engine,
): Promise<FollowUps> {
  const open = await readStore.collection<OpenFollowUpDocument>(openFollowUpsCollection);
  const onError = (error: unknown): unknown => errors.push(error);
  const followUps = new FollowUps({
    open,
    causes: new Set([OPENED, LIT]),
    store,
    gate: new OpenGate(barrier),
    clock,
    onError,
  });
  followUps.add(OPENED, { carryOut });
  return followUps;
}

/** A process that records which follow-ups it carries out. */
async function noting(): Promise<{ followUps: FollowUps; closed: string[] }> {
  const closed: string[] = [];
  const followUps = await process(({ data, key }) => Promise.resolve(void closed.push(`${data.name} ${key}`)));
  return { followUps, closed };
}

async function open(stream: string, ...facts: ReturnType<typeof opened>[]) {
  return path.appendOnly(`1.${stream}`, facts, BY_SERVER);
}

test('what an event entails is carried out once, by who recorded it', async () => {
  const { followUps, closed } = await noting();
  const facts = [opened('a'), opened('b', 'closing')];
  await followUps.carryOut('1.house', await open('house', ...facts), facts);
  expect(closed).toEqual(['b 1.house@1']);
  clock.atMs += PATIENCE_MS;
  await followUps.recover();
  expect(closed).toHaveLength(1);
});

test('what was done here is not done again before the list has heard of it', async () => {
  const { followUps, closed } = await noting();
  const facts = [opened('door', 'closing')];
  await followUps.carryOut('1.house', await open('house', ...facts), facts);
  await followUps.finish(OPENED);
  await followUps.finish(OPENED);
  expect(closed).toHaveLength(1);
});

test('what was done here is not tried again on request', async () => {
  let attempts = 0;
  // The list does not hear that it is done.
  const followUps = await process(() => {
    attempts++;
    return engine.stop();
  });
  const facts = [opened('door', 'closing')];
  await followUps.carryOut('1.house', await open('house', ...facts), facts);
  expect(await followUps.retry('1.house@0')).toBe(false);
  expect([attempts, errors]).toEqual([1, []]);
});

test('what the list does not know cannot be added', async () => {
  const { followUps } = await noting();
  const carryOut = (): Promise<void> => Promise.resolve();
  expect(() => {
    followUps.add('door.closed.v1', { carryOut });
  }).toThrow(/does not handle/);
});

test('nothing follows when nothing was recorded', async () => {
  const { followUps, closed } = await noting();
  await followUps.carryOut('1.house', undefined, [opened('door', 'closing')]);
  expect(closed).toEqual([]);
});

test('what another process left undone is carried out after a while, in log order', async () => {
  await open('shed', opened('first', 'closing'));
  await open('house', opened('second', 'closing'), opened('never'));
  const { followUps, closed } = await noting();
  await followUps.recover();
  expect(closed).toEqual([]);
  clock.atMs += PATIENCE_MS;
  await followUps.recover();
  expect(closed).toEqual(['first 1.shed@0', 'second 1.house@0']);
  await followUps.recover();
  expect(closed).toHaveLength(2);
});

test.each([
  ['behind', -60_000],
  ['ahead', 60_000],
])('a process whose clock is %s waits no longer than others', async (_, skewMs) => {
  await open('house', opened('door', 'closing'));
  const { followUps, closed } = await noting();
  clock.atMs += skewMs;
  await followUps.recover();
  expect(closed).toEqual(['door 1.house@0']);
});

test('what is fresh is left to who recorded it, however old others are', async () => {
  await open('house', opened('old', 'closing'));
  clock.atMs += PATIENCE_MS;
  await open('house', opened('fresh', 'closing'));
  const { followUps, closed } = await noting();
  await followUps.recover();
  expect(closed).toEqual(['old 1.house@0']);
});

test('what is on the list is carried out when all that led to it is known here', async () => {
  await open('house', opened('door', 'closing'));
  const seen: string[] = [];
  class Behind extends ReadBarrier {
    override assertAccepting(): void {
      engine.assertAccepting();
    }
    override waitFor(position: number): Promise<void> {
      return engine.waitFor(position);
    }
    override sync(): Promise<void> {
      seen.push('caught up');
      return Promise.resolve();
    }
  }
  const followUps = await process(({ data }) => Promise.resolve(void seen.push(data.name)), new Behind());
  await followUps.finish(OPENED);
  expect(seen).toEqual(['caught up', 'door']);
});

test('or at once, by who must come after it', async () => {
  await open('house', opened('door', 'closing'));
  const { followUps, closed } = await noting();
  await followUps.finish(OPENED);
  expect(closed).toEqual(['door 1.house@0']);
});

test('an error does not reach who recorded the event, and it is tried again', async () => {
  let fails = true;
  const closed: string[] = [];
  const followUps = await process(({ data }) => {
    if (fails) throw new Error('It is stuck.');
    return Promise.resolve(void closed.push(data.name));
  });
  const facts = [opened('door', 'closing')];
  await followUps.carryOut('1.house', await open('house', ...facts), facts);
  expect(errors).toEqual([new Error('It is stuck.')]);
  fails = false;
  clock.atMs += PATIENCE_MS;
  await followUps.recover();
  expect(closed).toEqual(['door']);
});

test('one that fails holds up no other', async () => {
  await open('house', opened('stuck', 'closing'), opened('door', 'closing'));
  const closed: string[] = [];
  const followUps = await process(({ data }) => {
    if (data.name === 'stuck') return Promise.reject(new Refusal('SERVER_NOT_READY', 'Later.'));
    return Promise.resolve(void closed.push(data.name));
  });
  await followUps.finish(OPENED);
  expect(closed).toEqual(['door']);
  expect(errors).toHaveLength(1);
});

test('nor do many', async () => {
  const stuck = Array.from({ length: 250 }, () => opened('stuck', 'closing'));
  await open('house', ...stuck, opened('door', 'closing'));
  const closed: string[] = [];
  const followUps = await process(({ data }) => {
    if (data.name === 'stuck') return Promise.reject(new Error('It is stuck.'));
    return Promise.resolve(void closed.push(data.name));
  });
  await followUps.finish(OPENED);
  expect(closed).toEqual(['door']);
  expect(errors).toHaveLength(stuck.length);
});

test('what is refused is over', async () => {
  let asked = 0;
  const followUps = await process(() => {
    asked++;
    return Promise.reject(badRequest('There is no door any more.'));
  });
  await open('house', opened('door', 'closing'));
  await followUps.finish(OPENED);
  await followUps.finish(OPENED);
  expect(asked).toBe(1);
  expect(errors).toEqual([]);
});

test('who asks while something is being carried out waits for the same', async () => {
  let close: () => void = () => undefined;
  const closing = new Promise<void>((resolve) => (close = resolve));
  let begun = 0;
  const followUps = await process(() => {
    begun++;
    return closing;
  });
  const facts = [opened('door', 'closing')];
  const recording = followUps.carryOut('1.house', await open('house', ...facts), facts);
  let isFinished = false;
  const finishing = followUps.finish(OPENED).then(() => (isFinished = true));
  await pause(20);
  expect(isFinished).toBe(false);
  close();
  await Promise.all([recording, finishing]);
  expect(begun).toBe(1);
});

test('only what concerns who asks is listed and carried out', async () => {
  await open('house', opened('front', 'closing'), opened('back', 'closing'));
  const { followUps, closed } = await noting();
  const isBack = (data: object): boolean => (data as { name: string }).name === 'back';
  expect(await followUps.pending(OPENED, isBack)).toEqual(['1.house@1']);
  expect(await followUps.finish(OPENED, isBack)).toEqual(new Set(['1.house@1']));
  expect(closed).toEqual(['back 1.house@1']);
  expect(await followUps.pending(OPENED, isBack)).toEqual([]);
});

test('a process looks for what was left as soon as it starts, ends what it began, and begins nothing else', async () => {
  await open('house', opened('first', 'closing'), opened('second', 'closing'));
  clock.atMs += PATIENCE_MS;
  const closed: string[] = [];
  let begin: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const followUps = await process(async ({ data }) => {
    begin();
    await pause(20);
    closed.push(data.name);
  });
  const runner = startedWith(followUps);
  await begun;
  await runner.stop();
  expect(closed).toEqual(['first']);
});

test('long work goes on after the caller has waited for a second', async () => {
  let finish: () => void = () => undefined;
  const isFinished = new Promise<void>((resolve) => (finish = resolve));
  const followUps = await process(() => isFinished);
  followUps.add(OPENED, { isLong: true, carryOut: () => isFinished });
  const facts = [opened('door', 'closing')];
  await followUps.carryOut('1.house', await open('house', ...facts), facts);
  expect(await followUps.pending(OPENED, () => true)).toHaveLength(1);
  finish();
  await until(async () => (await followUps.pending(OPENED, () => true)).length === 0);
});

test('follow-ups of a process that died wait for no other type, and unordered ones not for each other', async () => {
  await path.appendOnly('1.hall', [opened('slow', 'closing')], BY_SERVER);
  const lamps = Array.from({ length: 5 }, (_, at) => ({ type: LIT, data: { name: `lamp ${at}`, entails: 'closing' } }));
  await path.appendOnly('1.hall', lamps, BY_SERVER);
  clock.atMs += PATIENCE_MS;
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const done: string[] = [];
  const followUps = await process(() => released);
  followUps.add(LIT, {
    isUnordered: true,
    carryOut: async ({ data }) => {
      const { name } = data as { name: string };
      done.push(name);
      if (name === 'lamp 0') await released;
    },
  });
  const runner = startedWith(followUps);
  await until(() => done.length === lamps.length);
  release();
  await runner.stop();
  expect([done.sort(), errors]).toEqual([lamps.map(({ data }) => data.name), []]);
});

test('their list is not read again while it was empty and is known not to change', async () => {
  const list = await readStore.collection<OpenFollowUpDocument>(openFollowUpsCollection);
  const find = jest.spyOn(list, 'find');
  let changes = 0;
  const onError = (error: unknown): unknown => errors.push(error);
  const parts = { open: list, causes: new Set([OPENED]), store, gate: new OpenGate(engine), clock, onError };
  const followUps = new FollowUps({ ...parts, changedAt: () => changes });
  const looks = async (count: number): Promise<void> => {
    find.mockClear();
    for (let look = 0; look < count; look++) await followUps.look();
  };
  await looks(3);
  expect(find).toHaveBeenCalledTimes(1);
  await path.appendOnly('1.hall', [opened('door', 'closing')], BY_SERVER);
  changes++;
  // As long as there is something on it.
  await looks(3);
  expect(find).toHaveBeenCalledTimes(3);
});

test('an open follow-up is listed with what failed, tried when asked, and given up by an event', async () => {
  let isBroken = true;
  const closed: string[] = [];
  const followUps = await process(({ key }) => {
    if (isBroken) return Promise.reject(new Error('The door is stuck.'));
    closed.push(key);
    return Promise.resolve();
  });
  const facts = [opened('a', 'closing'), opened('b', 'closing')];
  await followUps.carryOut('1.house', await open('house', ...facts), facts);
  const [since, key] = [clock.nowSeconds(), '1.house@0'];
  const expected = { type: OPENED, since, attempts: 1, reason: 'The door is stuck.', nextAt: since + 10 };
  expect(await followUps.list(10)).toEqual([
    { key, ...expected },
    { key: '1.house@1', ...expected },
  ]);
  expect(await followUps.list(1)).toHaveLength(1);
  expect(await followUps.retry(key)).toBe(true);
  expect(await followUps.find(key)).toMatchObject({ attempts: 2 });
  isBroken = false;
  expect(await followUps.retry(key)).toBe(true);
  expect(closed).toEqual([key]);
  expect(await followUps.find(key)).toBeUndefined();
  expect(await followUps.drop('1.house@1', 'It is old.', BY_SERVER)).toBe(true);
  expect(await followUps.list(10)).toEqual([]);
  for (const unknown of [key, '1.house@1', 'x'])
    expect([await followUps.retry(unknown), await followUps.drop(unknown, 'x', BY_SERVER)]).toEqual([false, false]);
  clock.atMs += PATIENCE_MS;
  await followUps.recover();
  expect(closed).toEqual([key]);
});

test('what is given up while it waits for its turn is not carried out', async () => {
  await open('house', opened('a', 'closing'), opened('b', 'closing'));
  clock.atMs += PATIENCE_MS;
  const closed: string[] = [];
  const followUps: FollowUps = await process(async ({ key }) => {
    closed.push(key);
    await followUps.drop('1.house@1', 'It is old.', BY_SERVER);
    // The list is read by others meanwhile.
    expect(await followUps.pending(OPENED, () => true)).toEqual(['1.house@0']);
  });
  await followUps.recover();
  expect([closed, errors]).toEqual([['1.house@0'], []]);
});
