import fc from 'fast-check';
import { CoreShare } from './core-share.js';

/** Time passes by work and rests alone. */
class FakeCore {
  nowMs = 0;
  #busyMs = 0;

  busyMs(): number {
    return this.#busyMs;
  }

  rest(ms: number): Promise<void> {
    this.nowMs += ms;
    return Promise.resolve();
  }

  work(ms: number): Promise<void> {
    this.nowMs += ms;
    this.#busyMs += ms;
    return Promise.resolve();
  }
}

test('any pieces of work take their share of the time, and not more', async () => {
  const pieces = fc.array(fc.integer({ min: 0, max: 80 }), { minLength: 1, maxLength: 50 });
  await fc.assert(
    fc.asyncProperty(pieces, async (lengths) => {
      const core = new FakeCore();
      const share = new CoreShare(0.25, core);
      await Promise.all(lengths.map((ms) => share.run(() => core.work(ms))));
      // What came before it is done, and has rested.
      await share.run(() => Promise.resolve());
      expect(core.busyMs()).toBeCloseTo(core.nowMs * 0.25);
    }),
  );
});

test('pieces run one after the other, in order, whatever becomes of those before', async () => {
  const core = new FakeCore();
  const share = new CoreShare(0.5, core);
  const log: string[] = [];
  const piece = (name: string, fails = false): Promise<string> =>
    share.run(async () => {
      log.push(`${name} begins`);
      await core.work(1);
      log.push(`${name} ends`);
      if (fails) throw new Error(name);
      return name;
    });
  const [one, two, three] = await Promise.allSettled([piece('one'), piece('two', true), piece('three')]);
  expect(log).toEqual(['one begins', 'one ends', 'two begins', 'two ends', 'three begins', 'three ends']);
  expect([one.status, two.status, three.status]).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

test('a piece of unusual length does not hold up the next one for long', async () => {
  const core = new FakeCore();
  const share = new CoreShare(0.25, core);
  await share.run(() => core.work(60_000));
  await share.run(() => Promise.resolve());
  expect(core.nowMs).toBe(60_250);
});
