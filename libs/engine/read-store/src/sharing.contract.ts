import { setTimeout as pause } from 'node:timers/promises';
import type { JsonObject } from '#kernel';
import { until } from '#testing';
import type { ReadStore } from './read-store.js';
import type { Broadcast, Lease, Leases, Progress } from './sharing.js';

/** Two processes that share one store. */
export interface SharingHarness<Port> {
  readonly here: Port;
  readonly there: Port;
  destroy(): Promise<void>;
}

const TTL_MS = 400;

/** Contract of every implementation of `Leases`. */
export function leasesContract(name: string, harnessOf: () => Promise<SharingHarness<Leases>>): void {
  describe(`leases on ${name}`, () => {
    let harness: SharingHarness<Leases>;

    beforeEach(async () => (harness = await harnessOf()));
    afterEach(() => harness.destroy());

    const taken = async (leases: Leases, holder: string, ttlMs = TTL_MS): Promise<Lease> => {
      const lease = await leases.acquire('writing', holder, ttlMs);
      if (lease === undefined) throw new Error(`${holder} did not get the lease.`);
      return lease;
    };

    test('go to the first process that asks, each name to one', async () => {
      const { here, there } = harness;
      const lease = await taken(here, 'ann');
      expect(lease).toMatchObject({ name: 'writing', holder: 'ann' });
      expect(lease.term).toBeGreaterThan(0);
      expect(await there.acquire('writing', 'bob', TTL_MS)).toBeUndefined();
      expect(await here.acquire('writing', 'cid', TTL_MS)).toBeUndefined();
      expect(await there.acquire('moving', 'bob', TTL_MS)).toMatchObject({ name: 'moving', holder: 'bob' });
    });

    test('go to exactly one of many who come at once', async () => {
      const { here, there } = harness;
      const tries = Array.from({ length: 8 }, (_, index) =>
        (index % 2 ? here : there).acquire('writing', `holder ${index}`, TTL_MS),
      );
      expect((await Promise.all(tries)).filter((lease) => lease !== undefined)).toHaveLength(1);
    });

    test('are free at once when they are released, and the terms grow for ever', async () => {
      const { here, there } = harness;
      let term = 0;
      for (const [leases, holder] of [
        [here, 'ann'],
        [there, 'bob'],
        [here, 'ann'],
        [here, 'ann'],
      ] as const) {
        const lease = await taken(leases, holder);
        expect(lease.term).toBeGreaterThan(term);
        term = lease.term;
        await leases.release(lease);
        expect(await leases.renew(lease)).toBe(false);
      }
    });

    test('stay as long as they are renewed', async () => {
      const { here, there } = harness;
      const lease = await taken(here, 'ann');
      const endMs = performance.now() + TTL_MS * 3;
      while (performance.now() < endMs) {
        expect(await here.renew(lease)).toBe(true);
        expect(await there.acquire('writing', 'bob', TTL_MS)).toBeUndefined();
        await pause(TTL_MS / 10);
      }
    });

    test('go on to the next when their holder is silent for so long, and not earlier', async () => {
      const { here, there } = harness;
      const lost = await taken(here, 'ann');
      const startedMs = performance.now();
      let won: Lease | undefined;
      await until(async () => (won = await there.acquire('writing', 'bob', TTL_MS)) !== undefined);
      expect(performance.now() - startedMs).toBeGreaterThanOrEqual(TTL_MS);
      expect(won).toMatchObject({ holder: 'bob' });
      expect(won?.term).toBeGreaterThan(lost.term);
      expect(await here.renew(lost)).toBe(false);
      expect(await here.acquire('writing', 'ann', TTL_MS)).toBeUndefined();
    });

    test('say what their holder says, with each renewal until they end', async () => {
      const { here, there } = harness;
      expect(await there.sign('writing')).toBeUndefined();
      const lease = await taken(here, 'ann');
      const before = await there.sign('writing');
      expect(before).toMatchObject({ term: lease.term, note: undefined });
      const note = { state: 'live', 'a.b': { $set: [1, null] } };
      await here.renew(lease, note);
      const told = await there.sign('writing');
      expect(told).toMatchObject({ term: lease.term, note });
      await here.renew(lease);
      const renewed = await there.sign('writing');
      expect(renewed).toMatchObject({ term: lease.term, note });
      expect([before, told, renewed].map((sign) => sign?.beat).sort()).toEqual([0, 1, 2]);
      await here.release(lease);
      expect(await there.sign('writing')).toMatchObject({ term: lease.term, note: undefined });
      const next = await taken(there, 'bob');
      expect(await here.sign('writing')).toMatchObject({ term: next.term, note: undefined });
    });

    test('that were lost cannot be released', async () => {
      const { here, there } = harness;
      const lost = await taken(here, 'ann');
      let won: Lease | undefined;
      await until(async () => (won = await there.acquire('writing', 'bob', TTL_MS)) !== undefined);
      await here.release(lost);
      if (won === undefined) throw new Error('No process holds the lease.');
      expect(await there.renew(won)).toBe(true);
      expect(await here.acquire('writing', 'cid', TTL_MS)).toBeUndefined();
    });

    test('are not taken from a holder after an outage in which it could not be renewed or read', async () => {
      const { here, there } = harness;
      const lease = await taken(here, 'ann');
      expect(await there.acquire('writing', 'bob', TTL_MS)).toBeUndefined();
      await pause(TTL_MS * 1.5);
      expect(await there.acquire('writing', 'bob', TTL_MS)).toBeUndefined();
      expect(await here.renew(lease)).toBe(true);
    });

    test('are not taken from a holder by a process that first reads them late', async () => {
      const { here, there } = harness;
      await taken(here, 'ann');
      await pause(TTL_MS * 1.5);
      // The time since the holder's last renewal is not known yet.
      expect(await there.acquire('writing', 'bob', TTL_MS)).toBeUndefined();
    });
  });
}

