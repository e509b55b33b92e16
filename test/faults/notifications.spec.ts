/** Notifications over kills of the server: each is told once to the key by which the push service knows repetitions, and none is lost. */
import { SEED, seeded, sized, until } from '#testing';
import type { ApiClient } from '../support/client.js';
import { build, ServerProcess } from '../support/process.js';
import { json, PushBouncer, type PushRequest } from '../support/push-bouncer.js';

const ROUNDS = sized({ nightly: 20, usual: 3 });
const MESSAGES_PER_ROUND = sized({ nightly: 50, usual: 15 });
const random = seeded(SEED);

let bouncer: PushBouncer;
let server: ServerProcess;

beforeAll(async () => {
  build();
  bouncer = await PushBouncer.start();
  server = new ServerProcess('api', { PUSH_BOUNCER_URL: bouncer.url });
});
afterAll(async () => {
  await server.discard();
  await bouncer.stop();
});

async function person(owner: ApiClient, name: string): Promise<{ client: ApiClient; userId: number }> {
  const [email, password] = [`${name}@example.test`, `the password of ${name}`];
  const { user_id } = await owner.ok('POST', '/users', { email, password, full_name: name });
  const { api_key } = await owner.ok('POST', '/fetch_api_key', { username: email, password });
  return { client: Object.assign(owner.as('Test/1'), { email, apiKey: api_key }), userId: user_id };
}

test(
  `${ROUNDS} kills while ${MESSAGES_PER_ROUND} notifications are under way lose none, and repeat none under another key`,
  async () => {
    await server.start();
    const owner = server.owner();
    const { client, userId } = await person(owner, 'ann');
    await client.ok('POST', '/users/me/android_gcm_reg_id', { token: 'a-token' });
    const contents = new Map<string, PushRequest['key'][]>();
    // Slow enough that a kill meets requests that were taken and not answered.
    bouncer.answering = (request, response) => {
      const { content } = request.body.gcm_payload;
      contents.set(content, [...(contents.get(content) ?? []), request.key]);
      setTimeout(() => {
        json(response, {});
      }, random() * 20);
    };
    const sent: string[] = [];
    const send = async (content: string): Promise<void> => {
      try {
        await owner.sendTo([userId], content);
        sent.push(content);
      } catch {
        // The server is gone; whether it has the message is not known.
      }
    };
    for (let round = 1; round <= ROUNDS; round++) {
      const sends = Array.from({ length: MESSAGES_PER_ROUND }, (_, index) => send(`round ${round} message ${index}`));
      const enough = sent.length + 1 + random() * MESSAGES_PER_ROUND * 0.8;
      await until(() => sent.length >= enough);
      await server.end('SIGKILL');
      await Promise.all(sends);
      await server.start();
    }
    const missing = (): string[] => sent.filter((content) => !contents.has(content));
    await until(() => missing().length === 0).catch(() => undefined);
    // What the server said tells why.
    expect({ missing: missing(), output: server.output }).toMatchObject({ missing: [] });
    for (const keys of contents.values()) expect(new Set(keys).size).toBe(1);
    expect(sent.length).toBeGreaterThan(0);
    const all = [...contents.values()].flat();
    expect(new Set(all).size).toBe(contents.size);
  },
  sized({ nightly: 600_000, usual: 180_000 }),
);
