import { setTimeout as pause } from 'node:timers/promises';
import { openEventStore, streams } from '#event-store';
import { eventRegistry } from '../../apps/api/src/event-registry.js';
import type { ApiClient, TestQueue } from '../support/client.js';
import { build, ServerProcess } from '../support/process.js';
import { openSharedStores, type SharedStores } from '../support/shared-stores.js';
import { describeShared } from '../support/pairings.js';

const ROUNDS = 20;
const SENDERS = 8;
const RECOVERS_WITHIN_MS = 20_000;

interface Told {
  readonly id: number;
  readonly content: string;
}

describeShared('two apis and two projectors', () => {
  let stores: SharedStores;
  let apis: ServerProcess[] = [];
  let projectors: ServerProcess[] = [];
  let owner: ApiClient;
  let isOver = false;
  /** By content: the ID that was acknowledged. Every content is sent once and never repeated. */
  const acknowledged = new Map<string, number>();

  beforeAll(async () => {
    build();
    stores = await openSharedStores();
    const environment = { ...stores.environment, PROJECTOR: 'off' };
    apis = [new ServerProcess('api', environment), new ServerProcess('api', environment)];
    projectors = [new ServerProcess('projector', environment), new ServerProcess('projector', environment)];
    const all = [...projectors, ...apis];
    await Promise.all(all.map((process) => process.launch()));
    await Promise.all(all.map((process) => process.ready()));
    owner = (apis[0] as ServerProcess).owner();
  }, 60_000);

  afterAll(async () => {
    isOver = true;
    for (const process of [...apis, ...projectors]) {
      await process.end('SIGKILL');
      process.removeData();
    }
    await stores.stop();
  });

  /** The owner at one of the apis. */
  const at = (index: number, name = 'Test/1'): ApiClient => {
    const api = apis[index % apis.length] as ServerProcess;
    return owner.at(() => api.url).as(name);
  };

  async function keepSending(sender: number): Promise<void> {
    for (let count = 0; !isOver; count++) {
      const content = `sender ${sender} message ${count}`;
      try {
        acknowledged.set(
          content,
          await at(sender, `Sender${sender}/1`).send('general', `topic ${sender % 3}`, content),
        );
      } catch {
        await pause(20); // Its api is gone, or what it waited for. This message may be there or not: nobody said so.
      }
    }
  }

  /** Polls one queue, at the other api whenever one does not answer. */
  async function keepPolling(queue: TestQueue, heard: Told[], gaps: number[]): Promise<void> {
    let lastMs = performance.now();
    for (let turn = 0; !isOver; turn++) {
      try {
        const events = await queue.at(at(turn)).poll();
        for (const { message } of events) heard.push({ id: message.id, content: message.content });
        if (events.length === 0) continue;
        gaps.push(performance.now() - lastMs);
        lastMs = performance.now();
      } catch (error) {
        if (String(error).includes('BAD_EVENT_QUEUE_ID')) throw error;
        await pause(20);
      }
    }
  }

  async function drain(queue: TestQueue, heard: Told[]): Promise<void> {
    for (let turn = 0; ; turn++) {
      const events = await queue.at(at(turn)).pending();
      if (events.length === 0) return;
      for (const { message } of events) heard.push({ id: message.id, content: message.content });
    }
  }

  async function fetchAll(client: ApiClient): Promise<Told[]> {
    const narrow = [{ operator: 'channel', operand: 'general' }];
    const found: Told[] = [];
    for (let anchor = 0; ;) {
      const page = { narrow, anchor, num_before: 0, num_after: 1000, include_anchor: false, apply_markdown: false };
      const { messages, found_newest } = await client.ok('GET', '/messages', page);
      found.push(...messages.map(({ id, content }: Told) => ({ id, content })));
      if (found_newest) return found;
      anchor = found.at(-1)?.id ?? 0;
    }
  }

  async function sentInLog(): Promise<Told[]> {
    const store = await openEventStore(stores.standIn.url, eventRegistry);
    const found: Told[] = [];
    for await (const page of store.readAll({ streamPrefixes: [streams.messages] })) {
      for (const { revision, data } of page) found.push({ id: revision + 1, content: data.content });
    }
    await store.close();
    return found;
  }

  /** How long after the kill somebody's send was acknowledged again. */
  async function untilServed(killedAtMs: number): Promise<number> {
    const before = acknowledged.size;
    while (acknowledged.size < before + SENDERS / 2) {
      if (performance.now() - killedAtMs > RECOVERS_WITHIN_MS) throw new Error('Nobody was served any more.');
      await pause(5);
    }
    return performance.now() - killedAtMs;
  }

  test(`${ROUNDS} times SIGKILL to any of them loses and duplicates nothing`, async () => {
    const parameters = { event_types: ['message'], fetch_event_types: [], apply_markdown: false };
    const [watched, slept] = [await at(0).register(parameters), await at(1).register(parameters)];
    const [heard, dreamt]: [Told[], Told[]] = [[], []];
    const gaps: number[] = [];
    const working = [
      ...Array.from({ length: SENDERS }, (_, sender) => keepSending(sender)),
      keepPolling(watched, heard, gaps),
    ];
    const took: Record<string, number[]> = { api: [], projector: [] };
    for (let round = 0; round < ROUNDS; round++) {
      const kind = round % 2 === 0 ? 'projector' : 'api';
      const victims = kind === 'api' ? apis : projectors;
      const victim = victims[Math.floor(Math.random() * victims.length)] as ServerProcess;
      await pause(300 + Math.random() * 500);
      await victim.end('SIGKILL');
      took[kind]?.push(Math.round(await untilServed(performance.now())));
      await victim.start();
    }
    isOver = true;
    await Promise.all(working);
    await Promise.all([drain(watched, heard), drain(slept, dreamt)]);

    const logged = await sentInLog();
    expect(acknowledged.size).toBeGreaterThan(ROUNDS * SENDERS);
    expect(new Set(logged.map(({ content }) => content)).size).toBe(logged.length);
    const idOf = new Map(logged.map(({ id, content }) => [content, id]));
    expect([...acknowledged].filter(([content, id]) => idOf.get(content) !== id)).toEqual([]);
    expect(await fetchAll(at(0))).toEqual(logged);
    expect(await fetchAll(at(1))).toEqual(logged);
    expect(heard).toEqual(logged);
    expect(dreamt).toEqual(logged);
    process.stdout.write(
      `Served again after the end of (ms) an api: ${took['api']?.join(' ')}; a projector: ${took['projector']?.join(' ')}. ` +
        `Longest silence of a queue under load: ${Math.round(Math.max(...gaps))} ms. ${acknowledged.size} sends.\n`,
    );
  }, 400_000);
});
