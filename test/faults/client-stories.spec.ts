/** The client library against a server that is killed in the middle of its work: see test/http/delivery/windows.long.spec.ts. */
import { SEED, seeded, sized } from '#testing';
import { randomActs, type Who } from '../support/client-stories/acts.js';
import { play } from '../support/client-stories/story.js';
import { tell } from '../support/client-stories/tell.js';
import { ApiClient } from '../support/client.js';
import { build, ServerProcess } from '../support/process.js';

const STORIES = sized({ nightly: 200, usual: 1 });
const ACTS = 40;
/** Each costs a start. */
const KILLS = 2;

const server = new ServerProcess();
let people: Readonly<Record<Who, ApiClient>>;

async function accountOf(owner: ApiClient, name: string): Promise<ApiClient> {
  const [email, password] = [`${name.toLowerCase().replace(' ', '.')}@example.test`, `the password of ${name}`];
  await owner.ok('POST', '/users', { email, password, full_name: name });
  const { api_key } = await owner.ok('POST', '/fetch_api_key', { username: email, password });
  const client = new ApiClient(() => server.url, email, String(api_key), name);
  client.userId = Number((await client.ok('GET', '/users/me')).user_id);
  return client;
}

beforeAll(async () => {
  build();
  await server.start();
  const owner = server.owner();
  owner.userId = Number((await owner.ok('GET', '/users/me')).user_id);
  await owner.ok('PATCH', '/realm', { send_channel_events_messages: false });
  people = { owner, ann: await accountOf(owner, 'Ann Archer'), ben: await accountOf(owner, 'Ben Baker') };
});

afterAll(() => server.discard());

async function killed(): Promise<void> {
  await server.end('SIGKILL');
  await server.start();
}

test.each(Array.from({ length: STORIES }, (_, index) => SEED + index))(
  'after the story with seed %i, in which the server is killed, windows and state are those of the server',
  async (seed) => {
    const acts = [...randomActs(seeded(seed), ACTS)];
    const random = seeded(-seed);
    for (let kill = 0; kill < KILLS; kill++) acts.splice(Math.floor(random() * acts.length), 0, { does: 'restart' });
    await tell(acts, (some) => play({ people, restart: killed }, some));
  },
  600_000,
);
