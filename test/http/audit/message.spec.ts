/** What an auditor learns of one message, over HTTP and on the command line. */
import { writeFileSync } from 'node:fs';
import { globalAgent } from 'node:http';
import { join } from 'node:path';
import { until } from '#testing';
import { runCommand } from '../../../apps/cli/src/command-line.js';
import { audited, type AuditRow, letAudit } from '../../support/audit.js';
import type { ApiClient } from '../../support/client.js';
import { channelOf, startWithPeople, type Cast } from '../../support/people.js';

let cast: Cast;
let owner: ApiClient, ann: ApiClient, ben: ApiClient, cleo: ApiClient;
let hall: number, attic: number;
let id: number;

beforeAll(async () => {
  cast = await startWithPeople();
  ({ owner, ann, ben, cleo } = cast);
  owner.userId = (await owner.ok('GET', '/users/me')).user_id;
  await letAudit(owner, owner);
  hall = await channelOf('hall', owner, ann, ben);
  attic = await channelOf('attic', owner, ann);
  id = await ann.send(hall, 'plans', 'we leave at noon');
  await cleo.subscribe('hall');
  await ann.ok('PATCH', `/messages/${id}`, { content: 'we leave at one' });
  await ben.ok('POST', `/messages/${id}/reactions`, { emoji_name: 'tada' });
  await ben.ok('DELETE', `/messages/${id}/reactions`, { emoji_name: 'tada' });
  await ben.ok('POST', '/messages/flags', { op: 'add', flag: 'read', messages: [id] });
  await ben.ok('POST', '/messages/flags', { op: 'add', flag: 'starred', messages: [id] });
  await owner.ok('PATCH', `/messages/${id}`, { stream_id: attic, topic: 'old plans', propagate_mode: 'change_all' });
});
afterAll(() => cast.server.stop());

const told = (rows: readonly AuditRow[]) => rows.map(({ type, actor, user }) => [type, actor.name, user?.name]);

test('every version, place, reaction and flag, whom it came to, and its deletion with its topic', async () => {
  const other = await ann.send(attic, 'old plans', 'another');
  await owner.ok('POST', `/streams/${attic}/delete_topic`, { topic_name: 'old plans' });
  const rows = await audited(owner, `messages/${id}`);
  expect(told(rows)).toEqual([
    ['sent', 'Ann Archer', undefined],
    ['delivered', 'Ann Archer', 'Olive Owner'],
    ['delivered', 'Ann Archer', 'Ann Archer'],
    ['delivered', 'Ann Archer', 'Ben Baker'],
    ['edited', 'Ann Archer', undefined],
    ['reacted', 'Ben Baker', undefined],
    ['unreacted', 'Ben Baker', undefined],
    ['flag', 'Ben Baker', 'Ben Baker'],
    ['flag', 'Ben Baker', 'Ben Baker'],
    ['moved', 'Olive Owner', undefined],
    ['delivered', 'Olive Owner', 'Olive Owner'],
    ['delivered', 'Olive Owner', 'Ann Archer'],
    ['deleted', 'Olive Owner', undefined],
  ]);
  const of = (type: string) => rows.filter((row) => row['type'] === type);
  expect(of('sent')[0]).toMatchObject({
    message_id: id,
    version: 1,
    content: 'we leave at noon',
    place: { channel_id: hall, channel: 'hall', topic: 'plans' },
    stream: '1.messages',
    client: 'ScrollbackTest',
  });
  expect(of('edited')[0]).toMatchObject({
    version: 2,
    content: 'we leave at one',
    diff: [{ kept: 'we leave at ' }, { deleted: 'noon', inserted: 'one' }],
  });
  expect(of('flag').map(({ flag, op }) => [op, flag])).toEqual([
    ['add', 'read'],
    ['add', 'starred'],
  ]);
  expect(of('moved')[0]).toMatchObject({ from: { channel: 'hall', topic: 'plans' }, to: { channel: 'attic' } });
  expect(of('deleted')[0]).toMatchObject({ deleted_with: 'topic', place: { channel: 'attic', topic: 'old plans' } });
  expect((await audited(owner, `messages/${other}`)).at(-1)).toMatchObject({ deleted_with: 'topic' });
});

test('as of a position or a time, what came later is not there', async () => {
  const rows = await audited(owner, `messages/${id}`);
  for (const { position } of rows) {
    const then = await audited(owner, `messages/${id}`, { as_of: `@${position}` });
    expect(then).toEqual(rows.filter((row) => row['position'] <= position));
  }
  expect(await audited(owner, `messages/${id}`, { as_of: rows[0]?.['at'] - 1 })).toEqual([]);
  expect(await audited(owner, `messages/${id}`, { as_of: rows.at(-1)?.['at'] })).toEqual(rows);
  expect(await audited(owner, 'messages/999999')).toEqual([]);
});

