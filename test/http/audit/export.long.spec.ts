/** An export has what a naive replay of the log finds, whenever it is made, in one go or in several. */
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SEED, sized } from '#testing';
import { runCommand } from '../../../apps/cli/src/command-line.js';
import { auditExport, contentOf, jsonLines } from '../../support/audit-export.js';
import { audit, audited, letAudit, readLog } from '../../support/audit.js';
import { type Story, tellStory } from '../../support/audit-story.js';
import { ApiClient } from '../../support/client.js';
import { ImportedServer } from '../../support/imported-server.js';
import type { RawEvent } from '../../support/audit-replay/raw-log.js';
import { type NaiveQuestion, naiveExport, placesOfMessages } from '../../support/naive-export.js';
import { isShared } from '../../support/pairings.js';
import { type Cast, startWithPeople } from '../../support/people.js';
import { upload } from '../../support/uploads.js';

const ALL_FORMATS = 'jsonl,csv,html,eml,rsmf';
const ACTS = sized({ nightly: isShared ? 500 : 3_000, usual: isShared ? 60 : 200 });
const STORY_LIMIT_MS = sized({ nightly: 3_600_000, usual: 600_000 });
const LARGE_FILE_BYTES = sized({ nightly: 100 * 1024 * 1024, usual: 2 * 1024 * 1024 + 1 });
/** Names that mean something to shells, spreadsheets, pages or file systems. */
const HOSTILE_NAMES = ['../../etc/passwd', '=cmd|calc.csv', '<script>x.html', 'CON.txt', '.hidden', 'Bericht ü.pdf'];

let cast: Cast;
let owner: ApiClient, ann: ApiClient, ben: ApiClient;
let story: Story;
let log: readonly RawEvent[];
let root: string;
/** ID of a message that is changed after the first exports. */
let reacted: number;
const at = (name: string): string => join(root, name);

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'audit-export-'));
  cast = await startWithPeople(undefined, { MAX_FILE_UPLOAD_MIB: '101' });
  ({ owner, ann, ben } = cast);
  owner.userId = (await owner.ok('GET', '/users/me')).user_id;
  await letAudit(owner, owner);
  story = await tellStory(cast, ACTS, SEED);
  for (const name of HOSTILE_NAMES) {
    const address = await upload(cast.server, ben, name, `content of ${name}`);
    const content = `[${name}](${address}) <script>alert(1)</script> =1+1`;
    await ben.ok('POST', '/messages', { type: 'direct', to: [ann.userId], content });
  }
  reacted = (await owner.ok('POST', '/messages', { type: 'channel', to: 'hall', topic: 'x', content: '=1+1' })).id;
  await cast.server.restart(async () => {
    log = await readLog(cast.server.eventStoreUrl);
  });
}, STORY_LIMIT_MS);
afterAll(async () => {
  await cast.server.stop();
  rmSync(root, { recursive: true, force: true });
});

const shortLines = (folder: string) =>
  jsonLines(folder, 'messages.jsonl').map(({ message_id, type, stream, revision, content }) =>
    JSON.stringify([message_id, type, `${stream}@${revision}`, ...(content === undefined ? [] : [content])]),
  );

/** Questions with what they mean. */
function questions(): [Record<string, string>, NaiveQuestion][] {
  const sends = log.filter(({ stream }) => stream === '1.messages');
  const middle = sends[Math.floor(sends.length / 2)]?.data.at as number;
  const [hall = 0] = story.channels;
  return [
    [{ format: ALL_FORMATS }, {}],
    [{ channel: 'hall', format: 'rsmf' }, { channelId: hall }],
    [{ user: ben.email }, { userId: ben.userId }],
    [{ after: String(middle) }, { after: middle }],
    [{ before: new Date(middle * 1000).toISOString() }, { before: middle }],
    [{ words: 'noon' }, { words: ['noon'] }],
    [
      { channel: 'hall', user: 'Ann Archer', words: 'secret' },
      { channelId: hall, userId: ann.userId, words: ['secret'] },
    ],
  ];
}

function exportsAreWhole(when: string): void {
  test('they have what a naive replay finds', async () => {
    for (const [index, [options, question]] of questions().entries()) {
      const folder = at(`${when}-${index}`);
      const { code, told } = await auditExport(owner, folder, options);
      const expected = naiveExport(log, question).map((line) =>
        JSON.stringify(line.filter((one) => one !== undefined)),
      );
      expect([options, code, told]).toEqual([options, expected.length === 0 ? 1 : 0, []]);
      expect([options, shortLines(folder)]).toEqual([options, expected]);
    }
    const places = jsonLines(at(`${when}-0`), 'messages.jsonl').map((row) => `${row.stream}@${row.revision}`);
    expect([...new Set(places)].sort()).toEqual([...placesOfMessages(log)].sort());
  });
}

describe('exports', () => exportsAreWhole('at-first'));

