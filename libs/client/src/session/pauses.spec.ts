import { Pauses } from './pauses.js';

const FOREVER_MS = 1_000_000_000;

test('many pauses are cut short together, and Node warns of none of their listeners', async () => {
  const warnings: string[] = [];
  const hear = ({ message }: Error): unknown => warnings.push(message);
  process.on('warning', hear);
  const pauses = new Pauses();
  const all = Promise.all(Array.from({ length: 20 }, () => pauses.sleep(FOREVER_MS)));
  // Warnings come a turn later.
  await new Promise(setImmediate);
  pauses.wake();
  expect(await all).toEqual(Array.from({ length: 20 }, () => true));
  process.off('warning', hear);
  expect(warnings).toEqual([]);
});

test('after the end there are none', async () => {
  const pauses = new Pauses();
  const begun = pauses.sleep(FOREVER_MS);
  pauses.end();
  expect(await Promise.all([begun, pauses.sleep(FOREVER_MS)])).toEqual([true, true]);
});
