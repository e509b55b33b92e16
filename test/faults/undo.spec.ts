/** The build that a rebuild replaced takes its place again, and a comparison ends, whenever the process that does it is killed. */
import { setTimeout as pause } from 'node:timers/promises';
import { SEED, seeded, sized, until } from '#testing';
import type { ApiClient } from '../support/client.js';
import { describeShared } from '../support/pairings.js';
import { build, ServerProcess } from '../support/process.js';
import { fetchSent } from '../support/sent-messages.js';
import { openSharedStores, type SharedStores } from '../support/shared-stores.js';

const KILLS = sized({ nightly: 12, usual: 1 });
const SENDERS = 4;
/** Sends that must be acknowledged before each turn. */
const MORE = 10;
/** Between two sends of a sender: what is tested is not the load. */
const REST_MS = 20;
/** The kill comes at a random moment of an exchange, which takes some 10 to 100 ms. */
const MOMENT_SPREAD_MS = 60;
/** Guards against hanging only. */
const LIMIT_MS = 240_000;
const random = seeded(SEED);
const UNDO = '/operator/projections/messages/undo';
const DIFF = '/operator/projections/messages/diff';

interface World {
  readonly api: ServerProcess;
  /** Holds the read models. */
  readonly writer: ServerProcess;
  readonly stop: () => Promise<void>;
}

const embedded = async (): Promise<World> => {
  const api = new ServerProcess();
  await api.start();
  return { api, writer: api, stop: () => api.discard() };
};

const shared = async (): Promise<World> => {
  const stores: SharedStores = await openSharedStores();
  const environment = { ...stores.environment, PROJECTOR: 'off' };
  const [api, writer] = [new ServerProcess('api', environment), new ServerProcess('projector', environment)];
  await Promise.all([api.start(), writer.start()]);
  return {
    api,
    writer,
    stop: async () => {
      await api.discard();
      await writer.discard();
      await stores.stop();
    },
  };
};

function undoes(world: () => Promise<World>): void {
  let { api, writer, stop }: World = {} as World;
  let owner: ApiClient;
  const acknowledged = new Map<string, number>();
  let isOver = false;

  beforeAll(async () => {
    build();
    ({ api, writer, stop } = await world());
    owner = api.owner();
  });
  afterAll(async () => {
    isOver = true;
    await stop();
  });

  async function keepSending(sender: number): Promise<void> {
    for (let count = 0; !isOver; count++) {
      const content = `sender ${sender} message ${count}`;
      try {
        acknowledged.set(content, await owner.as(`Sender${sender}/1`).send('general', `topic ${sender}`, content));
      } catch {
        // It may exist or not, since it was not acknowledged.
      }
      await pause(REST_MS);
    }
  }

  async function more(): Promise<void> {
    const enough = acknowledged.size + MORE;
    await until(() => acknowledged.size >= enough);
  }

  const undo = () => owner.call('POST', UNDO, {}).catch(() => undefined);

  /** What was acknowledged before the question is in the answer, once. */
  async function expectEverything(): Promise<void> {
    const before = [...acknowledged.values()];
    const ids = (await fetchSent(owner)).map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)]);
    expect(before.filter((id) => !ids.includes(id))).toEqual([]);
  }

  test(
    `kills (${KILLS}) in the midst of an exchange, under ${SENDERS} senders lose nothing`,
    async () => {
      const sending = Array.from({ length: SENDERS }, (_, sender) => keepSending(sender));
      await more();
      expect((await undo())?.status).toBe(400);
      await owner.ok('POST', '/operator/projections/messages/rebuild');
      await more();
      // Without a kill: as often as one likes, and never without what was acknowledged.
      for (let turn = 0; turn < 2; turn++) {
        expect((await owner.ok('POST', UNDO)).name).toBe('messages');
        await expectEverything();
      }
      for (let kill = 0; kill < KILLS; kill++) {
        const exchange = undo();
        await pause(random() * MOMENT_SPREAD_MS);
        await writer.end('SIGKILL');
        await writer.start();
        await exchange;
        await until(async () => (await api.health()) === 200);
        await more();
        await expectEverything();
        // Whatever became of it: one of the two is live, and the other one is kept.
        await until(async () => (await undo())?.status === 200);
        await expectEverything();
      }
      isOver = true;
      await Promise.all(sending);
      await expectEverything();
    },
    LIMIT_MS,
  );

  test(
    `kills (${KILLS}) in the midst of a comparison leave the live build, and nothing of the other one`,
    async () => {
      for (let kill = 0; kill < KILLS; kill++) {
        const comparison = owner.call('POST', DIFF, {}).catch(() => undefined);
        await pause(random() * MOMENT_SPREAD_MS);
        await writer.end('SIGKILL');
        await writer.start();
        const answer = await comparison;
        // It was over before, or refused: a connection that broke off is that of the process that was killed.
        if (answer === undefined) expect(api).toBe(writer);
        else if (answer.status !== 200)
          expect(answer.body).toMatchObject({ result: 'error', code: expect.any(String) });
        await until(async () => (await api.health()) === 200);
        await until(async () => (await owner.ok('GET', '/operator/projections')).rebuilds.length === 0);
        await expectEverything();
        let again: any;
        await until(async () => (again = await owner.call('POST', DIFF, {}).catch(() => undefined))?.status === 200);
        expect(again.body).not.toHaveProperty('difference');
      }
    },
    LIMIT_MS,
  );
}

describe('an embedded server', () => {
  undoes(embedded);
});

describeShared('an api and a projector', () => {
  undoes(shared);
});
