import { setTimeout as pause } from 'node:timers/promises';
import { openEventStore, streams } from '#event-store';
import { scrollback } from '#runtime';
import { until } from '#testing';
import { ApiClient } from '../support/client.js';
import { type FetchedPage, fetchPage, submit } from '../support/forms.js';
import { describeShared } from '../support/pairings.js';
import { build, ServerProcess } from '../support/process.js';
import { sentInLog } from '../support/sent-messages.js';
import { openSharedStores, type SharedStores } from '../support/shared-stores.js';

/** Guards against hanging only. */
const OVER_WITHIN_MS = 120_000;
/** Time until the scheduled messages are due. Registering and signing in at two apis comes before it. */
const AHEAD_SECONDS = 12;

describeShared('two apis whose projector is away', () => {
  let stores: SharedStores;
  let apis: [ServerProcess, ServerProcess];
  let projector: ServerProcess;
  let owner: ApiClient;

  beforeAll(async () => {
    build();
    stores = await openSharedStores();
    const environment = { ...stores.environment, PROJECTOR: 'off' };
    apis = [new ServerProcess('api', environment), new ServerProcess('api', environment)];
    projector = new ServerProcess('projector', environment);
    await Promise.all([...apis, projector].map((process) => process.start()));
    owner = apis[0].owner();
  });
  afterAll(async () => {
    for (const process of [...apis, projector]) await process.discard();
    await stores.stop();
  });

  /** A user's access: by key, by a poll that waits and by a session, at each api. */
  interface Access {
    readonly clients: readonly ApiClient[];
    readonly polls: readonly Promise<unknown>[];
    readonly sessions: readonly FetchedPage[];
    readonly content: string;
  }

  async function access(name: string): Promise<Access> {
    const [email, password] = [`${name}@example.test`, 'a good long password'];
    const { user_id } = await owner.ok('POST', '/users', { email, password, full_name: name });
    const { api_key } = await owner.ok('POST', '/fetch_api_key', { username: email, password });
    const clients = apis.map((api) => new ApiClient(() => api.url, email, String(api_key)));
    for (const client of clients) client.userId = Number(user_id);
    const sessions = await Promise.all(
      apis.map(async ({ url }) => {
        const page = await fetchPage(`${url}/login/`);
        return submit(page, `${url}/login/`, { username: email, password });
      }),
    );
    const { stream_id: to } = await owner.ok('GET', '/get_stream_id', { stream: 'general' });
    const content = `scheduled by ${name}`;
    const scheduled_delivery_timestamp = Math.floor(Date.now() / 1000) + AHEAD_SECONDS;
    const message = { type: 'channel', to, topic: 'later', content, scheduled_delivery_timestamp };
    await clients[0]?.ok('POST', '/scheduled_messages', message);
    const queues = await Promise.all(clients.map((client) => client.register({ event_types: ['message'] })));
    const polls = queues.map((queue) => queue.poll().catch(String));
    for (const [index, client] of clients.entries())
      expect(await isSignedIn(index, sessions[index], client)).toEqual([200, true]);
    return { clients, polls, sessions, content };
  }

  /** The answer to the key, and whether the session counts. */
  async function isSignedIn(index: number, session: FetchedPage | undefined, client: ApiClient): Promise<unknown> {
    const { url } = apis[index] as ServerProcess;
    const { text } = await fetchPage(`${url}/login/`, { headers: { cookie: session?.cookie ?? '' } });
    return [(await client.call('GET', '/users/me')).status, text.includes(`(${client.email})`)];
  }

  /** Types of the events about a user's plans. */
  async function plansInLog(userId: number): Promise<readonly string[]> {
    const store = await openEventStore(stores.standIn.url, scrollback.registry);
    try {
      const events = await store.readStream(streams.plans(userId), { from: 0, limit: 100 });
      return events.map(({ type }) => type);
    } finally {
      await store.close();
    }
  }

  async function expectNoAccess({ clients, polls, sessions }: Access): Promise<void> {
    for (const [index, client] of clients.entries()) {
      expect(await isSignedIn(index, sessions[index], client)).toEqual([401, false]);
      await polls[index];
    }
  }

  /** @returns after how many ms the account had none of it any more */
  async function accessEnds({ clients, polls, sessions }: Access): Promise<number> {
    const start = performance.now();
    const ended = clients.map(async (client, index) => {
      await until(async () => (await client.call('GET', '/users/me')).status === 401, OVER_WITHIN_MS);
      await polls[index];
      expect(await isSignedIn(index, sessions[index], client)).toEqual([401, false]);
      return performance.now() - start;
    });
    return Math.max(...(await Promise.all(ended)));
  }

  test('a deactivated account has no access at either of them, and sends nothing any more', async () => {
    const [acknowledged, recorded] = [await access('ann'), await access('ben')];
    const idOf = ({ clients }: Access): number => clients[0]?.userId ?? 0;
    await owner.ok('DELETE', `/users/${idOf(acknowledged)}`);
    await expectNoAccess(acknowledged);
    await projector.end('SIGKILL');
    // Recorded in the log while the apis have not noticed that nothing becomes visible.
    const start = performance.now();
    const late = owner
      .call('DELETE', `/users/${idOf(recorded)}`)
      .then(({ text }) => ({ text, ms: performance.now() - start }));
    const endedMs = await accessEnds(recorded);
    const { text, ms } = await late;
    expect(text).toContain('The server has recorded this');
    // The command waits ten seconds to become visible, and in vain: access ends by the log alone, mostly within half a second.
    expect(endedMs).toBeLessThan(ms);

    await projector.start();
    // Before that, an account that is active again would send what is due later.
    for (const userId of [idOf(acknowledged), idOf(recorded)]) {
      await until(async () => {
        await pause(500);
        return (await plansInLog(userId)).includes('scheduled-message.failed.v1');
      }, OVER_WITHIN_MS);
    }
    for (const { clients } of [acknowledged, recorded])
      await until(async () => (await owner.call('POST', `/users/${clients[0]?.userId}/reactivate`)).status === 200);
    for (const { clients, content } of [acknowledged, recorded]) {
      const unsent = async (): Promise<any> => (await clients[1]?.ok('GET', '/scheduled_messages'))?.scheduled_messages;
      await until(async () => (await unsent()).length === 1, OVER_WITHIN_MS);
      expect(await unsent()).toMatchObject([{ content, failed: true }]);
    }
    expect((await sentInLog(stores.standIn.url)).map(({ content }) => content)).not.toContain(acknowledged.content);
    expect((await sentInLog(stores.standIn.url)).map(({ content }) => content)).not.toContain(recorded.content);
  });
});
