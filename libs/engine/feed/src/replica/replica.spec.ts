import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { EventStoreUnavailable, streams } from '#event-store';
import { Refusal } from '#kernel';
import { ReadStoreUnavailable } from '#read-store';
import { rounds, sized, until } from '#testing';
import { type Api, QueueClient, ReplicaWorld } from './replica.fixture.js';

const said = (n: number, times = 1) => ({
  type: 'message.sent.v1',
  data: { n, times, audience: { to: 'users', ids: [1] } },
});
const silent = { type: 'nothing.said.v1', data: {} };

describe('in any order of steps', () => {
  type Step =
    | { readonly do: 'record'; readonly facts: readonly number[] }
    | { readonly do: 'write' | 'project' | 'wait'; readonly count: number; readonly isTold: boolean | 'with documents' }
    | { readonly do: 'snapshot' }
    | { readonly do: 'register' | 'restart' | 'current' | 'reached'; readonly api: number }
    | { readonly do: 'poll'; readonly api: number; readonly client: number; readonly waits: boolean };

  const api = fc.nat(1);
  const step: fc.Arbitrary<Step> = fc.oneof(
    { weight: 5, arbitrary: fc.record({ do: fc.constant('record' as const), facts: fc.array(fc.nat(3)) }) },
    {
      weight: 12,
      arbitrary: fc.record({
        do: fc.constantFrom('write' as const, 'project' as const, 'project' as const, 'wait' as const),
        count: fc.nat(12),
        isTold: fc.constantFrom(false, true, 'with documents' as const),
      }),
    },
    { weight: 1, arbitrary: fc.constant({ do: 'snapshot' as const }) },
    { weight: 6, arbitrary: fc.record({ do: fc.constantFrom('register' as const, 'current', 'reached'), api }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const), api }) },
    {
      weight: 12,
      arbitrary: fc.record({ do: fc.constant('poll' as const), api, client: fc.nat(5), waits: fc.boolean() }),
    },
  );

  /** Two processes, their clients, and the events they must receive. */
  class Story {
    readonly clients: QueueClient[] = [];
    readonly promised: Promise<unknown>[] = [];
    #said = 0;
    /** Recorded parts, with their positions. */
    readonly #facts: { readonly position: number; readonly parts: readonly string[] }[] = [];

    constructor(
      readonly world: ReplicaWorld,
      readonly apis: Api[],
    ) {}

    async take(step: Step): Promise<void> {
      const { world } = this;
      switch (step.do) {
        case 'record':
          for (const times of step.facts) await this.#record(times);
          return;
        case 'write':
          world.write(step.count);
          return;
        case 'project':
          world.project(step.count, step.isTold);
          return;
        case 'wait':
          for (let turn = 0; turn < step.count; turn++) await nextTurn();
          return;
        case 'snapshot':
          await world.saveSnapshot();
          return;
        case 'restart': {
          await world.end(this.apis[step.api]!);
          const starting = world.start();
          for (let turn = 0; turn < 4; turn++) {
            await nextTurn();
            world.project(2);
          }
          this.apis[step.api] = await starting;
          return;
        }
        case 'register':
          if (this.clients.length < 5) this.clients.push(await QueueClient.register(this.apis[step.api]!));
          return;
        case 'poll':
          await this.#poll(step);
          return;
        default:
          this.promised.push(this.#promise(step.do, this.apis[step.api]!));
      }
    }

    async #record(times: number): Promise<void> {
      if (times === 0) {
        await this.world.append(streams.user(2), [silent]);
        return;
      }
      const n = ++this.#said;
      await this.world.append(streams.messages, [said(n, times)]);
      const parts = Array.from({ length: times }, (_, part) => `${n}.${part}`);
      this.#facts.push({ position: this.world.log.at(-1)!.position, parts });
    }

    async #poll({ api, client, waits }: Step & { do: 'poll' }): Promise<void> {
      if (this.clients.length === 0) return;
      expect(await this.clients[client % this.clients.length]!.poll(this.apis[api]!, waits)).not.toBe('gone');
    }

    /** A promise is kept unless its process ends. */
    async #promise(kind: 'current' | 'reached', { replica, directory }: Api): Promise<void> {
      const { progress, log } = this.world;
      const position = kind === 'current' ? progress.passed : log.at(-1)!.position;
      try {
        await (kind === 'current' ? replica.sync() : replica.waitFor(position));
      } catch (error) {
        expect(String(error)).toContain('shutting down');
        return;
      }
      expect(replica.position).toBeGreaterThanOrEqual(position);
      expect(progress.passed).toBeGreaterThanOrEqual(position);
      expect(directory.position).toBe(replica.position);
    }

    async end(): Promise<void> {
      this.world.projectAll();
      await Promise.all(this.promised);
      for (const [index, client] of this.clients.entries()) {
        while ((await client.poll(this.apis[index % 2]!, false)) === 'events');
        const expected = this.#facts.filter(({ position }) => position > client.from).flatMap(({ parts }) => parts);
        expect(client.heard).toEqual(expected);
      }
      expect(this.world.errors).toEqual([]);
    }
  }

  test('each queue hears each event once, in order, at any process, and never before it shows', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 20, maxLength: 80 }),
        fc.integer({ min: 1, max: 4 }),
        fc.array(fc.nat(4), { minLength: 1, maxLength: 20 }),
        async (steps, pageRecordsMax, delays) => {
          let asked = 0;
          const delay = async (): Promise<void> => {
            for (let turns = delays[asked++ % delays.length]!; turns > 0; turns--) await nextTurn();
          };
          const world = await new ReplicaWorld(delay, pageRecordsMax).open();
          try {
            const story = new Story(world, [await world.start(), await world.start()]);
            for (const one of steps) await story.take(one);
            await story.end();
          } finally {
            await world.destroy();
          }
        },
      ),
      { numRuns: rounds(sized({ nightly: 40, usual: 15 })) },
    );
  });
});

