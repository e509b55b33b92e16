/**
 * The client library against the server, over real HTTP: after random acts of three people, lost answers, dropped queues and restarts,
 * the windows of a client are what `GET /messages` says, its state is that of a new registration, and what it sent is there once.
 */
import { freePort, SEED, seeded, sized } from '#testing';
import { randomActs } from '../../support/client-stories/acts.js';
import { play } from '../../support/client-stories/story.js';
import { tell } from '../../support/client-stories/tell.js';
import { isShared } from '../../support/pairings.js';
import { startWithPeople, type Cast } from '../../support/people.js';

const ACTS = 40;
/**
 * Stories that were hard: unread messages of a channel without a subscription, moves to one and from one, moves in one that do not name
 * the reader's message, pages that an event overtakes, topics in two spellings, and mentions that an edit takes away.
 */
const HARD = sized({ nightly: [5, 7, 11, 16, 24, 1064, 1068, 30_011], usual: isShared ? [11] : [5, 11, 16, 24] });
const STORIES = sized({ nightly: 100, usual: isShared ? 0 : 1 });

let cast: Cast;

beforeAll(async () => {
  // A restart leaves the address, which is in the state.
  cast = await startWithPeople(undefined, { PORT: String(await freePort()) });
  cast.owner.userId = (await cast.owner.ok('GET', '/users/me')).user_id;
});
afterAll(() => cast.server.stop());

test.each([...HARD, ...Array.from({ length: STORIES }, (_, index) => SEED + index)])(
  'after the story with seed %i, windows and state are those of the server',
  async (seed) => {
    const { server, owner, ann, ben } = cast;
    const stage = { people: { owner, ann, ben }, restart: () => server.restart() };
    await tell(randomActs(seeded(seed), ACTS), (acts) => play(stage, acts));
  },
  600_000,
);
