import { setTimeout as pause } from 'node:timers/promises';
import { Coalesced } from './coalesced.js';

describe('coalesced work', () => {
  test('never answers a call with a run that began before it', async () => {
    let runs = 0;
    const work = new Coalesced(async () => {
      const run = ++runs;
      await pause(5);
      return run;
    });
    const answers: Promise<number>[] = [];
    for (let call = 0; call < 50; call++) {
      const before = runs;
      answers.push(
        work.run().then((run) => {
          expect(run).toBeGreaterThan(before);
          return run;
        }),
      );
      if (call % 3 === 0) await pause(1);
    }
    expect(Math.max(...(await Promise.all(answers)))).toBe(runs);
    expect(runs).toBeLessThan(30);
  });

  test('fails for those who share the failing run, and for nobody after them', async () => {
    let runs = 0;
    const work = new Coalesced(async () => {
      await pause(1);
      if (++runs === 1) throw new Error('The first fails.');
      return runs;
    });
    const [first, shared] = [work.run(), work.run()];
    await pause(0);
    const second = work.run();
    await expect(first).rejects.toThrow('first');
    await expect(shared).rejects.toThrow('first');
    expect(await second).toBe(2);
  });
});