test('only auditors export, and only with a reason', async () => {
  expect(await auditExport(ben, at('none'))).toMatchObject({ code: 3 });
  expect(await auditExport(owner, at('none'), { reason: undefined })).toMatchObject({ code: 2 });
  expect(await auditExport(owner, at('none'), { format: 'jsonl,doc' })).toMatchObject({ code: 2 });
  expect(await auditExport(owner, at('none'), { channel: 'no such' })).toMatchObject({ code: 1 });
  expect((await audit(ben, 'export')).status).toBe(404);
  expect((await audit(ben, 'export/files/1')).status).toBe(404);
});

test('files come under harmless names, with the hashes of the log', () => {
  const files = jsonLines(at('at-first-0'), 'files.jsonl').filter(({ type }) => type === 'file_uploaded');
  expect(files).toHaveLength(HOSTILE_NAMES.length);
  const { files: listed } = JSON.parse(readFileSync(at('at-first-0/manifest.json'), 'utf8'));
  for (const { file_id, sha256, name, actor } of files) {
    const [found] = listed.filter(({ path }: { path: string }) => path.startsWith(`files/${file_id}-`));
    expect([name, found.sha256]).toEqual([name, sha256]);
    expect(found.path).toMatch(/^files\/\d+-[A-Za-z0-9][A-Za-z0-9._-]*$/);
    expect(actor.user_id).toBe(ben.userId);
  }
});

test('each message is in each format', () => {
  const found = Object.keys(contentOf(at('at-first-0')));
  const ids = [...new Set(jsonLines(at('at-first-0'), 'messages.jsonl').map((row) => row.message_id as number))];
  const emls = found.filter((name) => name.endsWith('.eml'));
  expect(emls.map((name) => Number(/message-(\d+)\.eml$/.exec(name)?.[1])).sort((a, b) => a - b)).toEqual(ids);
  const report = readFileSync(at('at-first-0/report.html'), 'utf8');
  expect([...report.matchAll(/<article id="m(\d+)"/g)].map(([, id]) => Number(id))).toEqual(ids);
  expect(report).not.toContain('<script');
  const csv = readFileSync(at('at-first-0/messages.csv'), 'utf8');
  expect(csv).toContain(",'=1+1,");
  const counts = found
    .filter((name) => name.endsWith('.rsmf'))
    .map((name) => Number(/^X-RSMF-EventCount: (\d+)/m.exec(readFileSync(at(`at-first-0/${name}`), 'utf8'))?.[1]));
  expect(counts.length).toBeGreaterThan(3);
  expect(counts.reduce((sum, count) => sum + count)).toBe(ids.length);
});

test('everything is private, and in the manifest with its hash', () => {
  const found = contentOf(at('at-first-0'));
  for (const [name, content] of Object.entries(found))
    expect([name, content]).toEqual([name, expect.stringMatching(/^(?:600 |700$)/)]);
  const manifest = JSON.parse(readFileSync(at('at-first-0/manifest.json'), 'utf8'));
  const listed = Object.fromEntries(manifest.files.map(({ path, sha256 }: any) => [path, `600 ${sha256}`]));
  const files = Object.entries(found).filter(([name, content]) => content !== '700' && name !== 'manifest.json');
  expect(listed).toEqual(Object.fromEntries(files));
  expect(found['..']).toBeUndefined();
});

test('each call is a fact', async () => {
  const calls = await audited(owner, 'audits');
  const exports = calls.filter((row) => String(row['question']).startsWith('export'));
  expect(exports).toContainEqual(expect.objectContaining({ reason: 'Case 8.', parameters: { channel: 'hall' } }));
  expect(exports).toContainEqual(
    expect.objectContaining({
      question: 'export/files',
      parameters: { file_id: '1', message_id: String(story.lastId + 1) },
    }),
  );
});

describe('after a rebuild', () => {
  beforeAll(() => cast.server.restart(() => cast.server.forgetReadModels()));
  exportsAreWhole('rebuilt');

  test('they are equal byte by byte', () => {
    for (const index of questions().keys())
      expect(contentOf(at(`rebuilt-${index}`))).toEqual(contentOf(at(`at-first-${index}`)));
  });
});

test('an earlier export is brought up to date, and then is that of one go', async () => {
  await ben.ok('POST', '/messages', { type: 'direct', to: [ann.userId], content: 'later noon' });
  await owner.call('DELETE', '/messages/1');
  await owner.ok('POST', `/messages/${reacted}/reactions`, { emoji_name: 'tada' });
  // The only message of its topic: the day of the old place has none any more.
  await owner.ok('PATCH', `/messages/${reacted}`, { topic: 'y', send_notification_to_old_thread: false });
  await owner.ok('PATCH', `/users/${ben.userId}`, { full_name: 'Ben Barker' });
  for (const [index, [options]] of questions().entries()) {
    const { told } = await auditExport(owner, at(`at-first-${index}`), options);
    await auditExport(owner, at(`later-${index}`), options);
    expect([options, told]).toEqual([options, []]);
    expect([options, contentOf(at(`at-first-${index}`))]).toEqual([options, contentOf(at(`later-${index}`))]);
  }
  expect(contentOf(at('later-0'))).not.toEqual(contentOf(at('rebuilt-0')));
  const { out } = await auditExport(owner, at('later-0'), { format: ALL_FORMATS });
  expect(out[0]).toContain(' 0 of them new or changed');
});

