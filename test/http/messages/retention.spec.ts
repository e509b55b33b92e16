/** Retention: what is older than its policy is removed, by events; whatever else is stored stays. */
import { MoveLock, SharedMoveLock } from '#messages';
import { BackgroundRunner } from '#read-store';
import { until } from '#testing';
import { alertsWithin, PROMTOOL } from '../../support/alerts.js';
import { expectRefusal } from '../../support/answers.js';
import { audited, letAudit } from '../../support/audit.js';
import type { ApiClient } from '../../support/client.js';
import { readExposition } from '../../support/exposition.js';
import { later } from '../../support/later.js';
import { OperatorCalls } from '../../support/operator.js';
import { startTestServer, type TestServer } from '../../support/server.js';
import { load, upload } from '../../support/uploads.js';

const DAY = 86_400;
const ALERT = 'ScrollbackRetentionBehind';

let server: TestServer;
let operator: OperatorCalls;
let ann: ApiClient, ben: ApiClient;
let environment: Record<string, string>;
/** Work in the background begins with it: some is too rare to wait for. */
let begun: jest.SpiedFunction<BackgroundRunner['start']>;

beforeAll(async () => {
  const { start } = BackgroundRunner.prototype;
  begun = jest.spyOn(BackgroundRunner.prototype, 'start').mockImplementation(function (this: BackgroundRunner, works) {
    // Its later turns would remove what a test is about to follow.
    for (const work of works) if (work.name === 'retention') Object.assign(work, { everyMs: DAY * 1_000 });
    start.call(this, works);
  });
  environment = { RETENTION: 'off', METRICS_ADDRESS: '0' };
  server = await startTestServer(environment);
  operator = new OperatorCalls(server);
  ann = await server.user('Ann Archer');
  ben = await server.user('Ben Baker');
  await channel('office', undefined);
});
afterAll(async () => {
  await server.stop();
  begun.mockRestore();
});

async function channel(name: string, days: number | 'unlimited' | undefined): Promise<number> {
  const principals = [ann.userId, ben.userId];
  await server.owner.ok('POST', '/users/me/subscriptions', {
    subscriptions: [{ name }],
    principals,
    ...(days !== undefined && { message_retention_days: days }),
  });
  return (await server.owner.ok('GET', '/get_stream_id', { stream: name })).stream_id;
}

const idsOf = async (client: ApiClient): Promise<number[]> => {
  const params = { anchor: 'newest', num_before: 1000, num_after: 0 };
  return (await client.ok('GET', '/messages', params)).messages.map(({ id }: any) => id);
};
const follow = () =>
  ben.register({
    event_types: ['delete_message', 'stream'],
    client_capabilities: { bulk_message_deletion: true },
  });
/** A turn of work of the server as it runs now. */
async function turn(name: string): Promise<void> {
  const at = begun.mock.calls.findLastIndex(([works]) => works.some((work) => work.name === name));
  const work = begun.mock.calls[at]?.[0].find((one) => one.name === name);
  if (work === undefined) throw new Error(`Nothing began the work ${name}.`);
  await (begun.mock.contexts[at] as BackgroundRunner).turn(work);
}
/** The turn that comes with a start is over. */
const firstTurn = () =>
  until(async () => (await operator.ok('GET', 'projections')).work.find((w: any) => w.name === 'retention').turns > 0);
const policies = async (): Promise<any[]> => (await operator.ok('GET', 'retention')).policies;

