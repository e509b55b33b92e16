/** Who may audit, that every call is recorded, and that nobody else can tell. */
import { systemGroupId } from '#groups/model';
import { fetch } from '#testing';
import { expectRefusal } from '../../support/answers.js';
import { audit, audited, lastNotice, letAudit, REASON } from '../../support/audit.js';
import { type Answer, answerTo, type ApiClient } from '../../support/client.js';
import { later } from '../../support/later.js';
import { startWithPeople, type Cast } from '../../support/people.js';
import { cookiesOf, csrfTokenOf } from '../../support/signed-in.js';
import { credentials } from '../../support/uploads.js';

let cast: Cast;
let owner: ApiClient, ann: ApiClient, ben: ApiClient, second: ApiClient;
const QUESTIONS = [
  'audits',
  'messages/1',
  'messages/x',
  'topic',
  'channel',
  'user',
  'acts',
  'sign-ins',
  'group',
  'setting',
  'permissions',
  'access',
  'search',
  'export',
  'export/files/1',
];

beforeAll(async () => {
  cast = await startWithPeople();
  ({ owner, ann, ben } = cast);
  owner.userId = (await owner.ok('GET', '/users/me')).user_id;
  second = await cast.server.user('Second Owner');
  await owner.ok('PATCH', `/users/${second.userId}`, { role: 100 });
});
afterAll(() => cast.server.stop());

const withoutId = ({ status, text, headers }: Omit<Answer, 'body'>) => ({
  status,
  text,
  headers: [...headers].filter(([name]) => !/^(?:date|x-request-id|x-ratelimit)/.test(name)),
});
const get = (client: ApiClient, path: string) =>
  answerTo(`${client.site}/api/v1/${path}`, { headers: { authorization: credentials(client) } });

test('in a new organization nobody may, and the path is as unknown as any other', async () => {
  for (const client of [owner, ann])
    for (const question of QUESTIONS)
      for (const query of ['', '?reason=x', '?reason=x&as_of=nonsense'])
        expect(withoutId(await get(client, `audit/${question}${query}`))).toEqual(
          withoutId(await get(client, `other/${question}${query}`)),
        );
});

test('owners alone decide who may, and all owners are told before and after', async () => {
  expectRefusal(await ann.call('PATCH', '/realm', { can_audit_group: { new: 1 } }), 'UNAUTHORIZED_PRINCIPAL');
  await owner.ok('PATCH', `/users/${ben.userId}`, { role: 200 });
  expectRefusal(await ben.call('PATCH', '/realm', { can_audit_group: { new: 1 } }), 'UNAUTHORIZED_PRINCIPAL');
  await letAudit(owner, ann);
  for (const client of [owner, second]) {
    const notice = await lastNotice(client);
    expect(notice).toContain('`can_audit_group`');
    expect(notice).toMatch(/Before: .*role:nobody[^]*Now: @_\*\*Ann Archer/);
  }
});

test('each call needs a reason, and is a fact before it is answered', async () => {
  expectRefusal(await audit(ann, 'audits', { reason: '' }), 'BAD_REQUEST');
  const rows = await audited(ann, 'audits', { reason: 'A second look.' });
  const call = (reason: string) => ({
    type: 'audit',
    at: expect.any(Number),
    position: expect.any(Number),
    stream: '1.audit',
    revision: expect.any(Number),
    event: 'audit.called.v1',
    actor: {
      kind: 'user',
      user_id: ann.userId,
      name: 'Ann Archer',
      client: 'ScrollbackTest',
      version: '1',
      session: expect.stringMatching(/^k\d+$/),
      address: expect.any(String),
      request: expect.any(String),
    },
    question: 'audits',
    parameters: {},
    reason,
  });
  expect(rows).toEqual([call('A second look.')]);
  expect(await audited(ann, 'audits', { as_of: `@${rows[0]?.['position']}` })).toEqual(rows);
  const since = await audited(ann, 'audits');
  expect(since.map(({ reason, parameters }) => [reason, parameters])).toEqual([
    ['A second look.', {}],
    [REASON, { as_of: `@${rows[0]?.['position']}` }],
    [REASON, {}],
  ]);
  expect(await audited(ann, 'audits', { as_of: '2001-01-31T14:05Z' })).toEqual([]);
  const recorded = (await audited(ann, 'audits')).length;
  const ahead = String(Math.ceil(Date.now() / 1000) + 1_000_000);
  for (const as_of of ['yesterday', ahead, '@1000000000'])
    for (const path of ['audits', 'export', 'export/files/1'])
      expect([as_of, path, (await audit(ann, path, { as_of })).body.code]).toEqual([as_of, path, 'BAD_REQUEST']);
  // Only the call that counted them before.
  expect((await audited(ann, 'audits')).length).toBe(recorded + 1);
});

