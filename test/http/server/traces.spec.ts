import { fetch, until } from '#testing';
import { startTestServer, type TestServer } from '../../support/server.js';
import { type RecordedSpan, TraceRecorder } from '../../support/trace-recorder.js';

let recorder: TraceRecorder;
let server: TestServer;

beforeAll(async () => {
  recorder = new TraceRecorder().register();
  server = await startTestServer();
  await server.owner.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'observatory' }] });
});
afterAll(async () => {
  await server.stop();
  recorder.unregister();
});
beforeEach(() => {
  recorder.ended.length = 0;
});

const send = (content: string, to = 'observatory') =>
  server.owner.call('POST', '/messages', { type: 'stream', to, topic: 'telescopes', content });

/** A request's span ends after its answer has arrived. */
async function spanOf(name: string): Promise<RecordedSpan> {
  await until(() => recorder.ended.some((span) => span.name === name));
  return recorder.ended.find((span) => span.name === name)!;
}

const namesBelow = (below: unknown): string[] =>
  (below as readonly [string, unknown][]).flatMap(([name, under]) => [name, ...namesBelow(under)]);

test('a send is a span, and what it waits for are spans below it', async () => {
  await send('one');
  const request = await spanOf('POST /api/v1/messages');
  expect(request).toMatchObject({
    parentId: undefined,
    isFailure: false,
    attributes: {
      'http.request.method': 'POST',
      'http.route': '/api/v1/messages',
      'http.response.status_code': 200,
      'scrollback.request_id': expect.any(String),
    },
  });
  const command = recorder.ended.find(({ name }) => name === 'command SendMessage');
  expect(command?.parentId).toBe(request.id);
  const below = new Map(recorder.below(command!.id));
  expect(namesBelow(below.get('append'))).toEqual(['log append']);
  expect(below.has('wait')).toBe(true);
});

test('a change of the organization shows its decision', async () => {
  await server.owner.ok('PATCH', '/realm', { name: 'Hill' });
  const request = await spanOf('PATCH /api/v1/realm');
  expect(namesBelow(recorder.below(request.id))).toEqual(
    expect.arrayContaining(['decide', 'append', 'log append', 'wait']),
  );
});

test('a read shows its query and its calls to the store', async () => {
  await server.owner.ok('GET', '/messages', { anchor: 'newest', num_before: 5, num_after: 0 });
  const names = namesBelow(recorder.below((await spanOf('GET /api/v1/messages')).id));
  expect(names.filter((name) => name.startsWith('query '))).toHaveLength(1);
  expect(names.filter((name) => name.startsWith('read-models ')).length).toBeGreaterThan(0);
});

test('a delivery to held polls is a span of its own', async () => {
  const { queue_id, last_event_id } = await server.owner.ok('POST', '/register', { event_types: ['message'] });
  const held = server.owner.ok('GET', '/events', { queue_id, last_event_id });
  await until(async () => {
    await send('look');
    return recorder.ended.some(({ name }) => name === 'deliver');
  });
  expect((await held).events.length).toBeGreaterThan(0);
  await spanOf('GET /api/v1/events');
});

test('a refusal shows its code, and no span shows what people wrote', async () => {
  await send('secret words', 'nowhere at all');
  const request = await spanOf('POST /api/v1/messages');
  expect(request.attributes['http.response.status_code']).toBe(400);
  expect(request.isFailure).toBe(false);
  const refused = recorder.ended.filter(({ attributes }) => 'error.type' in attributes);
  expect(refused.map(({ attributes, isFailure }) => [attributes['error.type'], isFailure])).toContainEqual([
    'STREAM_DOES_NOT_EXIST',
    false,
  ]);
  expect(JSON.stringify(recorder.ended)).not.toMatch(/secret|nowhere|olive|observatory|telescopes|127\.0\.0/);
});

test('the trace of a caller is continued behind a trusted proxy alone', async () => {
  const traceId = 'a'.repeat(32);
  const ask = async (at: TestServer): Promise<RecordedSpan> => {
    recorder.ended.length = 0;
    await fetch(`${at.url}/api/v1/server_settings`, { headers: { traceparent: `00-${traceId}-${'b'.repeat(16)}-01` } });
    return spanOf('GET /api/v1/server_settings');
  };
  expect((await ask(server)).traceId).not.toBe(traceId);
  const behind = await startTestServer({ TRUST_PROXY: 'on' });
  expect((await ask(behind)).traceId).toBe(traceId);
  await behind.stop();
});

test('work beside the requests shows nothing', async () => {
  const turnsOf = async (): Promise<number> => {
    const { work } = await server.owner.ok('GET', '/operator/projections');
    return work.find(({ name }: { name: string }) => name === 'timers').turns;
  };
  const before = await turnsOf();
  await until(async () => (await turnsOf()) > before + 1);
  const roots = recorder.ended.filter(({ parentId }) => parentId === undefined);
  expect(new Set(roots.map(({ name }) => name))).toEqual(new Set(['GET /api/v1/operator/projections']));
});
