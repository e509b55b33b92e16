import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { EventStoreDbStandIn } from '../eventstoredb/index.js';
import { build, ServerProcess } from '../support/process.js';
import { sentInLog } from '../support/sent-messages.js';

const SECRET_KEY = 'a secret that outlives data directories';

let standIn: EventStoreDbStandIn;
let processes: ServerProcess[] = [];

beforeAll(async () => {
  build();
  standIn = await EventStoreDbStandIn.start();
});

afterAll(async () => {
  for (const process of processes) await process.discard();
  await standIn.stop();
});

/** The log on the shared server, the read models in files of the process. */
function serverOf(environment: Record<string, string>): ServerProcess {
  const server = new ServerProcess('api', { EVENT_STORE_URL: standIn.url, ...environment });
  processes = [...processes, server];
  return server;
}

async function textsAt(server: ServerProcess): Promise<string[]> {
  const everything = { anchor: 'oldest', num_before: 0, num_after: 20, narrow: [], apply_markdown: false };
  const { messages } = await server.owner().ok('GET', '/messages', everything);
  return messages.map(({ content }: { content: string }) => content);
}

test('two organizations share an event store without seeing each other', async () => {
  const [acme, other] = [serverOf({ STREAM_PREFIX: 'acme', SECRET_KEY }), serverOf({})];
  await Promise.all([acme.start(), other.start()]);
  await acme.owner().send('general', 'a topic', 'at acme');
  await other.owner().send('general', 'a topic', 'at the other one');
  await acme.owner().send('general', 'a topic', 'at acme again');
  expect(await textsAt(acme)).toEqual(['at acme', 'at acme again']);
  expect(await textsAt(other)).toEqual(['at the other one']);
  expect((await sentInLog(standIn.url)).map(({ id, content }) => [id, content])).toEqual([[1, 'at the other one']]);
});

test('a prefix that is not the organization’s ends the start with a sentence, with the read models and without them', async () => {
  const [acme] = processes;
  if (acme === undefined) throw new Error('The first test starts it.');
  await acme.end('SIGTERM');
  const { eventCount } = standIn;
  const expectRefusal = async (environment: Record<string, string>, sentence: RegExp): Promise<void> => {
    const before = acme.errors.length;
    await acme.launch(environment);
    expect(await acme.ended()).toBe(1);
    expect(acme.errors.slice(before).trimEnd()).toMatch(sentence);
    expect(standIn.eventCount).toBe(eventCount);
  };
  await expectRefusal({ STREAM_PREFIX: 'acne' }, /^STREAM_PREFIX is acne, but .+ with STREAM_PREFIX=acme\.$/);
  for (const name of readdirSync(acme.dataDir)) {
    if (name.startsWith('read-models')) rmSync(join(acme.dataDir, name));
  }
  // That is the other organization's.
  await expectRefusal({ STREAM_PREFIX: '' }, /^STREAM_PREFIX is not set, but .+ with STREAM_PREFIX=acme\.$/);
});
