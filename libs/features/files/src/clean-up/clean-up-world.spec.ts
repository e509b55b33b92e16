import fc from 'fast-check';
import { describeOnMongo, EmbeddedInTrouble, rounds, SharedInTrouble, sized, type Step, troubles } from '#testing';
import { CleanUpWorld, HOUR_MS, projections } from './clean-up-world.fixture.js';

const CONTENTS = ['soup', 'bread', 'tea'];
const WEEKS_MS = 6 * 7 * 24 * HOUR_MS;

/** What happens to files, or under them. */
type Named = Step<CleanUpWorld>;

const some = (most: number): fc.Arbitrary<number> => fc.integer({ min: 0, max: most });
const named = (name: string, run: Named[1]): Named => [name, run];

const uploads = some(CONTENTS.length - 1).map((index) =>
  named(`upload ${CONTENTS[index]}`, async (world) => {
    const content = CONTENTS[index] ?? '';
    await world.record(await world.store(content), content.length);
  }),
);
const halfUploads = some(CONTENTS.length - 1).map((index) =>
  named(`store ${CONTENTS[index]}`, async (world) => {
    await world.store(CONTENTS[index] ?? '');
  }),
);
const removals = some(3).map((id) => named(`remove file ${id + 1}`, (world) => world.removeFile(id + 1)));
const references = some(3).map((id) => named(`refer to file ${id + 1}`, (world) => world.refer(id + 1)));
const deletions = some(2).map((id) => named(`delete message ${id + 1}`, (world) => world.deleteMessage(id + 1)));
const times = fc.constantFrom(2 * HOUR_MS, WEEKS_MS).map((ms) =>
  named(`${ms / HOUR_MS} hours pass`, (world) => {
    world.clock.atMs += ms;
    return Promise.resolve();
  }),
);
const underneath = fc.oneof(
  { weight: 2, arbitrary: troubles.map(([name, run]) => named(name, (world) => run(world.side))) },
  fc.constantFrom<Named>(
    named('rebuild files', (world) => world.side.rebuild('files')),
    named('rebuild messages', (world) => world.side.rebuild('messages')),
    named('lose file 1', (world) => world.side.loseDocument('files', 1)),
    named('lose message 1', (world) => world.side.loseDocument('messages', 1)),
  ),
);
const interruptions = fc.array(fc.tuple(some(12), fc.oneof(uploads, removals, underneath)), { maxLength: 2 });
const cleanUps = interruptions.map((within) =>
  named(['clean up', ...within.map(([question, [name]]) => `${name} at ${question}`)].join(', '), (world) =>
    world.round(new Map(within.map(([question, [, step]]) => [question, () => step(world)]))),
  ),
);
const stories = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: uploads },
    halfUploads,
    removals,
    references,
    deletions,
    { weight: 2, arbitrary: times },
    { weight: 3, arbitrary: underneath },
    { weight: 4, arbitrary: cleanUps },
  ),
  { minLength: 4, maxLength: 16 },
);

async function holds(open: () => Promise<CleanUpWorld>, story: readonly Named[]): Promise<void> {
  const world = await open();
  try {
    await world.side.recover();
    for (const [, step] of story) {
      await step(world);
      const { owned, stored } = await world.contents();
      expect([...owned].filter((hash) => !stored.has(hash))).toEqual([]);
    }
    await world.settle();
    const { owned, stored } = await world.contents();
    expect([...stored].sort()).toEqual([...owned].sort());
    expect(await world.wronglyUnused()).toEqual([]);
  } finally {
    await world.close();
  }
}

const told = stories.map((story) =>
  Object.assign(story, { [fc.toStringMethod]: () => story.map(([name]) => name).join('; ') }),
);
const LIMIT_MS = 60 * 60_000;

describe('clean-up under rebuilds, restores and uploads loses nothing that is recorded, and removes the rest', () => {
  const usual = { numRuns: sized({ nightly: 1_000, usual: rounds(20) }) };

  test(
    'with read models in files',
    () =>
      fc.assert(
        fc.asyncProperty(told, (story) =>
          holds(
            () => CleanUpWorld.open((events) => Promise.resolve(new EmbeddedInTrouble(events, projections))),
            story,
          ),
        ),
        usual,
      ),
    LIMIT_MS,
  );
});

describeOnMongo('clean-up under rebuilds, restores and uploads on a server', (server) => {
  const usual = { numRuns: sized({ nightly: 1_000, usual: rounds(4) }) };

  test(
    'loses nothing that is recorded, and removes the rest',
    () =>
      fc.assert(
        fc.asyncProperty(told, (story) =>
          holds(
            () => CleanUpWorld.open((events) => SharedInTrouble.open(server.freshUrl(), events, projections)),
            story,
          ),
        ),
        usual,
      ),
    LIMIT_MS,
  );
});
