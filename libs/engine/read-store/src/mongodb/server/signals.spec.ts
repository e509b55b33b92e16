import { setImmediate as nextTurn } from 'node:timers/promises';
import { until } from '#testing';
import type { MongoServer } from './mongo-server.js';
import { Signals } from './signals.js';

interface Stored {
  readonly _id: string;
}

/** A server without tailing, with one collection. */
class PolledServer {
  readonly documents: Stored[] = [];
  /** Limits of the polls. */
  readonly polls: number[] = [];
  tails = 0;

  run<Result>(work: () => Promise<Result>): Promise<Result> {
    return work();
  }

  async create(): Promise<void> {
    // It is there.
  }

  quickCollection() {
    return {
      insertOne: async (document: Stored) => void this.documents.push(document),
      insertMany: async (documents: readonly Stored[]) => void this.documents.push(...documents),
      findAll: async (_: unknown, { limit }: { readonly limit: number }) => {
        this.polls.push(limit);
        return this.documents.toReversed().slice(0, limit);
      },
    };
  }

  tail() {
    this.tails++;
    return { next: async () => null, isOver: true, close: async () => undefined };
  }
}

describe('signals that are polled for', () => {
  let server: PolledServer;
  let here: Signals;
  let there: Signals;
  let heard: string[];

  beforeEach(async () => {
    server = new PolledServer();
    heard = [];
    [here, there] = [
      await Signals.open(server as unknown as MongoServer),
      await Signals.open(server as unknown as MongoServer),
    ];
    here.listen('topic', (text) => heard.push(text));
    await until(() => server.polls.length > 0);
  });
  afterEach(async () => {
    await here.close();
    await there.close();
  });

  const isIdle = (): boolean => server.polls.at(-1) !== server.polls[0];

  test('are polled for in small portions while nothing happens, and heard all the same', async () => {
    await until(isIdle);
    await there.send('topic', 'first');
    await until(() => heard.length === 1);
    const texts = Array.from({ length: 40 }, (_, count) => `more ${count}`);
    for (const text of texts) void there.send('topic', text);
    await until(() => heard.length > texts.length);
    expect(heard).toEqual(['first', ...texts]);
    await until(isIdle);
  });

  test('are polled for as before when they are expected, or this process sends some', async () => {
    for (const act of [() => here.expect(), () => void here.send('other')]) {
      await until(isIdle);
      act();
      await until(() => !isIdle());
    }
  });
});

test('signals are not polled for where every listener looks for itself as well', async () => {
  const server = new PolledServer();
  const [here, there] = [
    await Signals.open(server as unknown as MongoServer),
    await Signals.open(server as unknown as MongoServer),
  ];
  const heard: string[] = [];
  const end = here.listen('orders', (text) => heard.push(text), { isSpared: true });
  await until(() => server.tails > 0);
  await there.send('orders', 'missed');
  here.expect();
  for (let turn = 0; turn < 20; turn++) await nextTurn();
  expect(server.polls).toEqual([]);
  // Polls for another listener are good for all of them.
  const endOther = here.listen('other', (text) => heard.push(text));
  await until(() => server.polls.length > 0);
  await there.send('orders', 'heard');
  await until(() => heard.includes('heard'));
  endOther();
  end();
  await here.close();
  await there.close();
});
