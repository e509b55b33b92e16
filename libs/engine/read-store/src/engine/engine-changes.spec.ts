/** The engine tells who watches it: each change of its state, and its end, whatever ended it. */
import { ReadModelsPutBack, ReadStoreUnavailable } from '../read-store.js';
import { until } from '#testing';
import { BreakingEvents, EngineFixture, entries, sums, Tally } from './engine.fixture.js';
import type { ProjectionEngine } from './projection-engine.js';

let fixture: EngineFixture;

beforeEach(async () => (fixture = await EngineFixture.create()));
afterEach(() => fixture.destroy());

/** The state at each call, with the projections that are set aside. */
function changesOf(engine: ProjectionEngine): string[] {
  const changes: string[] = [];
  engine.onAbleChanged(() => {
    const { state, participants } = engine.status();
    const aside = participants.filter(({ setAside }) => setAside !== undefined);
    changes.push([state, ...aside.map(({ name }) => name)].join(' without '));
  });
  return changes;
}

const cannotDigest = (): never => {
  throw new Error('cannot digest');
};
const isAway = (): never => {
  throw new ReadStoreUnavailable('away');
};

describe('a listener is called', () => {
  test('when the engine is live, and when it has been stopped', async () => {
    const engine = fixture.engine([sums]);
    const changes = changesOf(engine);
    await engine.start();
    expect(changes).toEqual(['live']);
    await engine.stop();
    expect(changes).toEqual(['live', 'stopped']);
  });

  test('when a store fails, and when it is back', async () => {
    const engine = await fixture.started([sums]);
    const changes = changesOf(engine);
    fixture.store.before = isAway;
    const { position } = await fixture.add('a', 1);
    await until(() => changes.length > 0);
    fixture.store.before = () => undefined;
    await engine.waitFor(position);
    expect(changes).toEqual(['stalled', 'live']);
  });

  test('when a projection is set aside, and when a rebuild has mended it', async () => {
    let isSick = true;
    const evolve: typeof sums.evolve = (...given) => (isSick ? cannotDigest() : sums.evolve(...given));
    const engine = await fixture.started([{ ...sums, evolve }]);
    const changes = changesOf(engine);
    await engine.waitFor((await fixture.add('a', 1)).position);
    expect(changes).toEqual(['live without sums']);
    isSick = false;
    await engine.rebuild(['sums']);
    expect(changes).toEqual(['live without sums', 'live']);
  });

  test('not once it has ended that', async () => {
    const engine = fixture.engine([sums]);
    const listener = jest.fn();
    engine.onAbleChanged(listener)();
    await engine.start();
    expect(listener).not.toHaveBeenCalled();
  });
});

/** Each ends an engine that is live. */
const ENDS: Readonly<Record<string, (engine: ProjectionEngine, tally: Tally, events: BreakingEvents) => unknown>> = {
  'a follower that fails on an event': (_, tally) => {
    jest.spyOn(tally, 'follow').mockImplementation(cannotDigest);
    return fixture.add('a', 2);
  },
  'a log that stays away': (_, __, events) => {
    events.breaks = Infinity;
    return fixture.add('a', 2);
  },
  'a read store that stays away': () => {
    fixture.store.before = isAway;
    return fixture.add('a', 2);
  },
  'read models that were put back, when they are looked for': () =>
    jest.spyOn(fixture.store, 'standing').mockResolvedValue({ making: 'older', commits: 1, positions: new Map() }),
  'read models that were put back, when a commit finds them': () => {
    fixture.store.before = () => {
      throw new ReadModelsPutBack();
    };
    return fixture.add('a', 2);
  },
  'a stop': (engine) => engine.stop(),
};

describe('the end is told, after', () => {
  test.each(Object.entries(ENDS))('%s', async (_, end) => {
    const tally = new Tally();
    const events = new BreakingEvents(fixture.events);
    const engine = fixture.engine([entries], [tally], { retryLimitMs: 50 }, events);
    await engine.start();
    await engine.waitFor((await fixture.add('a', 1)).position);
    expect(engine.over.aborted).toBe(false);
    const changes = changesOf(engine);
    await end(engine, tally, events);
    await until(() => engine.over.aborted);
    expect(engine.status().state).toBe('stopped');
    expect(changes.at(-1)).toBe('stopped');
  });

  test('a start that fails', async () => {
    await fixture.add('a', 1);
    const tally = new Tally();
    jest.spyOn(tally, 'follow').mockImplementation(cannotDigest);
    const engine = fixture.engine([sums], [tally]);
    const changes = changesOf(engine);
    await expect(engine.start()).rejects.toThrow('cannot digest');
    expect(engine.over.aborted).toBe(true);
    expect(changes).toEqual(['stopped']);
  });
});