describe('a process that only reads the read store', () => {
  let world: ReplicaWorld;
  let api: Api;
  beforeEach(async () => {
    world = await new ReplicaWorld().open();
    api = await world.start();
  });
  afterEach(() => world.destroy());

  test('shows nothing before the projector has passed it', async () => {
    const { position } = api.replica;
    await world.append(streams.messages, [said(1)]);
    world.write(1);
    let isReached = false;
    const reached = api.replica.waitFor(position + 1).then(() => (isReached = true));
    await api.replica.sync();
    await api.replica.still(async () => undefined);
    expect([isReached, api.replica.position, api.directory.lastMessageId]).toEqual([false, position, 0]);
    world.project(1);
    await reached;
    expect([api.replica.position, api.directory.lastMessageId]).toEqual([position + 1, 1]);
  });

  test('shows each event once, though it could not take in one of a batch at first', async () => {
    const read: number[] = [];
    let failures = 3;
    world.recorded = ({ data, position }) => {
      if ((data as { n?: number }).n === 2 && failures-- > 0) throw new Error('not now');
      read.push(position);
    };
    world.shown.length = 0;
    await world.append(streams.messages, [said(1), said(2), said(3)]);
    world.projectAll();
    const positions = world.log.slice(-3).map(({ position }) => position);
    await api.replica.waitFor(positions.at(-1)!);
    expect({ read, shown: world.shown }).toEqual({ read: positions, shown: positions });
  });

  test('refuses commands as soon as the log is away, however seldom it looks', async () => {
    expect(api.replica.complaint).toBeUndefined();
    jest.spyOn(world.store, 'failure', 'get').mockReturnValue(new EventStoreUnavailable('away'));
    expect(api.replica.complaint).toBe('The event store is not available.');
    expect(() => {
      api.replica.assertAccepting();
    }).toThrow('The event store is not available.');
  });

  test('answers polls that wait though the word of the projector was lost, and the first questions for it', async () => {
    const client = await QueueClient.register(api);
    expect(await client.poll(api, true)).toBe('waits');
    await world.append(streams.messages, [said(1)]);
    world.project(1, 'with documents');
    await until(() => client.heard.length > 0);
    expect(await client.poll(api, true)).toBe('waits');
    const away = new ReadStoreUnavailable('The read store is away.');
    jest.spyOn(world.progress, 'position').mockRejectedValueOnce(away).mockRejectedValueOnce(away);
    await world.append(streams.messages, [said(2)]);
    world.project(1, false);
    await until(() => client.heard.length > 1);
    expect(client.heard).toEqual(['1.0', '2.0']);
  });

  test('refuses everything while the read models are built again, and goes on where it was', async () => {
    const client = await QueueClient.register(api);
    await world.append(streams.messages, [said(1)]);
    world.projectAll();
    await api.replica.sync();
    const { passed } = world.progress;
    world.progress.moveTo(0, true);
    await expect(api.replica.sync()).rejects.toThrow('being built again');
    await expect(api.replica.still(async () => 'read')).rejects.toThrow(Refusal);
    await until(() => api.replica.complaint?.includes('being built again') === true);
    world.progress.moveTo(passed - 1, true);
    await expect(client.poll(api, false)).rejects.toThrow('being built again');
    world.progress.moveTo(passed, true);
    await until(() => api.replica.complaint === undefined);
    expect(await client.poll(api, false)).toBe('events');
    expect(client.heard).toEqual(['1.0']);
  });

  test('does not block requests for ever when the read store is silent', async () => {
    let open = (): void => undefined;
    world.progress.gate = new Promise((resolve) => (open = resolve));
    world.progress.moveTo(world.progress.passed, true);
    await expect(api.replica.sync()).rejects.toThrow('does not answer');
    await until(() => api.replica.complaint?.includes('does not answer') === true);
    // Later callers are refused without a question, and so without waiting.
    const { timesAsked } = world.progress;
    await expect(api.replica.sync()).rejects.toThrow('does not answer');
    expect(world.progress.timesAsked).toBe(timesAsked);
    world.progress.gate = undefined;
    open();
    await until(() => api.replica.complaint === undefined);
    await api.replica.sync();
  });

  test('after a long suspension, clients that missed pruned events lose their queue', async () => {
    const [behind, waiting] = await Promise.all([1, 2].map(() => QueueClient.register(api)));
    expect(await waiting!.poll(api, true)).toBe('waits');
    let wake = (): void => undefined;
    world.progress.gate = new Promise((resolve) => (wake = resolve));
    await world.append(streams.messages, [said(1), said(2), said(3)]);
    world.projectAll();
    const [first, second] = world.log.slice(-3).map(({ position }) => position);
    world.documents.texts.delete(first!);
    await world.side.put('feed', 'floor', { position: second! });
    world.clock.atMs = Date.now() + 3_600_000;
    world.progress.gate = undefined;
    wake();
    await until(() => api.queues.heldCount === 0);
    expect(await behind!.poll(api, false)).toBe('gone');
    expect(await waiting!.poll(api, false)).toBe('gone');
    expect([behind!.heard, waiting!.heard]).toEqual([[], []]);
    const fresh = await QueueClient.register(api);
    await world.append(streams.messages, [said(4)]);
    world.projectAll();
    expect(await fresh.poll(api, false)).toBe('events');
    expect(fresh.heard).toEqual(['4.0']);
  });

  test('starts from a snapshot, and tells queues what the one before it did not', async () => {
    const client = await QueueClient.register(api);
    await world.append(streams.messages, [said(1), said(2)]);
    world.project(1);
    expect(await client.poll(api, false)).toBe('events');
    await world.saveSnapshot();
    world.project(1);
    await world.end(api);
    api = await world.start();
    expect(api.directory.lastMessageId).toBe(2);
    expect(await client.poll(api, false)).toBe('events');
    expect(client.heard).toEqual(['1.0', '2.0']);
  });
});

