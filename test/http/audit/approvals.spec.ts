/** Four eyes: with the setting on, auditors read contents only when somebody else has approved it. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expectRefusal } from '../../support/answers.js';
import { audit, audited, lastNotice, letAudit } from '../../support/audit.js';
import { auditExport } from '../../support/audit-export.js';
import type { ApiClient } from '../../support/client.js';
import { channelOf, startWithPeople, type Cast } from '../../support/people.js';
import { load, upload } from '../../support/uploads.js';

const REASON = 'Case 7';
let cast: Cast;
let owner: ApiClient, ann: ApiClient, ben: ApiClient, cleo: ApiClient, second: ApiClient;
let hall: number, message: number, other: number;

beforeAll(async () => {
  cast = await startWithPeople();
  ({ owner, ann, ben, cleo } = cast);
  owner.userId = (await owner.ok('GET', '/users/me')).user_id;
  second = await cast.server.user('Second Owner');
  await owner.ok('PATCH', `/users/${second.userId}`, { role: 100 });
  hall = await channelOf('hall', owner, ann, ben);
  message = await ben.send(hall, 'plans', 'we leave at noon');
  other = await ben.send(hall, 'plans', 'or later');
  await letAudit(owner, ann);
});
afterAll(() => cast.server.stop());

const needs = (is: boolean) => owner.ok('PATCH', '/realm', { audit_needs_approval: is });

async function request(by: ApiClient, question: string, parameters: object): Promise<number> {
  const { request_id: id } = await by.ok('POST', '/audit/requests', { question, parameters, reason: REASON });
  return id;
}
const decide = (by: ApiClient, id: number, how = 'approve') =>
  by.call('POST', `/audit/requests/${id}/${how}`, { reason: 'I know of it' });
const CONTENTS: readonly [string, Record<string, string | number>][] = [
  ['messages/1', {}],
  ['topic', { channel: 'hall', topic: 'plans' }],
  ['acts', { who: 'operator' }],
  ['search', { words: 'noon' }],
  ['export', {}],
  ['export/files/1', {}],
];

test('owners alone turn it on and off, and all owners are told', async () => {
  await owner.ok('PATCH', `/users/${cleo.userId}`, { role: 200 });
  for (const client of [ann, cleo])
    expectRefusal(await client.call('PATCH', '/realm', { audit_needs_approval: true }), 'UNAUTHORIZED_PRINCIPAL');
  expect((await audit(ann, `messages/${message}`)).status).toBe(200);
  for (const [is, text] of [
    [true, 'only when somebody else has approved it'],
    [false, '**without the approval of anybody else**'],
  ] as const) {
    await needs(is);
    for (const client of [owner, second]) expect(await lastNotice(client)).toContain(text);
  }
  await owner.ok('PATCH', `/users/${cleo.userId}`, { role: 400 });
});

test('contents are read when somebody else has approved it, and only these', async () => {
  await needs(true);
  for (const [question, parameters] of CONTENTS)
    expectRefusal(await audit(ann, question, parameters), 'APPROVAL_REQUIRED', 403);
  for (const question of ['audits', 'permissions', 'channel', 'setting'])
    expect((await audit(ann, question, { channel: 'hall', setting: 'name' })).status).toBe(200);
  const id = await request(ann, 'messages', { message_id: message });
  for (const client of [owner, second]) {
    const notice = await lastNotice(client);
    expect(notice).toMatch(new RegExp(`Ann Archer.*request ${id}[^]*message_id: ${message}[^]*reason: ${REASON}`));
  }
  expectRefusal(await audit(ann, `messages/${message}`), 'APPROVAL_REQUIRED', 403);
  const listed = await audited(second, 'requests');
  expect(listed).toEqual([
    expect.objectContaining({ type: 'request', request_id: id, state: 'open', question: 'messages', reason: REASON }),
  ]);
  expect((await decide(second, id)).status).toBe(200);
  expect(await lastNotice(ann)).toMatch(/Second Owner.*approved your request/);
  expect((await audited(ann, `messages/${message}`)).length).toBeGreaterThan(0);
  expect((await audited(ann, `messages/${message}`, { reason: 'Again' })).length).toBeGreaterThan(0);
  expectRefusal(await audit(ann, `messages/${other}`), 'APPROVAL_REQUIRED', 403);
  expectRefusal(await audit(ann, `messages/${message}`, { as_of: '@1' }), 'APPROVAL_REQUIRED', 403);
  const [call] = (await audited(ann, 'audits')).filter(({ question }) => question === 'messages').slice(-1);
  expect(call).toMatchObject({ reason: 'Again', approval: { request_id: id, by: { user_id: second.userId } } });
});

test('nobody approves their own request, and no request that is decided', async () => {
  await letAudit(owner, owner);
  await letAudit(owner, ann, owner);
  const own = await request(owner, 'search', { words: 'noon' });
  const same = expectRefusal(await decide(owner, own), 'BAD_REQUEST');
  expect(expectRefusal(await decide(owner, 999), 'BAD_REQUEST')).toEqual(same);
  expectRefusal(await audit(owner, 'search', { words: 'noon' }), 'APPROVAL_REQUIRED', 403);
  expect((await decide(ann, own, 'refuse')).status).toBe(200);
  expect(await lastNotice(owner)).toMatch(/Ann Archer.*refused your request/);
  for (const how of ['approve', 'refuse'])
    expect(expectRefusal(await decide(ann, own, how), 'BAD_REQUEST')).toEqual(same);
  expectRefusal(await audit(owner, 'search', { words: 'noon' }), 'APPROVAL_REQUIRED', 403);
  for (const question of ['audits', 'message', 'export/', '__proto__'])
    expectRefusal(await ann.call('POST', '/audit/requests', { question, reason: REASON }), 'BAD_REQUEST');
});

test('only calls that could be made are requested, and each with its own parameters', async () => {
  for (const [question, parameters, code, text] of [
    ['search', { words: 'noon', word: 'x' }, 'BAD_REQUEST', "no parameter 'word'"],
    ['search', { words: 'noon', reason: 'x' }, 'BAD_REQUEST', "no parameter 'reason'"],
    ['search', {}, 'REQUEST_VARIABLE_MISSING', 'words'],
    ['messages', { message_id: 'x' }, 'REQUEST_VARIABLE_INVALID', 'message_id'],
    ['topic', { channel: 'hall' }, 'REQUEST_VARIABLE_MISSING', 'topic'],
    ['export/files', { file_id: 0 }, 'BAD_REQUEST', 'file_id'],
    ['export', { until: '2026' }, 'BAD_REQUEST', "no parameter 'until'"],
  ] as const) {
    const { msg } = expectRefusal(
      await ann.call('POST', '/audit/requests', { question, parameters, reason: REASON }),
      code,
    );
    expect(msg).toContain(text);
  }
});

test('an approval is of the auditor who asked, while both of them may', async () => {
  await letAudit(owner, ann, ben);
  const id = await request(ann, 'search', { words: 'noon' });
  expect((await decide(ben, id)).status).toBe(200);
  expect((await audit(ann, 'search', { words: 'noon' })).status).toBe(200);
  expectRefusal(await audit(ben, 'search', { words: 'noon' }), 'APPROVAL_REQUIRED', 403);
  await owner.ok('PATCH', `/users/${ben.userId}`, { role: 600 });
  expectRefusal(await audit(ann, 'search', { words: 'noon' }), 'APPROVAL_REQUIRED', 403);
  await owner.ok('PATCH', `/users/${ben.userId}`, { role: 400 });
  expect((await audit(ann, 'search', { words: 'noon' })).status).toBe(200);
  await letAudit(owner, ben);
  expect((await audit(ann, 'search', { words: 'noon' })).status).toBe(404);
  await letAudit(owner, ann);
});

test('an approved export has its parts and its files, and no others', async () => {
  const inside = await ben.send(hall, 'plans', `see [notes](${await upload(cast.server, ben, 'notes.txt', 'noon')})`);
  const outside = await ben.send(
    await channelOf('attic', ben),
    'plans',
    `see [notes](${await upload(cast.server, ben, 'notes.txt', 'secret')})`,
  );
  const to = join(mkdtempSync(join(tmpdir(), 'approved-')), 'export');
  const refused = await auditExport(ann, to, { channel: 'hall' });
  expect(refused).toMatchObject({ code: 1, told: [expect.stringContaining('has to approve it first')] });
  const asked = await auditExport(ann, to, { channel: 'hall', request: '' });
  expect(asked.code).toBe(0);
  const [open] = (await audited(owner, 'requests')).filter(({ question }) => question === 'export');
  expect((await decide(owner, open?.['request_id'])).status).toBe(200);
  expect((await auditExport(ann, to, { channel: 'hall' })).code).toBe(0);
  expectRefusal(await audit(ann, 'export', { channel: 'attic' }), 'APPROVAL_REQUIRED', 403);
  const file = (id: number, message_id: number) =>
    load(cast.server, `/api/v1/audit/export/files/${id}?reason=x&message_id=${message_id}`, ann);
  for (const message of [outside, inside]) expect((await file(2, message)).status).toBe(403);
  expect((await file(1, inside)).status).toBe(200);
});

test('an approval of the rest of an export is none of what comes before', async () => {
  const channel = 'annex';
  const file = `[notes](${await upload(cast.server, ben, 'notes.txt', 'before')})`;
  const before = await ben.send(await channelOf(channel, ben), 'plans', `see ${file}`);
  const after_message = await ben.send(channel, 'plans', 'after');
  expect((await decide(owner, await request(ann, 'export', { channel, after_message }))).status).toBe(200);
  expect((await audit(ann, 'export', { channel, after_message })).status).toBe(200);
  const beyond: Record<string, string | number>[] = [{ channel }, { channel, after_message: before }];
  for (const parameters of beyond) expectRefusal(await audit(ann, 'export', parameters), 'APPROVAL_REQUIRED', 403);
  const url = (id: number) => `/api/v1/audit/export/files/${id}?reason=x&message_id=${before}`;
  expect((await load(cast.server, url(3), ann)).status).toBe(403);
});

test('an approval is of what was named when it was asked for, whatever has the name now', async () => {
  const [open, closed] = [await channelOf('open', ben), await channelOf('closed', ben)];
  const asked = { channel: 'open', topic: 'plans' };
  expect((await decide(owner, await request(ann, 'topic', asked))).status).toBe(200);
  expect((await audit(ann, 'topic', asked)).status).toBe(200);
  await owner.ok('PATCH', `/streams/${open}`, { new_name: 'opened' });
  await owner.ok('PATCH', `/streams/${closed}`, { new_name: 'open' });
  expectRefusal(await audit(ann, 'topic', asked), 'APPROVAL_REQUIRED', 403);
  const unknown = { question: 'topic', parameters: { channel: 'nowhere', topic: 'plans' }, reason: REASON };
  expectRefusal(await ann.call('POST', '/audit/requests', unknown), 'BAD_REQUEST');
});

test('the setting goes off, and calls are carried out as before', async () => {
  await request(ann, 'messages', { message_id: other });
  await needs(false);
  expect((await audit(ann, `messages/${other}`)).status).toBe(200);
  expect((await audit(owner, 'requests')).status).toBe(404);
  expectRefusal(
    await ann.call('POST', '/audit/requests', {
      question: 'messages',
      parameters: { message_id: other },
      reason: REASON,
    }),
    'BAD_REQUEST',
  );
});
