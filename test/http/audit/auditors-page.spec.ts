/** The page for auditors answers its questions with what a server answers, after the story that it tells. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { runCommand } from '../../../apps/cli/src/command-line.js';
import { fetch } from '#testing';
import { letAudit } from '../../support/audit.js';
import type { ApiClient } from '../../support/client.js';
import { channelOf, startWithPeople, type Cast } from '../../support/people.js';

const PAGE = readFileSync(resolve(__dirname, '../../../docs/auditors.md'), 'utf8');
const BLOCK = /^## (?<title>.+)\n[^]*?^```console\n\$ scrollback (?<command>.+)\n(?<answer>[^]*?)^```$/gm;

interface Question {
  readonly title: string;
  readonly command: string;
  readonly answer: readonly string[];
}

const questions: readonly Question[] = Array.from(PAGE.matchAll(BLOCK), ({ groups = {} }) => ({
  title: groups['title'] ?? '',
  command: groups['command'] ?? '',
  answer: (groups['answer'] ?? '').split('\n').slice(0, -1),
}));

/** Who is notified when depends on how long each act of the story takes. */
const NOTIFIED = /^TIME {2}server +notified /;

let cast: Cast;
let credentials: string;
const variables: Record<string, string> = {};

async function tellStory({ owner, ann, ben, cleo }: Cast): Promise<void> {
  const hall = await channelOf('hall', owner, ann, ben);
  const attic = await channelOf('attic', owner, ann);
  const message = await ann.send(hall, 'plans', 'we leave at noon');
  const deleted = await ben.send(hall, 'plans', 'bring the secret ledger');
  await owner.ok('POST', '/user_groups/create', { name: 'crew', description: '', members: [ann.userId, ben.userId] });
  await owner.ok('PATCH', `/users/${ben.userId}`, { role: 200 });
  const { messages } = await owner.ok('GET', '/messages', { anchor: 'newest', num_before: 1, num_after: 0 });
  expect(messages[0].id).toBe(deleted);
  variables['THEN'] = `@${await positionNow()}`;
  await ann.ok('PATCH', `/messages/${message}`, { content: 'we leave at one' });
  await ben.ok('POST', `/messages/${message}/reactions`, { emoji_name: 'tada' });
  await ben.ok('DELETE', `/messages/${deleted}`);
  await owner.ok('PATCH', `/messages/${message}`, {
    ...{ stream_id: attic, topic: 'old plans', propagate_mode: 'change_all' },
    ...{ send_notification_to_old_thread: false, send_notification_to_new_thread: false },
  });
  await cleo.subscribe('hall');
  await owner.ok('PATCH', '/realm', { message_content_edit_limit_seconds: 7200 });
  await owner.ok('PATCH', `/users/${ben.userId}`, { role: 400 });
  await owner.ok('PATCH', '/realm', { audit_needs_approval: true });
  const asked = { question: 'messages', parameters: { message_id: message }, reason: 'Case 7' };
  await owner.ok('POST', '/audit/requests', asked);
  await owner.ok('PATCH', '/realm', { audit_needs_approval: false });
  Object.assign(variables, { MESSAGE: String(message), DELETED: String(deleted) });
}

/** Position of the log, as an auditor's call tells it. */
async function positionNow(): Promise<number> {
  const { out } = await scrollback('audit', 'audits', '--json');
  return (JSON.parse(out.at(-1) ?? '') as { position: number }).position;
}

beforeAll(async () => {
  cast = await startWithPeople();
  const { owner, server } = cast;
  owner.userId = (await owner.ok('GET', '/users/me')).user_id;
  const body = new URLSearchParams({ username: cast.ben.email, password: 'a guess' });
  expect((await fetch(`${owner.site}/api/v1/fetch_api_key`, { method: 'POST', body })).status).toBe(401);
  // Who signed in is recorded within a second, or at the end.
  await server.restart();
  credentials = zuliprcOf(owner, server.dataDir);
  variables['FOLDER'] = join(server.dataDir, 'handed-over');
  await letAudit(owner, owner);
  await tellStory(cast);
});
afterAll(() => cast.server.stop());

function zuliprcOf({ email, apiKey, site }: ApiClient, folder: string): string {
  const file = join(folder, 'auditor.zuliprc');
  writeFileSync(file, `[api]\nemail=${email}\nkey=${apiKey}\nsite=${site}\n`);
  return file;
}

async function scrollback(...args: readonly string[]) {
  const [out, told]: [string[], string[]] = [[], []];
  const { dataDir, storeSettings } = cast.server;
  const asked = args[0] === 'audit' ? ['--credentials', credentials, '--reason', 'Case 7'] : [];
  const code = await runCommand([...args, ...asked, '--data', dataDir], {
    environment: storeSettings,
    print: (line) => void out.push(...line.split('\n')),
    tell: (line) => void told.push(line),
    onInterrupt: () => undefined,
  });
  return { code, out, told };
}

/** Words of a command, as a shell splits them. */
function wordsOf(command: string): string[] {
  return Array.from(command.matchAll(/"([^"]*)"|(\S+)/g), ([, quoted, bare = '']) => quoted ?? bare).map((word) =>
    word.replace(/^\$([A-Z]+)$/, (_, name: string) => variables[name] ?? ''),
  );
}

/** A line without what differs from server to server. */
function stable(line: string): string {
  return line
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, 'TIME')
    .replaceAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, 'UUID')
    .replaceAll(/[\da-f]{64}/g, 'HASH')
    .replaceAll(/\(\d+\)/g, '(ID)')
    .replaceAll(/((?:_i|I)ds?"?[=:]"?)\d+/g, '$1ID')
    .replaceAll(/((?:_at|until)"?[=:])\d+/g, '$1TIME')
    .replaceAll(/("(?:events|head)":)\d+/g, '$1N')
    .replaceAll(variables['FOLDER'] ?? '', '$FOLDER')
    .trimEnd();
}

test('the page has questions, each once', () => {
  expect(questions.length).toBeGreaterThanOrEqual(22);
  expect(new Set(questions.map(({ title }) => title)).size).toBe(questions.length);
});

test.each(questions)('$title', async ({ command, answer }) => {
  const { code, out, told } = await scrollback(...wordsOf(command));
  // An export tells how far it is.
  expect([code, told.filter((line) => !/^(?:Receiving|Fetching) /.test(line))]).toEqual([0, []]);
  const shown = out.map(stable).filter((line) => !NOTIFIED.test(line));
  // A line that is cut says how it goes on.
  const expected = answer.map((line, index) => {
    const [begin = '', rest] = line.split('…');
    return rest === '' && shown[index]?.startsWith(begin) === true ? shown[index] : line;
  });
  expect(expected).toEqual(shown);
});