describe('a queue whose client went on at another process', () => {
  let world: ReplicaWorld;
  let apis: [Api, Api];
  let client: QueueClient;
  beforeEach(async () => {
    world = await new ReplicaWorld().open();
    apis = [await world.start(), await world.start()];
    client = await QueueClient.register(apis[0]);
    expect(await client.poll(apis[0], false)).toBe('nothing');
  });
  afterEach(() => world.destroy());

  test.each([0, -120_000])('does not end where it was before, with clocks apart by %d ms', async (apartMs) => {
    const startedMs = world.clock.atMs;
    world.clock.atMs += apartMs;
    expect(await client.poll(apis[1], true)).toBe('waits');
    world.clock.atMs = startedMs + 700_000;
    await apis[0].queues.sweep();
    expect([apis[0].queues.size, apis[1].queues.size, apis[1].queues.heldCount]).toEqual([0, 1, 1]);
    await world.append(streams.messages, [said(1)]);
    world.projectAll();
    await until(() => client.heard.length === 1);
    expect(await client.poll(apis[0], false)).toBe('nothing');
  });

  test('is not written down by who served it before', async () => {
    await world.append(streams.messages, [said(1)]);
    world.projectAll();
    expect(await client.poll(apis[0], false)).toBe('events');
    expect(await client.poll(apis[0], false)).toBe('nothing');
    expect(await client.poll(apis[1], false)).toBe('nothing');
    const record = await world.side.get('queues', client.queueId);
    world.clock.atMs += 1_000;
    await apis[0].queues.sweep();
    expect(await world.side.get('queues', client.queueId)).toEqual(record);
    expect(apis[0].queues.size).toBe(0);
  });

  test('ends without a successor', async () => {
    world.clock.atMs += 700_000;
    await apis[0].queues.sweep();
    expect(await world.side.get('queues', client.queueId)).toBeUndefined();
    expect(await client.poll(apis[1], false)).toBe('gone');
  });
});

