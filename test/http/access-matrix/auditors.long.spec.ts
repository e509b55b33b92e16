/**
 * Accounts of each role, with each way to be in `can_audit_group` or not × every route of the audit × the setting that others have
 * to approve: whoever may not audit gets the answer of a path that does not exist.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  AUDIT_ROUTES,
  type AuditRoute,
  type AuditViewer,
  type AuditWorld,
  expectedOf,
  settleAuditors,
} from '../../support/access/auditor.js';
import { Findings, neutral, verdictOf } from '../../support/access/findings.js';
import { each } from '../../support/access/story.js';
import { type Answer, answerTo, type ApiClient } from '../../support/client.js';
import { credentials } from '../../support/uploads.js';

jest.setTimeout(300_000);

const findings = new Findings();
let world: AuditWorld;

beforeAll(async () => {
  world = await settleAuditors();
});
afterAll(() => world.server.stop());
afterEach(() => expect(findings.takeTable()).toBe(''));

/** Asks below `audit/`, or below a folder of which the server knows nothing. */
async function ask(client: ApiClient, { route, path, parameters }: AuditRoute, more: object, folder = 'audit') {
  const [method] = route.split(' ');
  const text = new URLSearchParams({ reason: 'A case.', ...parameters, ...more }).toString();
  const headers = { authorization: credentials(client) };
  const url = `${client.site}/api/v1/${folder}/${path}`;
  if (method === 'GET') return (await answerTo(`${url}?${text}`, { headers })) as Answer;
  const form = { ...headers, 'content-type': 'application/x-www-form-urlencoded' };
  return (await answerTo(url, { method, headers: form }, text)) as Answer;
}

/** What a caller sees of an answer beside its text. */
const headersOf = ({ headers }: Omit<Answer, 'body'>): readonly string[] =>
  [...headers]
    .map(([name, value]) => (/^(?:date|x-request-id|x-ratelimit-re\w+)$/.test(name) ? name : `${name}: ${value}`))
    .sort();

const askEverybody = (needsApproval: boolean) =>
  each(world.viewers, async (viewer) => {
    for (const route of AUDIT_ROUTES)
      for (const more of hasMoment(route) ? [{}, { as_of: '@1' }] : [{}]) {
        const nothing = await answerToNothing(viewer, route);
        const answer = await ask(viewer.client, route, more);
        const found = verdictOf(answer, neutral(nothing));
        if (found === 'hidden') expect(headersOf(answer)).toEqual(headersOf(nothing));
        const where = { route: route.route, kind: JSON.stringify(more), role: viewer.role, history: viewer.name };
        findings.check(where, expectedOf(viewer, route, needsApproval), found);
      }
  });

const nothings = new Map<AuditViewer, Map<AuditRoute, Promise<Answer>>>();

/** An unknown path has one answer, whatever the parameters. */
function answerToNothing(viewer: AuditViewer, route: AuditRoute): Promise<Answer> {
  const known = nothings.get(viewer) ?? new Map<AuditRoute, Promise<Answer>>();
  nothings.set(viewer, known);
  const answer = known.get(route) ?? ask(viewer.client, route, {}, 'nothing');
  known.set(route, answer);
  return answer;
}

function hasMoment({ route }: AuditRoute): boolean {
  return route.startsWith('GET') && route !== 'GET /audit/requests';
}

test('the matrix has every route of the audit', () => {
  const catalogue = JSON.parse(readFileSync(resolve(__dirname, '../../../docs/interface/catalogue.json'), 'utf8')) as {
    readonly routes: readonly string[];
  };
  const routes = catalogue.routes.filter((route) => route.includes(' /audit/'));
  expect(AUDIT_ROUTES.map(({ route }) => route).sort()).toEqual(routes.sort());
});

test('auditors alone are answered', () => askEverybody(false));

test('with four eyes, owners see requests, and contents need an approval', async () => {
  await world.server.owner.ok('PATCH', '/realm', { audit_needs_approval: true });
  await askEverybody(true);
  await world.server.owner.ok('PATCH', '/realm', { audit_needs_approval: false });
});

test('nobody else can tell by credentials, verbs or bodies', async () => {
  const [member] = world.viewers.filter(({ role, claim }) => role === 'member' && claim === 'is in none');
  const authorization = credentials(member?.client as ApiClient);
  const wrong = 'Basic ' + Buffer.from(`${member?.client.email}:wrong`).toString('base64');
  const json = { 'content-type': 'application/json' };
  for (const [method, path, headers, body] of [
    ['GET', 'audits', {}, ''],
    ['GET', 'audits?reason=x', { authorization: wrong }, ''],
    ['GET', 'audits?reason=x', { authorization: 'Bearer x' }, ''],
    ['GET', 'audits?reason=x', { cookie: 'session=none' }, ''],
    ['HEAD', 'audits', { authorization }, ''],
    ['OPTIONS', 'audits', { authorization }, ''],
    ['PATCH', 'requests', { authorization }, ''],
    ['POST', 'audits', { authorization }, ''],
    ['POST', 'requests', { authorization, ...json }, '{"question": '],
    ['POST', 'requests', { authorization, 'content-type': 'text/nothing' }, 'x'],
    ['POST', 'requests', json, '{}'],
  ] as const) {
    const [answer, nothing] = await Promise.all(
      ['audit', 'nothing'].map((folder) =>
        answerTo(`${world.server.url}/api/v1/${folder}/${path}`, { method, headers }, body),
      ),
    );
    const seen = (one = answer) => [method, path, one?.status, one?.text, one && headersOf(one)];
    expect(seen()).toEqual(seen(nothing));
  }
});

test('every route was open, or refused, to some and hidden from others', () => {
  for (const [route, counts] of findings.counts)
    expect({ route, seen: counts.has('open') || counts.has('refused'), hidden: counts.has('hidden') }).toEqual({
      ...{ route, seen: true, hidden: true },
    });
});