/** The writer of a store, and the progress that other processes see. */
export interface ProgressHarness extends SharingHarness<Progress> {
  readonly writer: ReadStore;
}

/** Contract of every implementation of `Progress`. */
export function progressContract(name: string, harnessOf: () => Promise<ProgressHarness>): void {
  describe(`progress on ${name}`, () => {
    let harness: ProgressHarness;

    beforeEach(async () => (harness = await harnessOf()));
    afterEach(() => harness.destroy());

    const pass = (position: number): Promise<void> => harness.writer.commit({ writes: [], position, passed: position });

    test('is nothing before the first commit', async () => {
      expect(await harness.here.position()).toBe(0);
    });

    test('is what has been acknowledged, however many ask', async () => {
      const { here, there } = harness;
      for (let position = 1; position <= 20; position++) {
        const early = [here.position(), there.position()];
        await pass(position);
        const late = [here.position(), here.position(), there.position()];
        expect(await Promise.all(late)).toEqual([position, position, position]);
        for (const seen of await Promise.all(early)) expect(seen).toBeGreaterThanOrEqual(position - 1);
      }
    });

    test('does not move with a commit that says nothing of it', async () => {
      await pass(7);
      await harness.writer.commit({ writes: [], position: 9 });
      expect(await harness.there.position()).toBe(7);
    });

    test('wakes those who watch', async () => {
      let calls = 0;
      const end = harness.there.watch(() => calls++);
      for (let position = 1; position <= 3; position++) {
        const before = calls;
        await pass(position);
        await until(() => calls > before);
      }
      end();
      const atEnd = calls;
      await pass(4);
      await pause(100);
      expect(calls).toBe(atEnd);
    });

    test('wakes soon: not only when it is time to look anyway', async () => {
      const waits: number[] = [];
      let moved = (): void => undefined;
      const end = harness.there.watch(() => moved());
      const next = (): Promise<void> => new Promise((resolve) => (moved = resolve));
      await next();
      const sinceMs = performance.now();
      await next();
      const anywayMs = performance.now() - sinceMs;
      for (let position = 1; position <= 10; position++) {
        const startedMs = performance.now();
        const woken = next();
        await pass(position);
        await woken;
        waits.push(performance.now() - startedMs);
      }
      end();
      expect(waits.sort((a, b) => a - b)[4]).toBeLessThan(0.8 * anywayMs);
    });

    test('never lets a watcher wait for long, though nothing moves', async () => {
      let calls = 0;
      const end = harness.there.watch(() => calls++);
      await until(() => calls > 1);
      end();
    });
  });
}

