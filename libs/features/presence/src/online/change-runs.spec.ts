import * as fc from 'fast-check';
import { rounds, seeded, sized } from '#testing';
import { type Change, CHANGES_PER_RUN, ChangeRuns } from './change-runs.js';

interface User extends Change {
  readonly userId: number;
}

const ticksOf = (runs: readonly (readonly Change[])[]): number[] => runs.flat().map(({ tick }) => tick);

/** Changes as `PresenceBook` makes them: a user's next one takes the place of the one before. */
function changed(userIds: readonly number[], afterEach: (runs: ChangeRuns<User>, all: readonly User[]) => void): void {
  const runs = new ChangeRuns<User>();
  let all: User[] = [];
  for (const [index, userId] of userIds.entries()) {
    const before = all.find((change) => change.userId === userId);
    const change = { userId, tick: 3 * index };
    if (before !== undefined) runs.delete(before);
    runs.add(change);
    all = [...all.filter((other) => other !== before), change];
    afterEach(runs, all);
  }
}

test('the runs are the latest change of each user after a tick, by tick', () => {
  const histories = fc.record({
    users: fc.integer({ min: 1, max: 4 * CHANGES_PER_RUN }),
    seed: fc.nat(),
    isInTurn: fc.boolean(),
  });
  fc.assert(
    fc.property(histories, ({ users, seed, isInTurn }) => {
      const random = seeded(seed);
      const userIds = Array.from({ length: 3 * users }, (_, index) =>
        isInTurn ? index % users : Math.floor(random() * users),
      );
      changed(userIds, (runs, all) => {
        if (random() > 0.05) return;
        for (const tick of [0, 1, ...Array.from({ length: 3 }, () => Math.floor(random() * 3 * userIds.length))])
          expect(ticksOf(runs.from(tick))).toEqual(ticksOf([all]).filter((one) => one >= tick));
      });
    }),
    { numRuns: rounds(sized({ nightly: 30, usual: 5 })) },
  );
});

test('there are never many short runs', () => {
  const random = seeded(1);
  const userIds = Array.from({ length: sized({ nightly: 5_000, usual: 2_500 }) }, (_, index) =>
    index < 1_500 ? index : Math.floor(random() ** 3 * 1_500),
  );
  changed(userIds, (runs, all) => {
    const lengths = runs.from(0).map(({ length }) => length);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(CHANGES_PER_RUN);
    expect(lengths.length).toBeLessThanOrEqual(2 * Math.ceil(all.length / CHANGES_PER_RUN));
  });
});

test('a change replaces a few runs, and mutates none', () => {
  const random = seeded(2);
  const userIds = Array.from({ length: sized({ nightly: 3_000, usual: 1_500 }) }, (_, index) =>
    index < 1_000 ? index : Math.floor(random() * 1_000),
  );
  let before: readonly (readonly User[])[] = [];
  let copies: readonly string[] = [];
  changed(userIds, (runs) => {
    expect(before.map((run) => ticksOf([run]).join())).toEqual(copies);
    const after = runs.from(0);
    expect(after.filter((run) => !before.includes(run)).length).toBeLessThanOrEqual(2);
    before = after;
    copies = after.map((run) => ticksOf([run]).join());
  });
});