test('a direct message, one that names somebody outside, and one deleted alone', async () => {
  const direct = await ann.sendTo([ben], 'psst');
  expect(told(await audited(owner, `messages/${direct}`)).slice(0, 3)).toEqual([
    ['sent', 'Ann Archer', undefined],
    ['delivered', 'Ann Archer', 'Ann Archer'],
    ['delivered', 'Ann Archer', 'Ben Baker'],
  ]);
  const naming = await ann.send(attic, 'names', '@**Ben Baker** look');
  const rows = await audited(owner, `messages/${naming}`);
  expect(rows.filter(({ type }) => type === 'delivered').map(({ user, how }) => [user.name, how])).toEqual([
    ['Olive Owner', 'subscribed'],
    ['Ann Archer', 'subscribed'],
    ['Ben Baker', 'mentioned'],
  ]);
  await owner.ok('DELETE', `/messages/${naming}`);
  expect((await audited(owner, `messages/${naming}`)).at(-1)).toMatchObject({
    type: 'deleted',
    deleted_with: 'itself',
  });
});

test('the same after a rebuild from the log', async () => {
  const before = await audited(owner, `messages/${id}`);
  await cast.server.restart(() => cast.server.forgetReadModels());
  expect(await audited(owner, `messages/${id}`)).toEqual(before);
});

async function scrollback(...args: string[]) {
  const [out, errors]: [string[], string[]] = [[], []];
  const code = await runCommand(args, {
    environment: {},
    print: (line) => void out.push(line),
    tell: (line) => void errors.push(line),
    onInterrupt: () => undefined,
  });
  return { code, out, errors };
}

function keyOf({ email, apiKey, site }: ApiClient): string {
  const file = join(cast.server.dataDir, `${email}.zuliprc`);
  writeFileSync(file, `[api]\nemail=${email}\nkey=${apiKey}\nsite=${site}\n`);
  return file;
}

test('the command line prints a table, or JSON Lines with an actor each, and says by its exit code what came of it', async () => {
  const ask = (client: ApiClient, ...args: string[]) => scrollback('audit', ...args, '--credentials', keyOf(client));
  const json = await ask(owner, 'message', String(id), '--reason', 'Case 7.', '--json');
  expect(json.errors).toEqual([]);
  expect(json.out.map((line) => JSON.parse(line) as AuditRow)).toEqual(await audited(owner, `messages/${id}`));
  for (const line of json.out) expect(JSON.parse(line)).toMatchObject({ actor: { kind: 'user' } });
  const table = await ask(owner, 'message', String(id), '--reason', 'Case 7.');
  expect(table.out.find((line) => /\bedited\b/.test(line))).toMatch(
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ {2}Ann Archer \(\d+\) +edited +.*content="we leave at one"/,
  );
  expect(table.out).toContain('    we leave at [-noon-]{+one+}');
  const gone = await Promise.all([
    ask(owner, 'message', '999999', '--reason', 'Case 7.'),
    ask(owner, 'message', String(id), '--reason', 'Case 7.', '--as-of', '@1'),
    ask(owner, 'topic', 'hall', 'nowhere', '--reason', 'Case 7.'),
  ]);
  expect(gone.map(({ code, errors }) => [code, errors])).toEqual([
    [1, ['There is nothing of that.']],
    [1, ['There was nothing of that as of @1.']],
    [1, ['There is nothing of that now; --as-of MOMENT asks about an earlier state.']],
  ]);
  const codes = async (...all: Promise<{ code: number }>[]) => (await Promise.all(all)).map(({ code }) => code);
  expect(
    await codes(
      ask(owner, 'audits', '--reason', 'Case 7.'),
      ask(owner, 'message', '999999', '--reason', 'Case 7.'),
      ask(owner, 'message', String(id)),
      ask(owner, 'message', 'x', '--reason', 'Case 7.'),
      ask(ben, 'message', String(id), '--reason', 'Case 7.'),
      ask(owner, 'message', String(id), '--reason', 'Case 7.', '--as-of', 'yesterday'),
      ask(owner, 'access', '--reason', 'Case 7.'),
      ask(owner, 'access', 'hall', '--could-read', 'Ben Baker', '--reason', 'Case 7.'),
    ),
  ).toEqual([0, 1, 2, 2, 3, 2, 2, 2]);
  // The process of a command ends when no request is under way.
  await until(() => Object.keys(globalAgent.sockets).length === 0);
});

test.each([
  [['topic', 'hall', 'plans']],
  [['channel', 'hall']],
  [['user', 'Ann Archer']],
  [['group', 'role:members']],
  [['setting', 'can_audit_group']],
  [['permissions']],
  [['access', 'hall']],
  [['access', 'hall', '--user', 'Cleo Cole']],
  [['access', '--could-read', 'Ben Baker']],
  [['search', 'leave', 'noon']],
])('audit %j answers', async (words) => {
  if (words[0] === 'topic') await ann.send(hall, 'plans', 'one that stays');
  const asOf = words[0] === 'topic' ? ['--as-of', String(Math.ceil(Date.now() / 1000))] : [];
  const asked = await scrollback(
    'audit',
    ...words,
    ...asOf,
    '--reason',
    'Case 7.',
    '--json',
    '--credentials',
    keyOf(owner),
  );
  expect(asked).toMatchObject({ code: 0, errors: [] });
  for (const line of asked.out) expect(JSON.parse(line)).toMatchObject({ actor: { kind: expect.any(String) } });
});
