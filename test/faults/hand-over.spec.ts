/** What clients see while a projector that is told to end hands its work over to another. */
import { until } from '#testing';
import type { ApiClient } from '../support/client.js';
import { describeShared } from '../support/pairings.js';
import { build, ServerProcess } from '../support/process.js';
import { openSharedStores, type SharedStores } from '../support/shared-stores.js';

const SENDERS = 4;
/** Sends before and after. */
const ACKNOWLEDGED = 5 * SENDERS;
const HAND_OVERS = 3;
/** A slow machine takes longer, and then sends are refused as after a kill (`HAND_OVER_LIMIT_MS` of the monitor). */
const WAITED_FOR_MS = 4_000;
const STUCK = 'The read side is stuck';

interface Refused {
  readonly error: string;
  /** Since the last send that was acknowledged. */
  readonly afterMs: number;
}

describeShared('two projectors and two apis', () => {
  let stores: SharedStores;
  let apis: ServerProcess[] = [];
  let projectors: ServerProcess[] = [];
  let owner: ApiClient;
  let isOver = false;
  let acknowledged = 0;
  let acknowledgedAtMs = 0;
  const refused: Refused[] = [];

  beforeAll(async () => {
    build();
    stores = await openSharedStores();
    const environment = { ...stores.environment, PROJECTOR: 'off' };
    apis = [new ServerProcess('api', environment), new ServerProcess('api', environment)];
    projectors = [1, 2].map(() => new ServerProcess('projector', { ...environment, LOG_LEVEL: 'info' }));
    await Promise.all([...projectors, ...apis].map((process) => process.start()));
    owner = apis[0]!.owner();
  });

  afterAll(async () => {
    isOver = true;
    for (const process of [...apis, ...projectors]) await process.discard();
    await stores.stop();
  });

  async function keepSending(sender: number): Promise<void> {
    for (let count = 0; !isOver; count++) {
      try {
        await owner
          .at(() => apis[sender % 2]!.url)
          .send('general', `topic ${sender}`, `sender ${sender} message ${count}`);
        acknowledged++;
        acknowledgedAtMs = performance.now();
      } catch (error) {
        refused.push({ error: String(error), afterMs: performance.now() - acknowledgedAtMs });
      }
    }
  }

  async function moreAcknowledged(): Promise<void> {
    const enough = acknowledged + ACKNOWLEDGED;
    await until(() => acknowledged >= enough);
  }

  const termOf = ({ output }: ServerProcess): number =>
    Math.max(0, ...Array.from(output.matchAll(/"term":(\d+).*is the projector now/g), ([, term]) => Number(term)));
  const active = (): ServerProcess => projectors.reduce((one, other) => (termOf(other) > termOf(one) ? other : one));

  test(`refuse no send, ${HAND_OVERS} times`, async () => {
    const sending = Array.from({ length: SENDERS }, (_, sender) => keepSending(sender));
    for (let count = 0; count < HAND_OVERS; count++) {
      await moreAcknowledged();
      const ending = active();
      expect(await ending.end('SIGTERM')).toBe(0);
      await until(() => active() !== ending);
      await moreAcknowledged();
      await ending.start();
    }
    isOver = true;
    await Promise.all(sending);
    expect(refused.filter(({ error, afterMs }) => afterMs < WAITED_FOR_MS && !error.includes(STUCK))).toEqual([]);
  });
});
