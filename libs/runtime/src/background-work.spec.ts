/** All work in the background is run by the `BackgroundRunner`, `Timers` or `FollowUps`: each of them, on a read side in trouble. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { Type } from 'typebox';
import { EventRegistry, eventType, SqliteEventStore } from '#event-store';
import { followUpEventTypes, FollowUps, type OpenFollowUpDocument, openFollowUpsProjection } from '#follow-ups';
import { newId } from '#kernel';
import {
  BackgroundRunner,
  type GatedWork,
  type CollectionSchema,
  type Projection,
  type ReadSidePass,
} from '#read-store';
import {
  describeOnMongo,
  EmbeddedInTrouble,
  ManualClock,
  type ReadSideInTrouble,
  rounds,
  SharedInTrouble,
  sized,
  type Step,
  troubles,
} from '#testing';
import { dueIndexProjection, type TimerDocument, Timers, timersOf } from '#timers';

const MADE = 'note.made.v1';
const note = { noteId: Type.Integer() };
const registry = new EventRegistry([
  eventType(MADE, Type.Object({ ...note, dueAt: Type.Integer(), entails: Type.Literal(true) })),
  eventType('note.told.v1', Type.Object({ ...note, isKnown: Type.Boolean() })),
  eventType('note.filed.v1', Type.Object(note)),
  ...followUpEventTypes,
]);

type Made = { readonly type: typeof MADE; readonly data: { readonly noteId: number; readonly dueAt: number } };
type Told = { readonly type: 'note.told.v1'; readonly data: { readonly noteId: number } };

const notes = {
  collection: { name: 'notes', key: 'integer', fields: {}, indexes: [] } satisfies CollectionSchema,
  handles: new Set([MADE]),
  keys: ({ data }) => [{ key: (data as Made['data']).noteId }],
  evolve: (_, { data }) => ({ ...(data as Made['data']) }),
} satisfies Projection<object>;
const timers = timersOf<Made | Told>('note', {
  'note.made.v1': ({ data: { noteId, dueAt } }) => [{ subject: String(noteId), dueAt }],
  'note.told.v1': ({ data: { noteId } }) => [{ subject: String(noteId), dueAt: undefined }],
});
const dueIndex = dueIndexProjection([timers]);
const openFollowUps = openFollowUpsProjection([MADE]);
const projections = [notes, dueIndex, openFollowUps];

const streamOf = (noteId: number): string => `1.note-${noteId}`;

/** Notes that are recorded, and the three kinds of work that ask a read model for them. */
class World {
  readonly clock = new ManualClock(Date.now());
  #notes = 0;
  #interruptions: readonly Step<ReadSideInTrouble>[] = [];
  readonly #timers: Timers;
  readonly #followUps: FollowUps;
  readonly #runner: BackgroundRunner;
  readonly #sweep: GatedWork;

  constructor(
    readonly events: SqliteEventStore,
    readonly side: ReadSideInTrouble,
    /** What is kept for notes, as content is for files. */
    readonly kept = new Set<number>(),
  ) {
    const onError = (error: unknown): void => {
      if (!isExpected(error)) throw error;
    };
    const { clock } = this;
    const gate = side.gate;
    const index = side.collection<TimerDocument>(dueIndex.collection);
    this.#timers = new Timers({ index, kinds: new Set(['note']), gate, clock, onError });
    this.#timers.add('note', { fire: (subject, pass) => this.#tell(Number(subject), pass) });
    const open = side.collection<OpenFollowUpDocument>(openFollowUps.collection);
    this.#followUps = new FollowUps({ open, causes: new Set([MADE]), store: events, gate, clock, onError });
    this.#followUps.add(MADE, { carryOut: ({ data }) => this.#file((data as Made['data']).noteId) });
    this.#runner = new BackgroundRunner({ gate, onError: fail });
    this.#sweep = {
      name: 'sweep',
      complaint: '',
      everyMs: 60_000,
      removes: true,
      turn: (pass) => this.#removeUnknown(pass),
    };
  }

  async make(): Promise<void> {
    const noteId = ++this.#notes;
    this.kept.add(noteId);
    const data = { noteId, dueAt: this.clock.nowSeconds(), entails: true };
    await this.events.append(streamOf(noteId), 'none', [{ id: newId(), type: MADE, data }]);
  }

  /** All work once. Being refused is an outcome like others. */
  async work(interruptions: readonly Step<ReadSideInTrouble>[] = []): Promise<void> {
    this.#interruptions = interruptions;
    // Follow-ups of a process that may still be at them are left alone.
    this.clock.atMs += 60_000;
    for (const work of [
      () => this.#timers.fireDue(),
      () => this.#followUps.recover(),
      () => this.#runner.turn(this.#sweep),
    ])
      await work().catch((error: unknown) => {
        if (!isExpected(error)) throw error;
      });
  }

  /** What was recorded by an answer that was wrong, and what was not done. */
  async faults(isSettled: boolean): Promise<readonly string[]> {
    const faults: string[] = [];
    const [told, filed, done] = [new Set<number>(), new Set<number>(), new Set<string>()];
    for await (const page of this.events.readAll({}))
      for (const { type, data } of page) {
        if (type === 'note.told.v1' && !data.isKnown) faults.push(`${data.noteId} was given up`);
        if (type === 'note.told.v1') told.add(data.noteId);
        if (type === 'note.filed.v1') filed.add(data.noteId);
        if (type === 'follow-up.done.v1') done.add(data.cause);
      }
    for (let noteId = 1; noteId <= this.#notes; noteId++) {
      if (!this.kept.has(noteId)) faults.push(`what is kept for ${noteId} was removed`);
      if (done.has(`${streamOf(noteId)}@0`) && !filed.has(noteId)) faults.push(`${noteId} counts as filed`);
      if (isSettled && !told.has(noteId)) faults.push(`${noteId} was not told`);
      if (isSettled && !filed.has(noteId)) faults.push(`${noteId} was not filed`);
    }
    return faults;
  }

  async #get(noteId: number): Promise<object | undefined> {
    const [next, ...others] = this.#interruptions;
    this.#interruptions = others;
    await next?.[1](this.side);
    return this.side.collection<object>(notes.collection).get(noteId);
  }

  /** As a mail, a notification or a call does, which is given up when what it is about is gone. */
  async #tell(noteId: number, pass: ReadSidePass): Promise<void> {
    const isKnown = (await this.#get(noteId)) !== undefined;
    await pass.assertValid();
    await this.#append(noteId, 1, 'note.told.v1', { noteId, isKnown });
  }

  /** As a follow-up does that does nothing for what it does not find. */
  async #file(noteId: number): Promise<void> {
    if ((await this.#get(noteId)) !== undefined) await this.#append(noteId, 'any', 'note.filed.v1', { noteId });
  }

  async #removeUnknown(pass: ReadSidePass): Promise<void> {
    for (const noteId of this.kept) {
      if ((await this.#get(noteId)) !== undefined) continue;
      await pass.assertValid();
      this.kept.delete(noteId);
    }
  }

  async #append(noteId: number, at: 1 | 'any', type: string, data: object): Promise<void> {
    const stream = streamOf(noteId);
    const known = await this.events.readStream(stream, { limit: 10 });
    if (known.some((event) => event.type === type)) return;
    await this.events.append(stream, at === 'any' ? 'any' : known.length - 1, [{ id: newId(), type, data }]);
  }
}