describe('an account that is deactivated', () => {
  const deactivated = { type: 'user.deactivated.v1', data: { userId: 1, by: 2, at: 1 } };
  const reactivated = { type: 'user.reactivated.v1', data: { userId: 1, by: 2, at: 2 } };
  let world: ReplicaWorld;
  let api: Api;
  let client: QueueClient;
  beforeEach(async () => {
    world = await new ReplicaWorld().open();
    api = await world.start();
    client = await QueueClient.register(api);
  });
  afterEach(() => world.destroy());

  const isUsable = (): boolean => api.directory.isUsable(api.directory.user(1)!);

  test('cannot be used, and has no queues, before the projector has passed that', async () => {
    expect(await client.poll(api, true)).toBe('waits');
    const { position } = api.replica;
    await world.append(streams.organization, [deactivated]);
    await until(() => !isUsable() && api.queues.size === 0);
    expect([api.queues.heldCount, api.replica.position, api.directory.user(1)?.isActive]).toEqual([0, position, true]);
    expect(await client.poll(api, false)).toBe('gone');
  });

  test('can be used again when it has been reactivated', async () => {
    await world.append(streams.organization, [deactivated]);
    world.projectAll();
    await until(() => api.directory.user(1)?.isActive === false);
    expect(isUsable()).toBe(false);
    await world.append(streams.organization, [reactivated, deactivated, reactivated]);
    world.projectAll();
    await until(() => isUsable());
  });

  test('gets none of its queues back, not even one that no process was serving', async () => {
    await world.end(api);
    await world.append(streams.organization, [deactivated, reactivated]);
    world.projectAll();
    api = await world.start();
    expect(isUsable()).toBe(true);
    expect(await client.poll(api, false)).toBe('gone');
    expect(await world.side.get('queues', client.queueId)).toBeUndefined();
  });
});
