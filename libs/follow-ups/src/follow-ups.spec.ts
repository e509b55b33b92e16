import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Type } from 'typebox';
import { CommandPath, EventRegistry, eventType, SqliteEventStore } from '#event-store';
import { badRequest, Refusal } from '#kernel';
import { ProjectionEngine, SqliteReadStore } from '#read-store';
import { ManualClock } from '#testing';
import { followUpEventTypes } from './follow-up.events.js';
import { type FollowUp, FollowUps } from './follow-ups.js';
import {
  type OpenFollowUpDocument,
  openFollowUpsCollection,
  openFollowUpsProjection,
} from './open-follow-ups.projection.js';

const OPENED = 'door.opened.v1';
const PATIENCE_MS = 11_000;

const opened = (name: string, entails?: 'closing') => ({
  type: OPENED,
  data: entails === undefined ? { name } : { name, entails },
});

let folder: string;
let store: SqliteEventStore;
let readStore: SqliteReadStore;
let engine: ProjectionEngine;
let path: CommandPath;
let clock: ManualClock;
let errors: unknown[];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'follow-ups-'));
  clock = new ManualClock();
  errors = [];
  const schema = Type.Object({ name: Type.String(), entails: Type.Optional(Type.Literal('closing')) });
  const registry = new EventRegistry([eventType(OPENED, schema), ...followUpEventTypes]);
  store = SqliteEventStore.open(join(folder, 'log.db'), registry, { clock });
  readStore = new SqliteReadStore(join(folder, 'read.db'));
  // The clock stands wherever a test puts it, so the engine cannot tell by it how far behind it is.
  const options = { streamPrefixes: ['1.'], lagLimitMs: Number.MAX_SAFE_INTEGER };
  engine = new ProjectionEngine(store, readStore, [openFollowUpsProjection([OPENED])], [], options);
  await engine.start();
  path = new CommandPath(store, engine);
});

afterEach(async () => {
  await engine.stop();
  await readStore.close();
  await store.close();
  rmSync(folder, { recursive: true });
});

/** As one process has it. */
async function process(
  carryOut: FollowUp<{ name: string }>['carryOut'],
  alone?: FollowUp['alone'],
): Promise<FollowUps> {
  const open = await readStore.collection<OpenFollowUpDocument>(openFollowUpsCollection);
  const followUps = new FollowUps({ open, store, path, clock, onError: (error) => errors.push(error) });
  followUps.add({ cause: OPENED, carryOut, ...(alone === undefined ? {} : { alone }) });
  return followUps;
}

/** A process that notes what it does. */
async function noting(alone?: FollowUp['alone']): Promise<{ followUps: FollowUps; closed: string[] }> {
  const closed: string[] = [];
  const followUps = await process(({ data, key }) => Promise.resolve(void closed.push(`${data.name} ${key}`)), alone);
  return { followUps, closed };
}

async function open(stream: string, ...facts: ReturnType<typeof opened>[]) {
  return path.appendOnly(`1.${stream}`, facts);
}

test('what a fact entails is carried out once, by who recorded it', async () => {
  const { followUps, closed } = await noting();
  const facts = [opened('a'), opened('b', 'closing')];
  await followUps.carryOut('1.house', await open('house', ...facts), facts);
  expect(closed).toEqual(['b 1.house@1']);
  clock.atMs += PATIENCE_MS;
  await followUps.recover();
  expect(closed).toHaveLength(1);
});

test('nothing follows when nothing was recorded', async () => {
  const { followUps, closed } = await noting();
  await followUps.carryOut('1.house', undefined, []);
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

test('or at once, by who must come after it', async () => {
  await open('house', opened('door', 'closing'));
  const { followUps, closed } = await noting();
  await followUps.finish(OPENED);
  expect(closed).toEqual(['door 1.house@0']);
});

test('an error does not reach who recorded the fact, and it is tried again', async () => {
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

test('what must be done alone is, and only when there is something to do', async () => {
  const turns: string[] = [];
  const { followUps, closed } = await noting(async (work) => {
    turns.push('begin');
    const result = await work();
    turns.push(`end, ${closed.length} closed`);
    return result;
  });
  await followUps.recover();
  expect(turns).toEqual([]);
  await open('house', opened('door', 'closing'));
  clock.atMs += PATIENCE_MS;
  await followUps.recover();
  expect(turns).toEqual(['begin', 'end, 1 closed']);
});

test('a process looks for what was left as soon as it starts, and ends what it began', async () => {
  await open('house', opened('door', 'closing'));
  clock.atMs += PATIENCE_MS;
  const { followUps, closed } = await noting();
  followUps.start();
  await followUps.stop();
  expect(closed).toEqual(['door 1.house@0']);
});