test('without the setting of the operator, the number is stored, and answers say that nothing acts on it', async () => {
  const ignored = { ignored_parameters_unsupported: ['message_retention_days'] };
  const id = await channel('files', undefined);
  expect(await server.owner.ok('PATCH', '/realm', { message_retention_days: 30 })).toMatchObject(ignored);
  expect(await server.owner.ok('PATCH', `/streams/${id}`, { message_retention_days: 7 })).toMatchObject(ignored);
  const made = { subscriptions: [{ name: 'made' }], message_retention_days: 7 };
  expect(await server.owner.ok('POST', '/users/me/subscriptions', made)).toMatchObject(ignored);
  for (const params of [{ message_retention_days: 'unlimited' }, { name: 'Elsewhere' }])
    expect(await server.owner.ok('PATCH', '/realm', params)).not.toHaveProperty('ignored_parameters_unsupported');
  const shown = await operator.ok('GET', 'retention');
  expect(shown).toMatchObject({ is_on: false, why_off: expect.stringContaining('RETENTION=on') });
  expect(shown.policies.map((one: any) => [one.channel, one.days, one.set_by])).toEqual([
    ['files', 7, 'channel'],
    ['made', 7, 'channel'],
  ]);
  expect(shown.is_last).toBe(true);
  const first = await operator.ok('GET', 'retention', { limit: '1' });
  expect([first.policies[0].channel_id, first.policies.length, first.is_last]).toEqual([id, 1, false]);
  const rest = await operator.ok('GET', 'retention', { after: String(id), limit: '1' });
  expect([rest.policies[0].channel, rest.is_last]).toEqual(['made', true]);
  await ann.send('files', 'old', 'Stays');
  await later(8 * DAY, async () => {
    expect((await policies())[0]).toMatchObject({ messages: 1, with_files: 0 });
    expectRefusal(await operator.call('POST', 'retention'), 'BAD_REQUEST');
  });
  await server.restart(() => void (environment['RETENTION'] = 'on'));
  await firstTurn();
  expect(await server.owner.ok('PATCH', `/streams/${id}`, { message_retention_days: 8 })).not.toHaveProperty(
    'ignored_parameters_unsupported',
  );
});

test('only the operator and owners look and act', async () => {
  for (const method of ['GET', 'POST'] as const)
    expectRefusal(await ann.call(method, '/operator/retention'), 'UNAUTHORIZED_PRINCIPAL');
});

