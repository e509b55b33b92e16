import { nextSlice, Slices } from './next-slice.js';

/** Counts the rounds of the event loop. */
function rounds(): { count: number; stop(): void } {
  let isCounting = true;
  const counted = { count: 0, stop: (): boolean => (isCounting = false) };
  const count = (): void => {
    counted.count++;
    if (isCounting) setImmediate(count);
  };
  setImmediate(count);
  return counted;
}

test('the event loop comes round between two slices of any work', async () => {
  const loop = rounds();
  const seen: number[] = [];
  const work = async (): Promise<void> => {
    for (let slice = 0; slice < 5; slice++) {
      await nextSlice();
      seen.push(loop.count);
    }
  };
  await Promise.all([work(), work(), work()]);
  loop.stop();
  // Fifteen slices, each in a round of its own.
  expect(new Set(seen).size).toBe(15);
});

test('pieces of work take turns', async () => {
  const order: string[] = [];
  const work = async (name: string): Promise<void> => {
    for (let slice = 0; slice < 3; slice++) {
      await nextSlice();
      order.push(name);
    }
  };
  await Promise.all([work('a'), work('b')]);
  expect(order.join('')).toBe('ababab');
});

test('work in slices by time lets the event loop come round every few milliseconds', async () => {
  const loop = rounds();
  const slices = new Slices();
  const beganMs = performance.now();
  let next = 0;
  while (performance.now() - beganMs < 200) {
    if (!slices.isOver) continue;
    await slices.next();
    next++;
  }
  loop.stop();
  expect(next).toBeGreaterThan(1);
  expect(loop.count).toBeGreaterThanOrEqual(next);
});
