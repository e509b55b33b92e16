import { join } from 'node:path';
import { SqliteEventStore, streams } from '#event-store';
import { scrollback } from '#runtime';
import { SEED, seeded, sized, until } from '#testing';
import type { ApiClient, TestQueue } from '../support/client.js';
import { build, ServerProcess } from '../support/process.js';

const ROUNDS = sized({ nightly: 40, usual: 4 });
const SENDERS = 16;
/** Minimum acknowledged sends of a round before the server is killed, plus a random number. */
const ACKNOWLEDGED_MIN = 2 * SENDERS;
const ACKNOWLEDGED_SPREAD = 10 * SENDERS;
/** The kill also comes at a random moment between two acknowledgements. */
const MOMENT_SPREAD_MS = 30;
const random = seeded(SEED);

const server = new ServerProcess();

beforeAll(() => {
  build();
});

afterAll(() => server.discard());

/** Acknowledged IDs by content. Every content is sent once and never repeated. */
const acknowledged = new Map<string, number>();

async function sendUntilKilled(client: ApiClient, sender: number, round: number): Promise<void> {
  for (let count = 0; ; count++) {
    const content = `sender ${sender} round ${round} message ${count}`;
    try {
      acknowledged.set(content, await client.send('general', `topic ${sender % 3}`, content));
    } catch {
      return; // The server is gone. The message may or may not exist, since it was not acknowledged.
    }
  }
}

interface Seen {
  readonly queue: TestQueue;
  readonly messages: { readonly id: number; readonly content: string }[];
}

async function drain(seen: Seen): Promise<void> {
  for (;;) {
    const events = await seen.queue.pending();
    if (events.length === 0) return;
    for (const { message } of events) seen.messages.push({ id: message.id, content: message.content });
  }
}

async function pollUntilKilled(seen: Seen): Promise<void> {
  for (;;) {
    try {
      for (const { message } of await seen.queue.poll())
        seen.messages.push({ id: message.id, content: message.content });
    } catch {
      return;
    }
  }
}

async function fetchAll(client: ApiClient): Promise<{ id: number; content: string }[]> {
  const narrow = [{ operator: 'channel', operand: 'general' }];
  const found: { id: number; content: string }[] = [];
  for (let anchor = 0; ;) {
    const { messages, found_newest } = await client.ok('GET', '/messages', {
      narrow,
      anchor,
      num_before: 0,
      num_after: 1000,
      include_anchor: false,
      apply_markdown: false,
    });
    found.push(...messages.map(({ id, content }: { id: number; content: string }) => ({ id, content })));
    if (found_newest) return found;
    anchor = found.at(-1)?.id ?? 0;
  }
}

async function sentInLog(): Promise<{ id: number; content: string }[]> {
  const store = SqliteEventStore.openReadOnly(join(server.dataDir, 'events.db'), scrollback.registry);
  const found: { id: number; content: string }[] = [];
  for await (const page of store.readAll({ streamPrefixes: [streams.messages] })) {
    for (const { revision, data } of page) found.push({ id: revision + 1, content: data.content });
  }
  await store.close();
  return found;
}

test(
  `${ROUNDS} rounds of SIGKILL under ${SENDERS} senders lose and duplicate nothing`,
  async () => {
    await server.start();
    const owner = server.owner();
    const parameters = { event_types: ['message'], fetch_event_types: [], apply_markdown: false };
    const watcher: Seen = { queue: await owner.register(parameters), messages: [] };
    const sleeper: Seen = { queue: await owner.register(parameters), messages: [] };

    for (let round = 1; round <= ROUNDS; round++) {
      const senders = Array.from({ length: SENDERS }, (_, sender) =>
        sendUntilKilled(owner.as(`Sender${sender}/1`), sender, round),
      );
      const watching = pollUntilKilled(watcher);
      const enough = acknowledged.size + ACKNOWLEDGED_MIN + random() * ACKNOWLEDGED_SPREAD;
      await until(() => acknowledged.size >= enough);
      await new Promise((resolve) => setTimeout(resolve, random() * MOMENT_SPREAD_MS));
      await server.end('SIGKILL');
      await Promise.all([...senders, watching]);
      await server.start();
    }
    await Promise.all([drain(watcher), drain(sleeper)]);

    const logged = await sentInLog();
    expect(acknowledged.size).toBeGreaterThan(ROUNDS * SENDERS);
    expect(new Set(logged.map(({ content }) => content)).size).toBe(logged.length);
    const idOf = new Map(logged.map(({ id, content }) => [content, id]));
    const lost = [...acknowledged].filter(([content, id]) => idOf.get(content) !== id);
    expect(lost).toEqual([]);
    expect(await fetchAll(owner)).toEqual(logged);
    expect(watcher.messages).toEqual(logged);
    expect(sleeper.messages).toEqual(logged);
  },
  300_000 + ROUNDS * 60_000,
);
