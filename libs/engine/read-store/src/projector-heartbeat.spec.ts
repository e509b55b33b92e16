import type { Undone } from './engine/former-builds.js';
import type { Compared } from './engine/rebuild-run.js';
import { setTimeout as pause } from 'node:timers/promises';
import { type JsonObject, Refusal } from '#kernel';
import { MemoryKeyValueStore, until } from '#testing';
import type { EngineState, EngineStatus, RebuildProgress } from './engine/engine-status.js';
import type { EngineFailure } from './engine/failures.js';
import type { HeldLease } from './held-lease.js';
import { ProjectorHeartbeat, ProjectorMonitor } from './projector-heartbeat.js';
import type { LeftOvers } from './read-side-operations.js';
import { ReadStoreUnavailable } from './read-store.js';
import { SetAside } from './set-aside.js';
import { type LeaseSign, LocalBroadcast } from './sharing.js';

class SlowSideStore extends MemoryKeyValueStore {
  /** Delay of each write of an order or its outcome. */
  slowMs = 0;

  override async put(kind: string, id: string, value: JsonObject): Promise<void> {
    if (kind === 'rebuilds') await pause(this.slowMs);
    await super.put(kind, id, value);
  }
}

const STAYS_LIVE = 'The rebuild failed; the old collection stays live.';
const OFTEN_MS = 100;
const SELDOM_MS = 3_600_000;
const PROGRESS: RebuildProgress = {
  name: 'messages',
  events: 1,
  position: 1,
  head: 1,
  elapsedMs: 1,
  eventsPerSecond: 1,
};

/** Engine whose rebuilds end on demand. */
class Engine {
  begun = 0;
  readonly asked: (readonly string[])[] = [];
  changed: () => void = () => undefined;
  #state: EngineState = 'live';
  rebuilds: readonly RebuildProgress[] = [];
  failure: EngineFailure | undefined;
  end: (error?: Error) => void = () => undefined;

  get state(): EngineState {
    return this.#state;
  }

  set state(state: EngineState) {
    this.#state = state;
    this.changed();
  }

  onAbleChanged(listener: () => void): () => void {
    this.changed = listener;
    return () => (this.changed = () => undefined);
  }

  status(): EngineStatus {
    const participant = {
      ...{ name: 'messages', rebuildable: true },
      ...{ position: 1, lagEvents: 0, handled: 1, eventsPerSecond: 0 },
    };
    const follower = { ...participant, name: 'feed', rebuildable: false };
    const numbers = { position: 1, head: 1, lagEvents: 0, lagMs: 0, waiting: 0 };
    const failure = this.failure && { failure: this.failure };
    return {
      state: this.state,
      ...numbers,
      participants: [participant, follower],
      rebuilds: this.rebuilds,
      ...failure,
    };
  }

  rebuild(names: readonly string[] = []): Promise<RebuildProgress[]> {
    this.begun++;
    this.asked.push(names);
    return new Promise((resolve, reject) => {
      this.end = (error) => {
        if (error === undefined) resolve([PROGRESS]);
        else reject(error);
      };
    });
  }

  async compare(name: string): Promise<Compared> {
    return { name, position: 1, documents: 0, difference: { key: 7, is: 'different' } };
  }

  async undo(name: string): Promise<Undone> {
    return { name, position: 3, replacedAtMs: 1 };
  }

  async removeLeftOvers(isDryRun: boolean): Promise<LeftOvers> {
    if (!isDryRun) throw new Refusal('BAD_REQUEST', 'in use');
    return { collections: [{ name: 'notes', documents: 2, bytes: 3 }], keptBecause: 'in use' };
  }

  async cancelRebuilds(): Promise<readonly string[]> {
    this.end(new Refusal('BAD_REQUEST', 'cancelled'));
    return this.asked.at(-1) ?? [];
  }
}

/** Is renewed between any two looks at it. */
class RenewedLease {
  #term = 0;
  #beat = 0;
  #note: (() => JsonObject) | undefined;

