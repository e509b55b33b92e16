import fc from 'fast-check';
import { notReady, PositionWaiters } from './position-waiters.js';

const settled = (): Promise<void> => new Promise(setImmediate);

test('waiting requests are served exactly when the position is passed, in any order of arrival', async () => {
  const step = fc.record({
    wait: fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 8 }),
    advance: fc.integer({ min: 0, max: 40 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const waiters = new PositionWaiters();
      const waiting: { position: number; served: boolean }[] = [];
      let reached = 0;
      for (const { wait, advance } of steps) {
        for (const position of wait.filter((one) => one > reached)) {
          const entry = { position, served: false };
          waiting.push(entry);
          void waiters.wait(position, 0).then(() => (entry.served = true));
        }
        reached = Math.max(reached, advance);
        waiters.advance(reached);
        await settled();
        for (const { position, served } of waiting) expect(served).toBe(position <= reached);
        expect(waiters.size).toBe(waiting.filter(({ served }) => !served).length);
      }
    }),
  );
});

test('thousands are served without keeping the served', async () => {
  const waiters = new PositionWaiters();
  const all = Array.from({ length: 5000 }, (_, index) => waiters.wait(index, 0));
  for (let position = 0; position < 5000; position += 7) waiters.advance(position);
  waiters.advance(5000);
  await Promise.all(all);
  expect(waiters.size).toBe(0);
  expect(waiters.oldestMs()).toBe(Infinity);
});

test('who has waited too long is refused, the others wait on', async () => {
  const waiters = new PositionWaiters();
  const old = waiters.wait(5, 100);
  const young = waiters.wait(4, 200);
  waiters.expire(150, () => notReady('too long'));
  await expect(old).rejects.toMatchObject({ code: 'SERVER_NOT_READY' });
  expect(waiters.oldestMs()).toBe(200);
  waiters.advance(4);
  await young;
});
