/** A feature is one value: its manifest alone brings all that it adds to the server. */
import { Type } from 'typebox';
import { eventType } from '#event-store';
import { defineFeature, type Feature } from '#feature';
import { type ClientEvent, ClientEvents, noClientEvents } from '#feed';
import { compose, FEATURES } from '#runtime';
import { until } from '#testing';
import { NOTICES, notices } from '../../support/notices-feature.js';
import { startTestServer, type TestServer } from '../../support/server.js';

describe('a server with one more feature', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await startTestServer({}, undefined, compose([...FEATURES, notices]));
  });
  afterAll(() => server.stop());

  const notice = (): Promise<any> => server.owner.ok('GET', '/notice');

  test('has its route, command and query, its state, its client event and its register field', async () => {
    const { owner } = server;
    // The interface has no such field: `ApiClient.register` would complain of it.
    const register = (): Promise<any> => owner.ok('POST', '/register', { event_types: ['notice'] });
    const { notice: before, queue_id, last_event_id } = await register();
    expect(before).toBe('');

    expect((await owner.ok('POST', '/notice', { text: 'Lunch is ready', seconds: 600 })).posted).toBe(
      'notice.posted.v1',
    );

    // What the event entails is done before the answer, without a word of the use case.
    expect(await notice()).toMatchObject({ notice: 'Lunch is ready', told: 1 });
    expect(await owner.call('POST', '/notice', { text: '', seconds: 600 })).toMatchObject({ status: 400 });
    const { events } = await owner.ok('GET', '/events', { queue_id, last_event_id, dont_block: true });
    expect(events).toEqual([{ type: 'notice', text: 'Lunch is ready', id: expect.any(Number) }]);
    expect((await register()).notice).toBe('Lunch is ready');
  });

  test('has its state again after a restart', async () => {
    await server.restart();
    expect(await notice()).toMatchObject({ notice: 'Lunch is ready', told: 1 });
  });

  test('does its work in the background, and reports it', async () => {
    await until(async () => (await notice()).counted === 1);
    const { work } = await server.owner.ok('GET', '/operator/projections');
    expect(work).toContainEqual({
      name: 'counting-notices',
      isRunning: expect.any(Boolean),
      turns: expect.any(Number),
      failures: 0,
      retryMaxMs: expect.any(Number),
    });
  });

  test('acts when something is due', async () => {
    await server.owner.ok('POST', '/notice', { text: 'Coffee is ready', seconds: 0 });
    await until(async () => (await notice()).notice === '');
  });
});

const without = (...parts: (keyof typeof NOTICES)[]): Feature =>
  defineFeature(
    Object.fromEntries(Object.entries(NOTICES).filter(([name]) => !parts.includes(name as never))) as never,
  );

test.each([
  ['two features of one name', defineFeature({ name: 'messages' }), 'The feature messages is defined'],
  [
    'two of one event type',
    defineFeature({ name: 'x', events: [eventType('message.sent.v1', Type.Object({}))] }),
    'message.sent.v1',
  ],
  [
    'one that handles an unknown event type',
    without('directory'),
    'The feature notices reads events of type notice.posted.v1',
  ],
  [
    'one whose event entails what nobody does',
    without('followUps'),
    'The feature notices records notice.posted.v1, and no feature does what it entails',
  ],
  [
    'one with the use case of another',
    defineFeature({ name: 'x', commands: NOTICES.commands }),
    'is defined by the features notices and x',
  ],
])('%s do not start', (_what, feature, text) => {
  const others = feature.name === 'notices' ? FEATURES : [...FEATURES, notices];
  expect(() => compose([...others, feature])).toThrow(text);
});

/** Says that no client hears of it, which reads nothing. */
class Unheard extends ClientEvents {
  override readonly on = { 'thing.lost.v1': noClientEvents };
  override readonly types: ReadonlySet<string> = new Set();

  override present(): readonly ClientEvent[] {
    return [];
  }
}

test('an event type without a reader fails the start, unless it is for deciders alone', async () => {
  const events = [eventType('thing.lost.v1', Type.Object({}))];
  const starting = (feature: ReturnType<typeof defineFeature>) =>
    startTestServer({}, undefined, compose([...FEATURES, feature]));
  await expect(starting(defineFeature({ name: 'x', events }))).rejects.toThrow('records thing.lost.v1');
  await expect(starting(defineFeature({ name: 'x', decidersOnly: ['message.sent.v1'] }))).rejects.toThrow(
    'names message.sent.v1 in decidersOnly',
  );
  await expect(starting(defineFeature({ name: 'x', events, clientEvents: [Unheard] }))).rejects.toThrow(
    'records thing.lost.v1',
  );
  const server = await starting(defineFeature({ name: 'x', events, decidersOnly: ['thing.lost.v1'] }));
  await server.stop();
});

test('client events without a schema fail the start', async () => {
  const starting = startTestServer({}, undefined, compose([...FEATURES, without('eventSchemas')]));
  await expect(starting).rejects.toThrow('Client events of type notice have no schema');
});

test('a feature that leaves out what its classes need fails the start with its name', async () => {
  const starting = startTestServer({}, undefined, compose([...FEATURES, without('providers')]));
  await expect(starting).rejects.toThrow(/NoticeReader.* notices/s);
});