function fail(error: unknown): never {
  throw error;
}

function isExpected(error: unknown): boolean {
  const { code, statusCode, message } = error as { code?: string; statusCode?: number; message: string };
  return code === 'SERVER_NOT_READY' || statusCode === 503 || /is closed|not open/.test(message);
}

const works = fc
  .array(troubles, { maxLength: 3 })
  .map((within): Step<World> => [['work', ...within.map(([name]) => name)].join(', '), (world) => world.work(within)]);
const stories = fc
  .array(
    fc.oneof(
      fc.constant<Step<World>>(['make', (world) => world.make()]),
      troubles.map(([name, run]): Step<World> => [name, (world) => run(world.side)]),
      { weight: 2, arbitrary: works },
    ),
    { minLength: 4, maxLength: 14 },
  )
  .map((story) => Object.assign(story, { [fc.toStringMethod]: () => story.map(([name]) => name).join('; ') }));

/** On a busy machine the read side is behind what each step has recorded, so that a round does less than all. */
const ROUNDS_MAX = 30;

async function holds(
  sideOn: (events: SqliteEventStore) => Promise<ReadSideInTrouble>,
  story: readonly Step<World>[],
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'background-'));
  const events = SqliteEventStore.open(join(folder, 'events.db'), registry);
  const side = await sideOn(events);
  try {
    const world = new World(events, side);
    await side.recover();
    for (const [, run] of story) {
      await run(world);
      expect(await world.faults(false)).toEqual([]);
    }
    // A timer that failed is left alone for a moment of the monotonic clock: another process looks.
    await side.recover();
    const successor = new World(events, side, world.kept);
    successor.clock.atMs = world.clock.atMs;
    for (let round = 0; round < 2 || (round < ROUNDS_MAX && (await world.faults(true)).length > 0); round++) {
      await side.recover();
      await successor.work();
    }
    await side.recover();
    expect(await world.faults(true)).toEqual([]);
  } finally {
    await side.close();
    await events.close();
    rmSync(folder, { recursive: true });
  }
}

const LIMIT_MS = 60 * 60_000;

test(
  'work in the background does nothing by wrong answers, and everything in the end',
  () =>
    fc.assert(
      fc.asyncProperty(stories, (story) =>
        holds((events) => Promise.resolve(new EmbeddedInTrouble(events, projections)), story),
      ),
      { numRuns: sized({ nightly: 1_000, usual: rounds(20) }) },
    ),
  LIMIT_MS,
);

describeOnMongo('on a server', (server) => {
  test(
    'work in the background does nothing by wrong answers, and everything in the end',
    () =>
      fc.assert(
        fc.asyncProperty(stories, (story) =>
          holds((events) => SharedInTrouble.open(server.freshUrl(), events, projections), story),
        ),
        { numRuns: sized({ nightly: 1_000, usual: rounds(4) }) },
      ),
    LIMIT_MS,
  );
});
