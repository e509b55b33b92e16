import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { isNightly } from '#testing';
import type { ApiClient } from '../support/client.js';
import { describeShared } from '../support/pairings.js';
import { build, ServerProcess } from '../support/process.js';
import { drain, fetchSent, sentInLog, type SentMessage } from '../support/sent-messages.js';
import { openSharedStores, type SharedStores } from '../support/shared-stores.js';

const SENDS = 10_000;
/**
 * Sockets per api; further requests wait in the client. FerretDB scans all documents for each query, so a server on it
 * handles a hundred sends a second.
 */
const SOCKETS = 100;
/** Told instead of the ID where a command waits too long to be visible, on a busy machine. Other refusals mean that nothing was recorded. */
const RECORDED = 'The server has recorded this';
const AGAIN_AFTER_MS = 1_000;
/** Different lengths, so that requests do not end in the order in which they began. */
const LENGTHS = [1, 20, 60, 200];

interface Outcome extends SentMessage {
  readonly status: number;
  readonly body: string;
}

describeShared('two apis and a projector', () => {
  let stores: SharedStores;
  let apis: ServerProcess[] = [];
  let projector: ServerProcess;
  let owner: ApiClient;
  let agents: Agent[] = [];
  let refusals = 0;

  beforeAll(async () => {
    build();
    stores = await openSharedStores();
    const environment = { ...stores.environment, PROJECTOR: 'off' };
    apis = [new ServerProcess('api', environment), new ServerProcess('api', environment)];
    projector = new ServerProcess('projector', environment);
    agents = apis.map(() => new Agent({ keepAlive: true, maxSockets: SOCKETS }));
    await Promise.all([projector, ...apis].map((process) => process.start()));
    owner = (apis[0] as ServerProcess).owner();
  });

  afterAll(async () => {
    for (const agent of agents) agent.destroy();
    for (const process of [...apis, projector]) await process.discard();
    await stores.stop();
  });

  /** Like clients: a refused send was not recorded, and is repeated. */
  async function send(number: number): Promise<Outcome> {
    for (;;) {
      const outcome = await trySend(number);
      if (outcome.status !== 503 || outcome.body.includes(RECORDED)) return outcome;
      refusals++;
      await pause(AGAIN_AFTER_MS);
    }
  }

  /** Uses an agent with a bounded number of sockets, which `fetch` does not have. */
  function trySend(number: number): Promise<Outcome> {
    const index = number % apis.length;
    const content = `message ${number} ${'x'.repeat(LENGTHS[number % LENGTHS.length] ?? 1)}`;
    const form = new URLSearchParams({ type: 'channel', to: 'general', topic: `topic ${number % 10}`, content });
    return new Promise((resolve, reject) => {
      const sent = request(
        `${apis[index]?.url ?? ''}/api/v1/messages`,
        {
          method: 'POST',
          agent: agents[index],
          auth: `${owner.email}:${owner.apiKey}`,
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
        },
        (response) => {
          let body = '';
          response.setEncoding('utf8');
          response.on('data', (chunk: string) => (body += chunk));
          response.on('error', reject);
          response.on('end', () => {
            const status = response.statusCode ?? 0;
            const { id } = status === 200 ? (JSON.parse(body) as { id: number }) : { id: 0 };
            resolve({ id, content, status, body });
          });
        },
      );
      sent.on('error', reject).end(form.toString());
    });
  }

  test(`${SENDS} sends at once are all recorded once, and acknowledged with IDs that are dense, unique, and in the order of the log`, async () => {
    const parameters = { event_types: ['message'], fetch_event_types: [], apply_markdown: false };
    const queue = await owner.at(() => (apis[1] as ServerProcess).url).register(parameters);
    const before = await sentInLog(stores.standIn.url);
    const startedMs = performance.now();
    const outcomes = await Promise.all(Array.from({ length: SENDS }, (_, number) => send(number)));
    const seconds = (performance.now() - startedMs) / 1000;

    const unshown = outcomes.filter(({ status, body }) => status === 503 && body.includes(RECORDED));
    const refused = outcomes.filter((outcome) => outcome.status !== 200 && !unshown.includes(outcome));
    expect(refused.map(({ status, body }) => `${status} ${body}`)).toEqual([]);
    if (isNightly) expect(unshown).toEqual([]);
    const logged = (await sentInLog(stores.standIn.url)).slice(before.length);
    expect(logged.map(({ id }) => id)).toEqual(Array.from({ length: SENDS }, (_, index) => before.length + 1 + index));
    const idOf = new Map(logged.map(({ id, content }) => [content, id]));
    expect(idOf.size).toBe(SENDS);
    expect(outcomes.filter(({ id, content, status }) => status === 200 && idOf.get(content) !== id)).toEqual([]);
    expect(outcomes.filter(({ content }) => !idOf.has(content))).toEqual([]);
    const heard: SentMessage[] = [];
    await drain(queue, heard);
    expect(heard).toEqual(logged);
    expect((await fetchSent(owner)).slice(before.length)).toEqual(logged);
    process.stdout.write(
      `${SENDS} sends over two apis in ${seconds.toFixed(1)} s, ${Math.round(SENDS / seconds)}/s; ${refusals} tries refused, ${unshown.length} not shown in time.\n`,
    );
  }, 1_800_000);
});
