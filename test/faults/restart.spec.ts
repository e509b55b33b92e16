import { ApiClient, type TestQueue } from '../support/client.js';
import { patiently } from '../support/patience.js';
import { build, ServerProcess } from '../support/process.js';

const MESSAGES = 30;
const RESTART_AFTER: ReadonlySet<number> = new Set([8, 19]);

const server = new ServerProcess();

beforeAll(() => {
  build();
});

afterAll(() => server.discard());

class Chatter {
  readonly heard: string[] = [];

  constructor(
    private readonly client: ApiClient,
    private readonly queue: TestQueue,
  ) {}

  say(content: string): Promise<number> {
    return patiently(() => this.client.send('general', 'a long talk', content));
  }

  /** Polls until it has received this message. */
  async hear(content: string): Promise<void> {
    while (!this.heard.includes(content)) {
      for (const { message } of await patiently(() => this.queue.poll())) this.heard.push(message.content);
    }
  }
}

async function account(owner: ApiClient, name: string): Promise<ApiClient> {
  const email = `${name}@example.test`;
  const password = 'a password of some length';
  await owner.ok('POST', '/users', { email, password, full_name: `${name} of the talk` });
  const { api_key } = await owner.ok('POST', '/fetch_api_key', { username: email, password });
  return new ApiClient(() => server.url, email, String(api_key));
}

test('two people talk, and the server restarts twice without their noticing', async () => {
  await server.start();
  const owner = server.owner();
  const parameters = { event_types: ['message'], fetch_event_types: [], apply_markdown: false };
  const clients = [await account(owner, 'ann'), await account(owner, 'bob')];
  const chatters = await Promise.all(
    clients.map(async (client) => new Chatter(client, await client.register(parameters))),
  );

  const said: string[] = [];
  for (let count = 1; count <= MESSAGES; count++) {
    const content = `message ${count}`;
    const speaker = chatters[count % 2];
    const listener = chatters[(count + 1) % 2];
    const listening = listener?.hear(content);
    const restarting = RESTART_AFTER.has(count) ? server.end('SIGTERM').then(() => server.start()) : undefined;
    await speaker?.say(content);
    said.push(content);
    await Promise.all([listening, restarting]);
  }
  const last = said.at(-1) ?? '';
  await Promise.all(chatters.map((chatter) => chatter.hear(last)));

  for (const { heard } of chatters) expect(heard).toEqual(said);
});
