/** Commands that show events of a running server, without contents. */
import { LogStatistics } from '#operator';
import { until } from '#testing';
import { runCommand } from '../../apps/cli/src/command-line.js';
import type { ApiClient } from '../support/client.js';
import { expectRefusal } from '../support/answers.js';
import { OperatorCalls } from '../support/operator.js';
import { startTestServer, type TestServer } from '../support/server.js';

let server: TestServer;
let ann: ApiClient;
let operator: OperatorCalls;

beforeAll(async () => {
  // A server that is used by people counts every quarter of a minute.
  jest.spyOn(LogStatistics.prototype, 'everyMs', 'get').mockReturnValue(200);
  server = await startTestServer();
  ann = await server.user('Ann Archer');
  operator = new OperatorCalls(server);
});
afterAll(() => server.stop());

async function scrollback(...args: string[]) {
  const [out, told]: [string[], string[]] = [[], []];
  const code = await runCommand([...args, '--data', server.dataDir], {
    environment: {},
    print: (line) => void out.push(line),
    tell: (line) => void told.push(line),
    onInterrupt: () => undefined,
  });
  return { code, out, told };
}

test('a stream is shown in pages, by who did what, without contents', async () => {
  for (const text of ['secret soup', 'secret bread', 'secret cheese'])
    await server.owner.send('general', 'lunch', text);
  const { code, out } = await scrollback('streams', 'show', '1.messages', '--after', '0', '--limit', '1');
  expect(code).toBe(0);
  expect(out).toHaveLength(2);
  expect(out[0]).toMatch(/^POSITION +AT +STREAM +REVISION +TYPE +ACTOR +BYTES$/);
  expect(out[1]).toMatch(/^\d+ +\d{4}-[-\dT:]+Z +1\.messages +1 +message\.sent\.v1 +user \d+ +\d+$/);
  const json = await scrollback('streams', 'show', '1.messages', '--json', '--after', '1');
  expect(json.out.map((line) => JSON.parse(line).revision)[0]).toBe(2);
  const all = await operator.ok('GET', 'streams/1.messages');
  expect(JSON.stringify(all)).not.toContain('secret');
  expect(await scrollback('streams', 'show', '1.nowhere')).toEqual({ code: 1, out: [], told: ['No such stream'] });
});

test('the log is followed from now on, filtered, and every event once', async () => {
  const begun = await operator.ok('GET', 'events', { type: 'message.' });
  expect(typeof begun.next).toBe('string');
  const rows: { type: string; actor_id: number; position: number }[] = [];
  for (const text of ['one', 'two'])
    await ann.ok('POST', '/messages', { type: 'direct', to: [ann.userId], content: text });
  await server.owner.send('general', 'lunch', 'three');
  for (let after = begun.next, isLast = false; !isLast;) {
    const answer = await operator.ok('GET', 'events', {
      after,
      type: 'message.',
      actor: String(ann.userId),
      limit: '1',
    });
    rows.push(...answer.events);
    [after, isLast] = [answer.next, answer.is_last];
  }
  expect(rows.map(({ type, actor_id }) => [type, actor_id])).toEqual([
    ['message.sent.v1', ann.userId],
    ['message.sent.v1', ann.userId],
  ]);
  const tailing = scrollback('events', 'tail', '--json', '--stream', '1.messages', '--count', '1');
  const sent: Promise<unknown>[] = [];
  const sending = setInterval(() => sent.push(server.owner.send('general', 'lunch', 'more')), 200);
  const { code, out } = await tailing;
  clearInterval(sending);
  // What arrived later would not be counted by those that follow.
  await Promise.all(sent);
  expect([code, out.map((line) => JSON.parse(line).stream)]).toEqual([0, ['1.messages']]);
});

test('what there is was counted, by type and day, and measured', async () => {
  await ann.send('general', 'lunch', 'secret salad');
  const sent = (await operator.ok('GET', 'streams/1.messages', { limit: '1000' })).events.length as number;
  const count = async () => operator.ok('GET', 'stats', { days: '2' });
  const ofSends = ({ types }: any) => types.find(({ type }: { type: string }) => type === 'message.sent.v1');
  await until(async () => ofSends(await count())?.events === sent && (await count()).read_models !== null);
  const stats = await count();
  expect(ofSends(stats).bytes).toBeGreaterThan(sent * 100);
  const sum = (rows: readonly any[]) => rows.reduce<number>((all, { events }) => all + Number(events), 0);
  expect([sum(stats.types), sum(stats.days), stats.days.length]).toEqual([stats.log.events, stats.log.events, 2]);
  const collections = stats.read_models.collections as readonly { name: string; bytes: number }[];
  expect(collections.find(({ name }) => name === 'messages')?.bytes).toBeGreaterThan(0);
  expect(stats.forecast).toBeNull();
  expect(JSON.stringify(stats)).not.toContain('secret');
  const { code, out } = await scrollback('stats', '--days', '1');
  expect(code).toBe(0);
  expect(out.join('\n')).toMatch(/^TYPE +EVENTS +BYTES$/m);
  expect(out.join('\n')).toMatch(new RegExp(`^message\\.sent\\.v1 +${sent} +`, 'm'));
  const json = await scrollback('stats', '--json');
  const counted = JSON.parse(json.out[0]!);
  // Sign-ins are recorded at their own pace, so the log may have more by now.
  expect(counted.log.events).toBeGreaterThanOrEqual(stats.log.events);
  expect(sum(counted.types)).toBe(counted.log.events);
  expect(await scrollback('stats', '--days', '0')).toMatchObject({ code: 2 });
  const shown = await scrollback('projections', 'show', 'messages');
  expect(JSON.parse(shown.out.join(''))).toMatchObject({ name: 'messages', bytes: expect.any(Number) });
});

test('others, and cursors that are none, are refused', async () => {
  for (const path of ['events', 'streams/1.messages']) {
    const answer = await ann.call('GET', `/operator/${path}`);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
  }
  const id = '00000000-0000-4000-8000-000000000001';
  for (const after of ['17', `3@${id}`, `3/4@${id}`, `9999999999999999999@${id}`])
    expectRefusal(await operator.call('GET', 'events', { after }), 'BAD_REQUEST', 400);
  for (const stream of ['x%00y', '%24all']) expect((await operator.call('GET', `streams/${stream}`)).status).toBe(404);
  const after = String(Number.MAX_SAFE_INTEGER);
  expectRefusal(await operator.call('GET', 'streams/1.messages', { after }), 'BAD_REQUEST', 400);
});