describe('two days later', () => {
  let kept: number, short: number, files: number;
  let old: Record<string, number>;
  /** Due when a start neither is quiet nor only answers questions. */
  let last: number;

  beforeAll(async () => {
    await server.owner.ok('PATCH', '/realm', { message_retention_days: 2 });
    kept = await channel('kept', 'unlimited');
    short = await channel('short', 1);
    files = await channel('attachments', 1);
    const address = await upload(server, ann, 'notes.txt', 'What was said');
    old = {
      office: await ann.send('office', 'one', 'Old in the office'),
      kept: await ann.send('kept', 'one', 'Forever'),
      short: await ann.send('short', 'one', 'Old and short'),
      other: await ben.send('short', 'two', 'Old and short as well'),
      direct: await ann.sendTo([ben], 'Old and direct'),
      file: await ann.send('attachments', 'one', `[notes](${address})`),
    };
    await ben.ok('POST', '/messages/flags', { messages: [old['short']], op: 'add', flag: 'starred' });
  });

  test('a day later, only what is kept for a day goes; clients and auditors are told', async () => {
    let young = 0;
    let told: any[] = [];
    await later(1.5 * DAY, async () => {
      const queue = await follow();
      young = await ann.send('short', 'one', 'Young');
      expect(await policies()).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ channel: 'short', days: 1, set_by: 'channel', messages: 2, with_files: 0 }),
          expect.objectContaining({ channel: 'attachments', messages: 1, with_files: 1 }),
          expect.objectContaining({ channel: null, days: 2, set_by: 'organization', messages: 0 }),
        ]),
      );
      expect(await operator.ok('POST', 'retention')).toMatchObject({ removed: 3 });
      expect(await operator.ok('POST', 'retention')).toMatchObject({ removed: 0 });
      told = await queue.pending();
    });
    const ids = await idsOf(ben);
    expect(ids).toEqual(expect.arrayContaining([old['office'], old['kept'], old['direct'], young]));
    for (const name of ['short', 'other', 'file']) expect(ids).not.toContain(old[name]);
    expectRefusal(await ben.call('GET', `/messages/${old['short']}`), 'BAD_REQUEST');
    expect(told).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          type: 'delete_message',
          message_ids: [old['short']],
          stream_id: short,
          topic: 'one',
        }),
        expect.objectContaining({
          type: 'delete_message',
          message_ids: [old['other']],
          stream_id: short,
          topic: 'two',
        }),
        expect.objectContaining({ type: 'delete_message', message_ids: [old['file']], stream_id: files }),
        expect.objectContaining({ type: 'stream', property: 'first_message_id', stream_id: short, value: young }),
        expect.objectContaining({ type: 'stream', property: 'first_message_id', stream_id: files, value: null }),
      ]),
    );
    await letAudit(server.owner, ann);
    const story = await audited(ann, `messages/${old['other']}`);
    expect(story.at(-1)).toMatchObject({
      type: 'deleted',
      deleted_with: 'retention',
      policy: { days: 1, of: 'channel' },
      actor: { kind: 'server' },
    });
  });

  test('then what follows the organization, with direct messages; a channel that keeps forever keeps', async () => {
    let told: any[] = [];
    await later(3 * DAY, async () => {
      const queue = await follow();
      await operator.ok('POST', 'retention');
      expect(await policies()).toEqual(expect.not.arrayContaining([expect.objectContaining({ channel: 'kept' })]));
      for (const policy of await policies()) expect(policy.messages).toBe(0);
      told = await queue.pending();
    });
    expect(told).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ message_type: 'private', message_ids: expect.arrayContaining([old['direct']]) }),
        expect.objectContaining({ message_type: 'stream', message_ids: expect.arrayContaining([old['office']]) }),
      ]),
    );
    const ids = await idsOf(ben);
    expect(ids).toContain(old['kept']);
    expect(ids).not.toContain(old['office']);
    expect(ids).not.toContain(old['direct']);
    expect((await server.owner.ok('GET', `/streams/${kept}`)).stream.first_message_id).toBe(old['kept']);
  });

  test('read models built anew are the same, and the contents stay in the log', async () => {
    const before = await idsOf(ben);
    await server.restart(() => server.forgetReadModels());
    expect(await idsOf(ben)).toEqual(before);
    expect(await server.rawLog()).toContain('Old and direct');
    await firstTurn();
  });

  test('a file goes after the last message that refers to it, and stays for another one', async () => {
    const [alone, shared] = [
      await upload(server, ann, 'alone.txt', 'In one message'),
      await upload(server, ann, 'shared.txt', 'In two messages'),
    ];
    const gone = [
      await ann.send('attachments', 'two', `[alone](${alone})`),
      await ann.send('attachments', 'two', `[shared](${shared})`),
    ];
    const stays = await ann.send('kept', 'two', `[shared](${shared})`);
    const statuses = async (): Promise<number[]> => {
      const answers = await Promise.all([alone, shared].map((address) => load(server, address, ann)));
      return answers.map(({ status }) => status);
    };
    await later(40 * DAY, async () => {
      await turn('unused-files');
      expect(await statuses()).toEqual([200, 200]);
      const due = (await policies()).find((one: any) => one.channel_id === files);
      expect(due).toMatchObject({ messages: 2, with_files: 2 });
      await operator.ok('POST', 'retention');
      const ids = await idsOf(ben);
      for (const id of gone) expect(ids).not.toContain(id);
      expect(ids).toContain(stays);
    });
    await later(41 * DAY, async () => {
      await turn('unused-files');
      expect(await statuses()).toEqual([404, 200]);
    });
    expect(await (await load(server, shared, ben)).text()).toBe('In two messages');
  });

  test('whom an edit mentioned is told as well, outside of the channel', async () => {
    const outsider = await server.user('Olga Outside');
    const mentioning = await ann.send('attachments', 'three', 'Hi');
    await ann.send('attachments', 'three', 'Hi all');
    await ann.ok('PATCH', `/messages/${mentioning}`, { content: 'Hi @**Olga Outside**' });
    // Not in a second that has been, as the server sees it: it knows what had been sent until then.
    await later(50 * DAY, async () => {
      const queue = await outsider.register({
        event_types: ['delete_message'],
        client_capabilities: { bulk_message_deletion: true },
      });
      await operator.ok('POST', 'retention');
      // The message that greeted them goes at the same time.
      const told = (await queue.pending()).filter((event: any) => event.message_type === 'stream');
      expect(told.map(({ message_ids, topic }: any) => [message_ids, topic])).toEqual([[[mentioning], 'three']]);
    });
  });

  test('metrics tell how removals go; an alert fires when nothing has gone for hours', async () => {
    const metric = async (name: string) => readExposition(await server.metrics()).value(`scrollback_retention_${name}`);
    const removedBefore = (await metric('removed_messages_total')) ?? 0;
    const failuresBefore = (await metric('failures_total')) ?? 0;
    await ann.send('short', 'one', 'To be removed');
    const failing = [MoveLock, SharedMoveLock].map(({ prototype }) =>
      jest.spyOn(prototype, 'exclusive').mockRejectedValue(new Error('Something is in the way.')),
    );
    // The last turn so far was 41 days ahead.
    await later(60 * DAY, async () => {
      expect((await operator.call('POST', 'retention')).status).toBe(500);
      expect(await metric('failures_total')).toBeGreaterThan(failuresBefore);
      expect(await metric('behind_seconds')).toBeGreaterThanOrEqual(DAY - 60);
      expect(await metric('pass_age_seconds')).toBeGreaterThan(DAY);
      const fired = await server.metrics();
      if (PROMTOOL !== undefined) expect(alertsWithin(fired, fired, [ALERT])).toEqual([ALERT]);
      for (const spy of failing) spy.mockRestore();
      await operator.ok('POST', 'retention');
      expect(await metric('removed_messages_total')).toBeGreaterThan(removedBefore);
      expect(await metric('behind_seconds')).toBe(0);
      expect(await metric('pass_age_seconds')).toBeLessThan(DAY);
      const quiet = await server.metrics();
      if (PROMTOOL !== undefined) expect(alertsWithin(quiet, quiet, [ALERT])).toEqual([]);
    });
  });

  test('a quiet server removes nothing, and says so', async () => {
    last = await ann.send('short', 'one', 'The last one');
    await server.restart(() => void (environment['QUIET'] = 'on'));
    await later(100 * DAY, async () => {
      const shown = await operator.ok('GET', 'retention');
      expect(shown).toMatchObject({ is_on: false, why_off: expect.stringContaining('QUIET') });
      expect(shown.policies.some(({ messages }: any) => messages > 0)).toBe(true);
      expectRefusal(await operator.call('POST', 'retention'), 'BAD_REQUEST');
      const { checks } = await operator.ok('GET', 'doctor');
      expect(checks).toContainEqual({ name: 'retention', state: 'warning', text: shown.why_off });
    });
  });

  test('nor does one that only answers questions; the next start without it does', async () => {
    delete environment['QUIET'];
    await server.restart(() => void (environment['READ_ONLY'] = 'on'));
    await later(100 * DAY, async () => {
      const shown = await operator.ok('GET', 'retention');
      expect(shown).toMatchObject({ is_on: false, why_off: expect.stringContaining('READ_ONLY') });
      const before = (await policies()).map(({ messages }: any) => messages);
      expect(before.some((messages: number) => messages > 0)).toBe(true);
      const { work } = await operator.ok('GET', 'projections');
      expect(work.map(({ name }: any) => name)).not.toContain('retention');
      expectRefusal(await operator.call('POST', 'retention'), 'READ_ONLY', 403);
      expect((await policies()).map(({ messages }: any) => messages)).toEqual(before);
      expect(await idsOf(ben)).toContain(last);
      await server.restart(() => {
        delete environment['READ_ONLY'];
      });
      await until(async () => !(await idsOf(ben)).includes(last));
    });
  });
});
