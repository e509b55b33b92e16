import { setTimeout as pause } from 'node:timers/promises';
import { FerretDb } from '#testing';
import { EventStoreDbCluster, type EventStoreDbStandIn } from '../eventstoredb/index.js';
import type { ApiClient } from '../support/client.js';
import { describeShared } from '../support/pairings.js';
import { build, ServerProcess } from '../support/process.js';
import { fetchSent, sentInLog } from '../support/sent-messages.js';

const ROUNDS = 10;
const SENDERS_OF_AN_API = 4;
/** Against hanging only. */
const PASSES_WITHIN_MS = 30_000;
const READY_WITHIN_MS = 60_000;
const SETTLED_MS = 1_500;
/** Until a send passes at each api, with an election, which takes 2 s, and without one. */
const ELECTED_WITHIN_MS = 5_000;
const CONNECTED_WITHIN_MS = 4_000;

interface Loss {
  readonly lose: (leader: EventStoreDbStandIn) => void | Promise<void>;
  readonly giveBack: (node: EventStoreDbStandIn) => void | Promise<void>;
  /** Loses its connections only, and goes on leading. */
  readonly staysLeader?: true;
}

/** Sends at one api without end, and knows when one that was begun after a moment was answered. */
class Senders {
  readonly acknowledged = new Map<string, number>();
  readonly strange: string[] = [];
  longestMs = 0;
  refused = 0;
  #isOver = false;
  #passed: readonly { readonly begunMs: number; readonly endedMs: number }[] = [];
  readonly #running: Promise<unknown>;

  constructor(client: ApiClient, name: string) {
    this.#running = Promise.all(
      Array.from({ length: SENDERS_OF_AN_API }, (_, index) => this.#send(client, `${name}, sender ${index}`)),
    );
  }

  forget(): void {
    this.longestMs = this.refused = 0;
    this.#passed = [];
  }

  /** How long after a moment the first send that was begun after it was acknowledged; undefined while none was. */
  passedAfter(sinceMs: number): number | undefined {
    const ends = this.#passed.filter(({ begunMs }) => begunMs > sinceMs).map(({ endedMs }) => endedMs);
    return ends.length === 0 ? undefined : Math.min(...ends) - sinceMs;
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#running;
  }

  async #send(client: ApiClient, name: string): Promise<void> {
    for (let count = 0; !this.#isOver; count++) {
      const content = `${name}, message ${count}`;
      const begunMs = performance.now();
      const answer = await client.call('POST', '/messages', {
        type: 'channel',
        to: 'general',
        topic: 'lost leader',
        content,
      });
      const endedMs = performance.now();
      this.longestMs = Math.max(this.longestMs, endedMs - begunMs);
      if (answer.status === 200) {
        this.acknowledged.set(content, answer.body.id);
        this.#passed = [...this.#passed, { begunMs, endedMs }];
      } else if (answer.status === 503 && answer.headers.get('retry-after') !== null) this.refused += 1;
      else this.strange.push(`${answer.status} ${answer.text}`);
      await pause(answer.status === 200 ? 20 : 100);
    }
  }
}

describeShared('a cluster of three that loses its leader under load', () => {
  const ferretDb = new FerretDb();
  let cluster: EventStoreDbCluster;
  let apis: ServerProcess[] = [];
  let all: ServerProcess[] = [];

  beforeAll(async () => {
    build();
    cluster = await EventStoreDbCluster.start();
    await ferretDb.start();
    const environment = {
      EVENT_STORE_URL: cluster.url,
      READ_STORE_URL: `${ferretDb.url}scrollback`,
      SECRET_KEY: 'a secret that all processes of a test share',
      PROJECTOR: 'off',
    };
    apis = [new ServerProcess('api', environment), new ServerProcess('api', environment)];
    all = [new ServerProcess('projector', environment), ...apis];
    await Promise.all(all.map((process) => process.launch()));
    await Promise.all(all.map((process) => process.turns(200, READY_WITHIN_MS)));
  });

  afterAll(async () => {
    for (const process of all) await process.discard();
    await cluster.stop();
    await ferretDb.stop();
  });

  const losses: Readonly<Record<string, Loss>> = {
    frozen: { lose: (node) => cluster.freeze(node), giveBack: (node) => cluster.thaw(node) },
    'frozen after it has stored an append': {
      lose: (node) => cluster.freeze(node, { afterAppends: 1 }),
      giveBack: (node) => cluster.thaw(node),
    },
    killed: { lose: (node) => cluster.kill(node), giveBack: (node) => cluster.revive(node) },
    cut: { lose: (node) => node.cutConnections(), giveBack: () => undefined, staysLeader: true },
  };

  /** Loses the leader once. @returns how long it took at each api until a send passed */
  async function lostOnce(
    { lose, giveBack, staysLeader }: Loss,
    senders: readonly Senders[],
  ): Promise<readonly number[]> {
    for (const each of senders) each.forget();
    const leader = cluster.leader;
    const sinceMs = performance.now();
    await lose(leader);
    while (senders.some((each) => each.passedAfter(sinceMs) === undefined)) {
      if (performance.now() - sinceMs > PASSES_WITHIN_MS) throw new Error('No send passes.');
      await pause(5);
    }
    const took = senders.map((each) => Math.round(each.passedAfter(sinceMs) ?? NaN));
    // With the loss after one more append, sends that were begun before it may have passed meanwhile.
    while (!staysLeader && cluster.leader === leader) await pause(10);
    await pause(SETTLED_MS);
    await giveBack(leader);
    await Promise.all(all.map((process) => process.turns(200, PASSES_WITHIN_MS)));
    await pause(SETTLED_MS);
    return took;
  }

  test.each(Object.keys(losses))(
    `${ROUNDS} times, %s: nothing is lost or doubled, and sends pass again`,
    async (name) => {
      const owner = (apis[0] as ServerProcess).owner();
      const senders = apis.map(
        (api, index) =>
          new Senders(
            owner.at(() => api.url),
            `${name}, api ${index}`,
          ),
      );
      await pause(SETTLED_MS);
      const rows: string[] = [];
      const loss = losses[name] as Loss;
      let slowestMs = 0;
      for (let round = 0; round < ROUNDS; round++) {
        const took = await lostOnce(loss, senders);
        slowestMs = Math.max(slowestMs, ...took);
        const longest = senders.map(({ longestMs }) => Math.round(longestMs));
        rows.push(`${took.join(' ')} | ${longest.join(' ')} | ${senders.map(({ refused }) => refused).join(' ')}`);
      }
      for (const each of senders) await each.stop();
      process.stdout.write(
        `The leader ${name}: until a send passes at each api (ms) | slowest answer (ms) | refused\n${rows.join('\n')}\n`,
      );
      expect(senders.flatMap(({ strange }) => strange)).toEqual([]);
      expect(slowestMs).toBeLessThan(loss.staysLeader ? CONNECTED_WITHIN_MS : ELECTED_WITHIN_MS);
      const logged = await sentInLog(cluster.url);
      const idOf = new Map(logged.map(({ id, content }) => [content, id]));
      expect(idOf.size).toBe(logged.length);
      for (const { acknowledged } of senders) {
        expect([...acknowledged].filter(([content, id]) => idOf.get(content) !== id)).toEqual([]);
      }
      for (const api of apis) expect((await fetchSent(owner.at(() => api.url))).length).toBe(logged.length);
    },
    ROUNDS * 60_000,
  );
});