test('the permission ends with its change, with the account, and never is a bot’s', async () => {
  await cast.server.restart();
  expect((await audit(ann, 'audits')).status).toBe(200);
  const { user_id, api_key } = await ann.ok('POST', '/bots', { full_name: 'Robbie', short_name: 'robbie' });
  const { email } = (await owner.ok('GET', `/users/${user_id}`)).user;
  const robbie = Object.assign(Object.create(ann) as ApiClient, { email, apiKey: api_key, userId: user_id });
  await letAudit(owner, robbie);
  expect((await audit(robbie, 'audits')).status).toBe(404);
  expect((await audit(ann, 'audits')).status).toBe(404);
  await letAudit(owner, ann);
  expect((await audit(ann, 'audits')).status).toBe(200);
});

test('who manages a group that may audit lets nobody in: owners do, and all of them are told', async () => {
  await ann.ok('POST', '/user_groups/create', { name: 'auditors', description: '', members: [ann.userId] });
  await ann.ok('POST', '/user_groups/create', { name: 'friends', description: '', members: [ben.userId] });
  const { user_groups: groups } = await ann.ok('GET', '/user_groups', {});
  const idOf = (name: string): number => groups.find((group: { name: string }) => group.name === name).id;
  const [auditors, friends] = [idOf('auditors'), idOf('friends')];
  await owner.ok('PATCH', '/realm', { can_audit_group: { new: auditors } });
  expect((await audit(ann, 'audits')).status).toBe(200);
  for (const [method, path, parameters] of [
    ['POST', `/user_groups/${auditors}/members`, { add: [ben.userId] }],
    ['POST', `/user_groups/${auditors}/subgroups`, { add: [friends] }],
    ['PATCH', `/user_groups/${auditors}`, { can_join_group: { new: friends } }],
  ] as const)
    expectRefusal(await ann.call(method, path, parameters), 'UNAUTHORIZED_PRINCIPAL');
  const invited = { invitee_emails: 'dora@example.test', invite_expires_in_minutes: 60, stream_ids: [] };
  expectRefusal(await ann.call('POST', '/invites', { ...invited, group_ids: [auditors] }), 'UNAUTHORIZED_PRINCIPAL');
  await owner.ok('POST', `/user_groups/${auditors}/subgroups`, { add: [friends] });
  for (const client of [owner, second])
    expect(await lastNotice(client)).toMatch(/let more people audit .* @_\*auditors\*: the group @_\*friends\*/);
  expectRefusal(
    await ann.call('POST', `/user_groups/${friends}/members`, { add: [ann.userId] }),
    'UNAUTHORIZED_PRINCIPAL',
  );
  expect((await audit(ben, 'audits')).status).toBe(200);
  await owner.ok('POST', `/user_groups/${friends}/members`, { add: [cast.cleo.userId] });
  expect(await lastNotice(cast.cleo)).toMatch(/added you to the group/);
  for (const client of [owner, second])
    expect(await lastNotice(client)).toMatch(/let more people audit .* @_\*friends\*: @_\*\*Cleo/);
  await ann.ok('POST', `/user_groups/${friends}/members`, { delete: [ben.userId] });
  expect((await audit(ben, 'audits')).status).toBe(404);
  await letAudit(owner, ann);
  await ann.ok('POST', `/user_groups/${friends}/members`, { add: [ben.userId] });
});

test('a role by which somebody may audit, or may not any more, is told to all owners', async () => {
  const { cleo } = cast;
  await owner.ok('PATCH', '/realm', { can_audit_group: { new: systemGroupId('role:moderators') } });
  for (const [role, told, status] of [
    [300, 'may audit this organization from now on', 200],
    [400, 'may not audit this organization any more', 404],
  ] as const) {
    await second.ok('PATCH', `/users/${cleo.userId}`, { role });
    for (const client of [owner, second])
      expect(await lastNotice(client)).toMatch(new RegExp(`Second Owner.* changed the role of .*Cleo Cole.* ${told}`));
    expect((await audit(cleo, 'audits')).status).toBe(status);
  }
  const last = await lastNotice(owner);
  await second.ok('PATCH', `/users/${cleo.userId}`, { role: 600 });
  await second.ok('PATCH', `/users/${cleo.userId}`, { role: 400 });
  expect(await lastNotice(owner)).toBe(last);
  await letAudit(owner, ann);
});

