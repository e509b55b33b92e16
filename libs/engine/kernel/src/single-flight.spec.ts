import { setTimeout as pause } from 'node:timers/promises';
import { SingleFlight } from './single-flight.js';

describe('a single flight', () => {
  test('never answers a call with a run that began before it', async () => {
    let runs = 0;
    const flight = new SingleFlight(async () => {
      const run = ++runs;
      await pause(5);
      return run;
    });
    const answers: Promise<number>[] = [];
    for (let call = 0; call < 50; call++) {
      const before = runs;
      answers.push(
        flight.run().then((run) => {
          expect(run).toBeGreaterThan(before);
          return run;
        }),
      );
      if (call % 3 === 0) await pause(1);
    }
    expect(Math.max(...(await Promise.all(answers)))).toBe(runs);
    expect(runs).toBeLessThan(30);
  });

  test('fails for the callers that share the failing run, and not for later ones', async () => {
    let runs = 0;
    const flight = new SingleFlight(async () => {
      await pause(1);
      if (++runs === 1) throw new Error('The first fails.');
      return runs;
    });
    const [first, shared] = [flight.run(), flight.run()];
    await pause(0);
    const second = flight.run();
    await expect(first).rejects.toThrow('first');
    await expect(shared).rejects.toThrow('first');
    expect(await second).toBe(2);
  });

  test('that never settles is given up, and does not block later callers', async () => {
    let runs = 0;
    const limit = { limitMs: 20, late: () => new Error('late') };
    const flight = new SingleFlight(
      () => (++runs === 1 ? new Promise<number>(() => undefined) : Promise.resolve(runs)),
      limit,
    );
    const [first, shared] = [flight.run(), flight.run()];
    await pause(0);
    const later = flight.run();
    await expect(first).rejects.toThrow('late');
    await expect(shared).rejects.toThrow('late');
    expect(await later).toBe(2);
    expect(await flight.run()).toBe(3);
  });
});
