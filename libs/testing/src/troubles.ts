import fc from 'fast-check';
import type { ReadSideInTrouble } from './read-side-in-trouble.js';

/** A step of a story, with its name for reports. */
export type Step<World> = readonly [name: string, run: (world: World) => Promise<void>];

/** What happens to a read side, one after the other also where works that overlap bring it about. */
export const troubles: fc.Arbitrary<Step<ReadSideInTrouble>> = fc
  .oneof(
    fc
      .integer({ min: 0, max: 2 })
      .map((which): Step<ReadSideInTrouble> => [`put back ${which}`, (side) => side.putBack(which)]),
    fc.constantFrom<Step<ReadSideInTrouble>>(
      ['back up', (side) => side.backUp()],
      ['drop', (side) => side.putBack(Infinity)],
      ['stop', (side) => side.stop()],
      ['start', (side) => side.start()],
      ['replace', (side) => side.replace()],
      ['recover', (side) => side.recover()],
    ),
  )
  .map(([name, run]) => [name, (side) => side.oneAtATime.run(() => run(side))]);