/** Contract of every implementation of `Broadcast`. */
export function broadcastContract(name: string, harnessOf: () => Promise<SharingHarness<Broadcast>>): void {
  describe(`broadcasts on ${name}`, () => {
    let harness: SharingHarness<Broadcast>;

    beforeEach(async () => (harness = await harnessOf()));
    afterEach(() => harness.destroy());

    const collect = (broadcast: Broadcast, topic: string): { heard: JsonObject[]; end: () => void } => {
      const heard: JsonObject[] = [];
      return { heard, end: broadcast.subscribe(topic, (body) => heard.push(body)) };
    };

    test('reach all listeners to the topic, including the sender, and no others', async () => {
      const { here, there } = harness;
      const [mine, others, elsewhere] = [collect(here, 'typing'), collect(there, 'typing'), collect(there, 'presence')];
      const body = { user: 1, 'a.b': { $x: [null, true, 'é\u{1f600}'] } };
      await here.publish('typing', body);
      await until(() => mine.heard.length > 0 && others.heard.length > 0);
      expect([mine.heard, others.heard, elsewhere.heard]).toEqual([[body], [body], []]);
      for (const { end } of [mine, others, elsewhere]) end();
    });

    test('come in the order of sending, each once', async () => {
      const { here, there } = harness;
      const { heard, end } = collect(there, 'typing');
      const bodies = Array.from({ length: 200 }, (_, n) => ({ n }));
      await Promise.all(bodies.map((body) => here.publish('typing', body)));
      await until(() => heard.length >= 200);
      await here.publish('typing', { n: 200 });
      await until(() => heard.length > 200);
      expect(heard).toEqual([...bodies, { n: 200 }]);
      end();
    });

    test('of several senders all arrive', async () => {
      const { here, there } = harness;
      const { heard, end } = collect(here, 'typing');
      await Promise.all(
        Array.from({ length: 60 }, (_, n) => (n % 2 ? here : there).publish('typing', { from: n % 2, n })),
      );
      await until(() => heard.length >= 60);
      for (const from of [0, 1]) {
        const numbers = heard.filter((body) => body['from'] === from).map(({ n }) => n);
        expect(numbers).toEqual(Array.from({ length: 30 }, (_, index) => index * 2 + from));
      }
      end();
    });

    test('are not heard any more by who has ended', async () => {
      const { here, there } = harness;
      const [ended, staying] = [collect(there, 'typing'), collect(there, 'typing')];
      await here.publish('typing', { n: 1 });
      await until(() => ended.heard.length === 1 && staying.heard.length === 1);
      ended.end();
      await here.publish('typing', { n: 2 });
      await until(() => staying.heard.length === 2);
      expect(ended.heard).toEqual([{ n: 1 }]);
      staying.end();
    });

    test('sent before a listener subscribed are not delivered to it', async () => {
      const { here, there } = harness;
      collect(there, 'typing').end();
      await here.publish('presence', { n: 1 });
      const { heard, end } = collect(there, 'presence');
      await here.publish('presence', { n: 2 });
      await until(() => heard.some(({ n }) => n === 2));
      expect(heard.filter(({ n }) => n === 2)).toHaveLength(1);
      end();
    });

    test('do not fail because a listener does', async () => {
      const { here, there } = harness;
      const warned = jest.spyOn(process, 'emitWarning').mockReturnValue();
      const endFailing = there.subscribe('typing', () => {
        throw new Error('A listener fails.');
      });
      const { heard, end } = collect(there, 'typing');
      await here.publish('typing', { n: 1 });
      await until(() => heard.length === 1);
      expect(warned.mock.calls).toEqual([[expect.stringContaining('A listener fails.')]]);
      for (const ending of [endFailing, end]) ending();
      warned.mockRestore();
    });
  });
}