test('an export that is broken off goes on', async () => {
  let [cut, answers] = [4_000, 0];
  const proxy = createServer((asked, answer) => {
    const forward = request(`${cast.server.url}${asked.url}`, { headers: asked.headers }, (response) => {
      let sent = 0;
      answers++;
      answer.writeHead(response.statusCode ?? 0);
      response.on('data', (chunk: Buffer) => {
        sent += chunk.length;
        answer.write(chunk.subarray(0, Math.max(0, chunk.length - Math.max(0, sent - cut))));
        if (sent > cut) answer.destroy();
      });
      response.on('end', () => answer.end());
      response.on('error', () => undefined);
    });
    forward.end();
  });
  const site = await new Promise<string>((resolve) => {
    proxy.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}`));
  });
  for (; cut < 1_000_000; cut *= 2)
    if ((await auditExport(owner, at('broken'), { site, format: ALL_FORMATS })).code === 0) break;
  proxy.close();
  expect(answers).toBeGreaterThan(2);
  expect(contentOf(at('broken'))).toEqual(contentOf(at('later-0')));
});

test('a copy of the log, in a file, gives the same bytes', async () => {
  mkdirSync(at('copy'));
  const environment = { FROM: cast.server.eventStoreUrl };
  const told: string[] = [];
  const code = await runCommand(['copy-log', 'env:FROM', `sqlite:${at('copy/events.db')}`], {
    environment,
    print: () => undefined,
    tell: (line) => void told.push(line),
    onInterrupt: () => undefined,
  });
  expect([code, told.at(-1)]).toEqual([0, told.at(-1)]);
  const copied = await ImportedServer.start(at('copy'));
  const there = new ApiClient(() => copied.url, owner.email, owner.apiKey);
  const options = { channel: 'hall', format: ALL_FORMATS };
  try {
    expect((await auditExport(there, at('copied'), options)).told).toEqual([]);
  } finally {
    await copied.stop();
  }
  await auditExport(owner, at('original'), options);
  expect(jsonLines(at('copied'), 'messages.jsonl').length).toBeGreaterThan(5);
  expect(contentOf(at('copied'))).toEqual(contentOf(at('original')));
});

test('a folder of another question, or with changed lines, is refused', async () => {
  expect((await auditExport(owner, at('later-0'), { user: ben.email })).told[0]).toContain('another question');
  writeFileSync(at('later-0/messages.jsonl'), '');
  expect((await auditExport(owner, at('later-0'), { format: ALL_FORMATS })).told[0]).toContain(
    'not what the manifest says',
  );
  expect((await auditExport(owner, root)).told[0]).toContain('has other things in it');
});

test('a call that hangs is named, before its answer and in it', async () => {
  for (const begin of ['', '{"type":"export","as_of":"@1","last_message_id":1}\n']) {
    const silent = createServer((_, answer) => {
      if (begin !== '') answer.writeHead(200).write(begin);
    });
    const site = await new Promise<string>((resolve) => {
      silent.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(silent.address() as AddressInfo).port}`));
    });
    const { code, told } = await auditExport(owner, at(`silent-${begin.length}`), { site, patience: '0.3' });
    silent.closeAllConnections();
    silent.close();
    expect([code, told]).toEqual([
      1,
      [expect.stringContaining('GET /api/v1/audit/export has sent nothing for 0.3 seconds, and was given up')],
    ]);
  }
});

test(
  'a large file is fetched as it was, and one that is lost is named, by the exit code as well',
  async () => {
    const large = randomBytes(LARGE_FILE_BYTES);
    await ann.sendTo([ben], `[scan](${await upload(cast.server, ann, 'scan.bin', large)})`);
    const lost = await upload(cast.server, ann, 'lost.txt', 'about to be lost');
    await ann.sendTo([ben], `[notes](${lost})`);
    const question = { user: ann.email };
    const whole = await auditExport(owner, at('large'), question);
    expect([whole.code, whole.told]).toEqual([0, []]);
    const files = jsonLines(at('large'), 'files.jsonl').filter(({ type }) => type === 'file_uploaded');
    const [scan, notes] = ['scan.bin', 'lost.txt'].map((name) => files.find((file) => file.name === name));
    const sha256 = createHash('sha256').update(large).digest('hex');
    expect(scan).toMatchObject({ size: LARGE_FILE_BYTES, sha256 });
    expect(contentOf(at('large'))[`files/${scan.file_id}-scan.bin`]).toBe(`600 ${sha256}`);
    const { folder } = cast.server.files;
    const contents = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    rmSync(join(folder, contents.find((name) => name.includes(`/${notes.sha256}`)) ?? 'none'));
    const lacking = await auditExport(owner, at('lacking'), question);
    expect(lacking).toMatchObject({
      code: 4,
      told: expect.arrayContaining([expect.stringContaining(`lost the contents of: ${notes.file_id}.`)]),
    });
    const manifest = JSON.parse(readFileSync(at('lacking/manifest.json'), 'utf8'));
    expect(manifest.missing_files).toEqual([notes.file_id]);
  },
  STORY_LIMIT_MS,
);