  hold(term: number): Pick<HeldLease, 'tell' | 'isSure'> {
    this.#term = term;
    return { isSure: true, tell: (note) => (this.#note = note) };
  }

  async sign(): Promise<LeaseSign | undefined> {
    return { term: this.#term, beat: ++this.#beat, note: this.#note?.() };
  }
}

describe('orders to rebuild', () => {
  let side: SlowSideStore;
  let lease: RenewedLease;
  let broadcast: LocalBroadcast;
  let watch: ProjectorMonitor;
  const signs: ProjectorHeartbeat[] = [];
  const fail = (error: unknown): void => {
    throw error;
  };

  const lead = (engine: Engine, term: number, everyMs = OFTEN_MS): ProjectorHeartbeat => {
    const sign = new ProjectorHeartbeat(side, broadcast, engine, lease.hold(term), fail, everyMs);
    signs.push(sign);
    sign.start();
    return sign;
  };

  beforeEach(async () => {
    side = new SlowSideStore();
    [lease, broadcast] = [new RenewedLease(), new LocalBroadcast()];
    watch = new ProjectorMonitor(lease, side, broadcast, fail, new SetAside(), OFTEN_MS);
    await watch.start();
  });
  afterEach(async () => {
    await watch.stop();
    for (const sign of signs.splice(0)) await sign.stop();
  });

  test('are carried out once, however slowly they are written down', async () => {
    const engine = new Engine();
    lead(engine, 1);
    await until(() => watch.complaint() === undefined);
    side.slowMs = 1_200;
    const rebuilt = watch.rebuild(['messages']);
    await until(() => engine.begun > 0);
    await pause(1_500);
    side.slowMs = 0;
    expect(engine.begun).toBe(1);
    engine.end();
    await expect(rebuilt).resolves.toEqual([PROGRESS]);
  });

  test('are taken when their projector is told of them, and a little later when it is not', async () => {
    const [engine, other] = [new Engine(), new Engine()];
    const first = lead(engine, 1, SELDOM_MS);
    await until(() => watch.complaint() === undefined);
    const told = watch.rebuild(['messages']);
    await until(() => engine.begun === 1);
    engine.end();
    await told;
    await first.stop();
    lead(other, 2);
    jest.spyOn(broadcast, 'publish').mockResolvedValue();
    const untold = watch.rebuild(['messages']);
    await until(() => other.begun === 1);
    other.end();
    await expect(untold).resolves.toEqual([PROGRESS]);
  });

  test('are refused while the projection is being rebuilt, and not after, though the last heartbeat still names it', async () => {
    const engine = new Engine();
    engine.rebuilds = [PROGRESS];
    lead(engine, 1);
    await until(() => watch.complaint() === undefined && watch.status().rebuilds.length === 1);
    for (const count of [1, 2]) {
      const rebuilt = watch.rebuild(['messages']);
      await until(() => engine.begun === count);
      await expect(watch.rebuild(['messages'])).rejects.toMatchObject({ code: 'BAD_REQUEST' });
      engine.end();
      await expect(rebuilt).resolves.toEqual([PROGRESS]);
    }
  });

  test('are refused for what the status does not say can be rebuilt', async () => {
    const engine = new Engine();
    lead(engine, 1);
    await until(() => watch.complaint() === undefined);
    await expect(watch.rebuild(['feed'])).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(watch.rebuild(['nothing'])).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(engine.begun).toBe(0);
  });

  test('of many are one order, and all can be cancelled', async () => {
    const engine = new Engine();
    lead(engine, 1);
    await until(() => watch.complaint() === undefined);
    const rebuilding = watch.rebuild();
    const refused = expect(rebuilding).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await until(() => engine.begun === 1);
    expect(await watch.cancelRebuilds()).toEqual(['messages']);
    await refused;
    expect(engine.asked).toEqual([['messages']]);
  });

  test('compare as well', async () => {
    const engine = new Engine();
    lead(engine, 1);
    await until(() => watch.complaint() === undefined);
    expect(await watch.compare('messages')).toMatchObject({ name: 'messages', difference: { key: 7 } });
    await expect(watch.compare('nothing')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(engine.begun).toBe(0);
  });

  test('undo as well', async () => {
    const engine = new Engine();
    lead(engine, 1);
    await until(() => watch.complaint() === undefined);
    expect(await watch.undo('messages')).toEqual({ name: 'messages', position: 3, replacedAtMs: 1 });
    await expect(watch.undo('nothing')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(engine.begun).toBe(0);
  });

  test('to remove left-overs as well', async () => {
    const engine = new Engine();
    lead(engine, 1);
    await until(() => watch.complaint() === undefined);
    const collections = [{ name: 'notes', documents: 2, bytes: 3 }];
    expect(await watch.removeLeftOvers(true)).toEqual({ collections, keptBecause: 'in use' });
    await expect(watch.removeLeftOvers(false)).rejects.toMatchObject({ code: 'BAD_REQUEST', message: 'in use' });
    expect(engine.begun).toBe(0);
  });

  test('to remove left-overs that overlap do not hide the outcome of the later one', async () => {
    const engine = new Engine();
    lead(engine, 1);
    await until(() => watch.complaint() === undefined);
    const ends: (() => void)[] = [];
    jest
      .spyOn(engine, 'removeLeftOvers')
      .mockImplementation(() => new Promise((resolve) => ends.push(() => resolve({ collections: [] }))));
    const first = expect(watch.removeLeftOvers(false)).rejects.toThrow('Another call about the same has followed');
    await until(() => ends.length === 1);
    const second = watch.removeLeftOvers(false);
    await until(() => ends.length === 2);
    for (const end of ends) end();
    await first;
    await expect(second).resolves.toEqual({ collections: [] });
  });

  test('to remove left-overs say so when their projector is gone', async () => {
    const engine = new Engine();
    const projector = lead(engine, 1);
    await until(() => watch.complaint() === undefined);
    const removing = jest.spyOn(engine, 'removeLeftOvers').mockImplementation(() => new Promise(() => undefined));
    const orphaned = watch.removeLeftOvers(false);
    await until(() => removing.mock.calls.length === 1);
    await projector.stop();
    lead(new Engine(), 2);
    await expect(orphaned).rejects.toThrow('Some of the collections may be removed: ask again.');
  });

  test('are refused when they fail, and when their projector is gone', async () => {
    const engine = new Engine();
    const first = lead(engine, 1);
    await until(() => watch.complaint() === undefined);
    const failing = watch.rebuild(['messages']);
    await until(() => engine.begun === 1);
    // Whoever repeats it would read the whole log again for nothing.
    engine.end(new Error('no'));
    await expect(failing).rejects.toMatchObject({ code: 'INTERNAL_SERVER_ERROR', message: STAYS_LIVE });
    const delayed = watch.rebuild(['messages']);
    await until(() => engine.begun === 2);
    engine.end(new ReadStoreUnavailable('away'));
    await expect(delayed).rejects.toMatchObject({ code: 'SERVER_NOT_READY', message: STAYS_LIVE });
    const orphaned = watch.rebuild(['messages']);
    await until(() => engine.begun === 3);
    await first.stop();
    lead(new Engine(), 2);
    await expect(orphaned).rejects.toThrow('ask again');
  });

  test('go on while nothing is heard of their projector, and who asked is told so', async () => {
    const engine = new Engine();
    lead(engine, 1);
    await until(() => watch.complaint() === undefined);
    const rebuilding = watch.rebuild(['messages']);
    const told = expect(rebuilding).rejects.toThrow('What it has begun may go on');
    await until(() => engine.begun === 1);
    await until(async () => (await side.get('rebuilds', 'messages'))?.['state'] === 'running');
    engine.state = 'stalled';
    await told;
    engine.end();
    await until(async () => (await side.get('rebuilds', 'messages'))?.['state'] === 'done');
  });
});

describe('while nobody is at work', () => {
  const [STOPPED, STARTING] = ['The projector is not able to work.', 'The projector is starting.'];
  const LIMIT_MS = 5_000;
  let lease: RenewedLease;
  let watch: ProjectorMonitor;
  const lead = (engine: Engine, term: number): void => {
    const heartbeat = new ProjectorHeartbeat(side, new LocalBroadcast(), engine, lease.hold(term), jest.fn());
    heartbeat.start();
    heartbeats.push(heartbeat);
  };
  const side = new MemoryKeyValueStore();
  const heartbeats: ProjectorHeartbeat[] = [];
  const told = (state: EngineState): Promise<void> => until(() => watch.status().state === state);

  beforeEach(async () => {
    lease = new RenewedLease();
    watch = new ProjectorMonitor(lease, side, new LocalBroadcast(), jest.fn(), new SetAside(), OFTEN_MS);
    await watch.start();
  });
  afterEach(async () => {
    await watch.stop();
    for (const heartbeat of heartbeats.splice(0)) await heartbeat.stop();
  });

  test('commands wait for the successor of a projector that ends in order, within limits', async () => {
    const [engine, successor] = [new Engine(), new Engine()];
    lead(engine, 1);
    await until(() => watch.complaint() === undefined);
    engine.state = 'stopped';
    await told('stopped');
    expect(watch.complaint()).toBeUndefined();
    successor.state = 'starting';
    lead(successor, 2);
    await told('starting');
    expect(watch.complaint()).toBeUndefined();
    const nowMs = performance.now();
    const clock = jest.spyOn(performance, 'now').mockReturnValue(nowMs + LIMIT_MS);
    expect(watch.complaint()).toBe(STARTING);
    clock.mockRestore();
    successor.state = 'live';
    await told('live');
    expect(watch.complaint()).toBeUndefined();
  });

  test('they are refused at once when it has failed, and until its successor is at work', async () => {
    const [engine, successor] = [new Engine(), new Engine()];
    lead(engine, 1);
    await until(() => watch.complaint() === undefined);
    engine.failure = { reason: 'no', position: 2 };
    engine.state = 'stopped';
    await told('stopped');
    expect(watch.complaint()).toBe(STOPPED);
    successor.state = 'starting';
    lead(successor, 2);
    await told('starting');
    expect(watch.complaint()).toBe(STARTING);
  });

  test('they are refused at once when it stalls', async () => {
    const engine = new Engine();
    lead(engine, 1);
    await until(() => watch.complaint() === undefined);
    engine.state = 'stalled';
    await told('stalled');
    expect(watch.complaint()).toBe(STOPPED);
  });
});

test('what the projector is able to do is told at once', async () => {
  const engine = new Engine();
  const told: unknown[] = [];
  const held = { isSure: true, tell: (note: () => JsonObject) => void told.push(note()['state']) };
  const heartbeat = new ProjectorHeartbeat(new MemoryKeyValueStore(), new LocalBroadcast(), engine, held, jest.fn());
  heartbeat.start();
  await until(() => told.length === 1);
  engine.state = 'stalled';
  await until(() => told.length === 2);
  engine.state = 'live';
  await until(() => told.length === 3);
  await heartbeat.stop();
  expect(told).toEqual(['live', 'stalled', 'live']);
});

describe('when errors cannot be told', () => {
  const broken = (): never => {
    throw new Error('nobody listens');
  };
  beforeEach(() => {
    jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  });

  test('the heartbeat goes on after one', async () => {
    const side = new MemoryKeyValueStore();
    const broadcast = new LocalBroadcast();
    const list = jest.spyOn(side, 'list').mockRejectedValueOnce(new Error('away'));
    const heartbeat = new ProjectorHeartbeat(
      side,
      broadcast,
      new Engine(),
      new RenewedLease().hold(1),
      broken,
      OFTEN_MS,
    );
    heartbeat.start();
    await until(() => list.mock.calls.length >= 2);
    await heartbeat.stop();
  });

  test('the monitor goes on after one', async () => {
    const lease = new RenewedLease();
    const watch = new ProjectorMonitor(
      lease,
      new MemoryKeyValueStore(),
      new LocalBroadcast(),
      broken,
      new SetAside(),
      OFTEN_MS,
    );
    await watch.start();
    const sign = jest.spyOn(lease, 'sign').mockRejectedValueOnce(new Error('away'));
    await until(() => sign.mock.calls.length >= 2);
    await watch.stop();
  });
});