test('a sign-in is told at its own second, though it is noted later', async () => {
  await later(-600, () => cookiesOf(ben.site, ben));
  await cast.server.restart();
  const signIns = async (asked: Readonly<Record<string, number>>) =>
    (await audited(ann, 'acts', { who: ben.userId, ...asked })).filter(({ use }) => use === 'signed-in');
  const all = await signIns({});
  const first = Math.min(...all.map(({ at }) => at));
  const soFar = all.filter(({ at }) => at === first);
  expect(await signIns({ as_of: first })).toEqual(soFar);
  expect(await signIns({ before: first, after: first - 1 })).toEqual(soFar);
  expect(await signIns({ as_of: first - 1 })).toEqual([]);
  expect(await signIns({ after: first })).toEqual(all.filter(({ at }) => at > first));
});

test('sign-ins that failed are told with the account that they named, or a part of the name', async () => {
  const signIn = (username: string) =>
    fetch(`${ben.site}/api/v1/fetch_api_key`, {
      method: 'POST',
      body: new URLSearchParams({ username, password: 'wrong' }),
    });
  for (const username of ['nobody@example.org', ben.email, ben.email])
    expect((await signIn(username)).status).toBe(401);
  await cookiesOf(cast.ann.site, ann);
  await cast.server.restart();
  const told = async (asked: Readonly<Record<string, string | number>>) =>
    (await audited(ann, 'sign-ins', asked)).map(({ use, how, user, name, again, actor }) => {
      return { use, how, user, name, again, by: actor.kind };
    });
  const failed = { use: 'sign-in-failed', how: 'password', again: undefined, by: 'visitor' };
  const bens = { ...failed, user: { user_id: ben.userId, name: 'Ben Baker' }, name: undefined };
  const again = { ...bens, again: 1 };
  const nobodys = { ...failed, user: undefined, name: expect.stringMatching(/^n….*example\.org$/) };
  // What is repeated within a minute is a number at its end, wherever in the minute the server is.
  expect([
    [nobodys, bens, again],
    [nobodys, bens, bens],
  ]).toContainEqual(await told({ failed: 'true' }));
  expect(await told({ failed: 'true', user: ben.email })).toHaveLength(2);
  expect(await told({ failed: 'true', user: ann.email })).toEqual([]);
  expect(await told({ failed: 'true', before: 1 })).toEqual([]);
  const anns = await told({ user: ann.email });
  expect(anns.at(-1)).toMatchObject({ use: 'signed-in', by: 'user', user: { user_id: ann.userId } });
  expect(await told({})).toEqual(expect.arrayContaining([bens, nobodys, ...anns]));
});

test('what somebody changed is told with what there was', async () => {
  const draft = (content: string) => ({ type: 'stream', to: [1], topic: 'soup', content });
  const { ids } = await ben.ok('POST', '/drafts', { drafts: [draft('first words')] });
  await ben.ok('PATCH', `/drafts/${ids[0]}`, { draft: draft('last words') });
  await ben.ok('PUT', '/bot_storage', { storage: { mood: 'good' } });
  await ben.ok('PUT', '/bot_storage', { storage: { mood: 'bad' } });
  const rows = await audited(ann, 'acts', { who: ben.userId });
  const wasOf = (act: string): string[] => rows.filter((row) => row.act === act).map(({ was }) => JSON.stringify(was));
  expect(wasOf('draft.changed')).toEqual([expect.stringContaining('first words')]);
  expect(wasOf('bot-storage.set').at(-1)).toContain('good');
});

test('a link that the browser of an auditor follows records nothing in their name', async () => {
  const cookie = await cookiesOf(ann.site, ann);
  const asked = (headers: Record<string, string>): Promise<Omit<Answer, 'body'>> =>
    answerTo(`${ann.site}/api/v1/audit/audits?reason=planted`, { headers: { cookie, ...headers } });
  const refused = { status: 403, text: expect.stringContaining('CSRF_FAILED') };
  for (const site of ['cross-site', 'none']) expect(await asked({ 'sec-fetch-site': site })).toMatchObject(refused);
  const token = await csrfTokenOf(ann.site, cookie);
  expect(await asked({ 'sec-fetch-site': 'cross-site', 'x-csrftoken': token })).toMatchObject(refused);
  const reasons = (await audited(ann, 'audits')).map(({ reason }) => reason);
  expect(reasons).not.toContain('planted');
  expect((await asked({ 'sec-fetch-site': 'same-origin', 'x-csrftoken': token })).status).toBe(200);
  const others = await cookiesOf(ben.site, ben);
  const forBen = (path: string): Promise<Omit<Answer, 'body'>> =>
    answerTo(`${ben.site}/api/v1/${path}`, { headers: { cookie: others } });
  expect(withoutId(await forBen('audit/audits'))).toEqual(withoutId(await forBen('other/audits')));
});
