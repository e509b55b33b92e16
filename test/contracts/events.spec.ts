import { Module } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { AddressInfo } from 'node:net';
import { botsPart } from '#bots/model';
import { Authenticator, closeGracefully, createHttpApp, Shutdown } from '#http';
import { Directory } from '#people';
import { fetch, until } from '#testing';
import { EventQueues } from '#feed';
import { created, FeedWorld, userCreated } from '../../libs/engine/feed/src/feed.fixture.js';
import { EventsController } from '../../libs/features/register/src/http/events.controller.js';
import { basic } from '../support/answers.js';

describe('GET and DELETE /events', () => {
  let world: FeedWorld;
  let app: NestFastifyApplication;
  let base: string;

  beforeEach(async () => {
    world = await new FeedWorld({ heartbeatSeconds: 30, parts: [botsPart] }).start();
    world.record([created, userCreated(1), userCreated(2)]);
    const { directory, feed } = world;
    const authenticate = (loginName: string) => directory.userByEmail(loginName)!;

    @Module({
      providers: [
        { provide: Authenticator, useValue: { authenticate, recognize: () => undefined, isWriteOnly: () => false } },
        { provide: EventQueues, useValue: feed.queues },
        { provide: Directory, useValue: directory },
      ],
      exports: [Authenticator, EventQueues, Directory],
    })
    class WorldModule {}
    @Module({ controllers: [EventsController] })
    class EventsModule {}
    app = await createHttpApp({
      module: WorldModule,
      global: true,
      imports: [EventsModule],
    });
    await app.listen(0, '127.0.0.1');
    base = `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}/api/v1/events`;
  });

  afterEach(async () => {
    await closeGracefully(app, 2000);
    await world.feed.queues.close();
  });

  async function call(
    method: string,
    query: object,
    { userId = 1, signal }: { userId?: number; signal?: AbortSignal } = {},
  ) {
    const authorization = basic(`user${userId}@example.com`, 'key');
    const url = `${base}?${new URLSearchParams(query as Record<string, string>).toString()}`;
    const response = await fetch(url, { method, headers: { authorization }, ...(signal && { signal }) });
    return { status: response.status, body: await response.json(), headers: response.headers };
  }

  test('waits, answers with the event, and names the queue', async () => {
    const { queueId, lastEventId } = await world.register(1);
    const polled = call('GET', { queue_id: queueId, last_event_id: String(lastEventId), strange: '1' });
    await until(() => world.feed.queues.heldCount === 1);
    world.record([world.say(7, { to: 'everyone' })]);
    const { status, body, headers } = await polled;
    expect(status).toBe(200);
    expect(headers.get('content-type')).toContain('application/json');
    expect(body).toEqual({
      result: 'success',
      msg: '',
      events: [{ type: 'message', message: { n: 7, part: 0 }, id: world.directory.position * 1024 }],
      queue_id: queueId,
      ignored_parameters_unsupported: ['strange'],
    });
  });

  test('registers a queue when none is named', async () => {
    const first = await call('GET', { dont_block: 'true', event_types: '["realm"]' });
    expect(first.body.events).toEqual([]);
    world.record([world.say(1, { to: 'everyone' })]);
    const { queue_id } = first.body;
    const second = await call('GET', { queue_id, last_event_id: '-1', dont_block: 'true' });
    expect(second.body.events).toEqual([]);
    expect(world.feed.queues.size).toBe(1);
  });

  test('refuses unknown queues, strangers, a missing ID and what cannot be narrowed by', async () => {
    const { queueId } = await world.register(1);
    const refusals = [
      call('GET', { queue_id: 'x', last_event_id: '-1' }),
      call('GET', { queue_id: queueId, last_event_id: '-1' }, { userId: 2 }),
      call('GET', { queue_id: queueId }),
      call('GET', {}),
      call('GET', { last_event_id: '-1', dont_block: 'false' }),
      call('GET', { narrow: '[["near","5"]]' }),
      call('GET', { client_capabilities: '{"bulk_message_deletion":3}' }),
      call('DELETE', { queue_id: 'x' }),
    ];
    const answers = await Promise.all(refusals);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 400));
    expect(answers.map(({ body }) => body.code)).toEqual([
      'BAD_EVENT_QUEUE_ID',
      'BAD_EVENT_QUEUE_ID',
      'BAD_REQUEST',
      'REQUEST_VARIABLE_MISSING',
      'REQUEST_VARIABLE_MISSING',
      'BAD_REQUEST',
      'BAD_REQUEST',
      'BAD_EVENT_QUEUE_ID',
    ]);
    expect(answers[0]!.body.msg).toBe('Bad event queue id: x');
    expect(answers[0]!.body.queue_id).toBe('x');
    expect(answers[3]!.body.var_name).toBe('queue_id');
    expect(answers[5]!.body.msg).toContain('near');
  });

  test('a client that goes away frees its place', async () => {
    const { queueId } = await world.register(1);
    const controller = new AbortController();
    const polled = call('GET', { queue_id: queueId, last_event_id: '-1' }, { signal: controller.signal });
    await until(() => world.feed.queues.heldCount === 1);
    controller.abort();
    await expect(polled).rejects.toThrow();
    await until(() => world.feed.queues.heldCount === 0);
    await until(() => app.get(Shutdown).inFlight === 0);
  });

  test('a removal answers the poll that waits, and so does the end of the server', async () => {
    const [first, second] = [await world.register(1), await world.register(1)];
    const polls = [first, second].map(({ queueId }) => call('GET', { queue_id: queueId, last_event_id: '-1' }));
    await until(() => world.feed.queues.heldCount === 2);
    expect((await call('DELETE', { queue_id: first.queueId })).body).toEqual({ result: 'success', msg: '' });
    const heartbeat = { type: 'heartbeat', id: expect.any(Number) };
    expect((await polls[0]!).body.events).toEqual([heartbeat]);
    app.get(Shutdown).begin();
    expect((await polls[1]!).body.events).toEqual([heartbeat]);
  });
});
