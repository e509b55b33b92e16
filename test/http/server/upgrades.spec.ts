/** Another version of the server starts: queues that survive are told. */
import { openEventStore, streams } from '#event-store';
import { newId } from '#kernel';
import { scrollback } from '#runtime';
import { applyEvents, comparable } from '#testing';
import type { ApiClient } from '../../support/client.js';
import { startTestServer, type TestServer } from '../../support/server.js';

const OLDER = { version: '0.0.9', featureLevel: 420, at: 1_600_000_000 };
const FETCHED = { fetch_event_types: ['realm'] };

let server: TestServer;
let ann: ApiClient;

beforeAll(async () => {
  // An address that does not change with the port.
  server = await startTestServer({ SITE_URL: 'http://chat.example.test' });
  ann = await server.user('Ann Archer');
});
afterAll(() => server.stop());

/** Lets the log say that an older version ran last. */
const upgraded = (): Promise<void> =>
  server.restart(async () => {
    const store = await openEventStore(server.eventStoreUrl, scrollback.registry);
    await store.append(streams.organization, 'any', [
      { id: newId(), type: 'organization.server-upgraded.v1', data: OLDER },
    ]);
    await store.close();
  });

test('the queue survives, and its client learns the version', async () => {
  const client = await ann.register(FETCHED);
  const { server_generation: first, realm_date_created: created } = client.state;
  expect([first, first > OLDER.at]).toEqual([created, true]);
  await upgraded();
  const events = await client.pending();
  const { server_generation: generation } = events.at(-1);
  expect(events.map(({ type }: any) => type)).toEqual(['restart', 'restart']);
  const { service_version: version, service_merge_base: base } = client.state;
  expect(events.at(-1)).toEqual({
    id: expect.any(Number),
    type: 'restart',
    service_version: version,
    service_merge_base: base,
    service_feature_level: 421,
    zulip_version: '11.0',
    zulip_merge_base: '11.0',
    zulip_feature_level: 421,
    server_generation: generation,
  });
  expect(generation).toBeGreaterThan(OLDER.at);
  const later = await ann.register(FETCHED);
  expect(comparable(applyEvents(client.state, events))).toEqual(comparable(later.state));
});

test('a start of the same version tells nobody', async () => {
  const client = await ann.register(FETCHED);
  await server.restart();
  await ann.send('general', 'after', 'the start');
  expect((await client.pending()).map(({ type }: any) => type)).not.toContain('restart');
  expect((await ann.register(FETCHED)).state.server_generation).toBe(client.state.server_generation);
});
