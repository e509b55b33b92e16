/** An archive of Slack becomes an organization. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { messagesIn } from '../support/answers.js';
import { writeArchive } from '../support/archives.js';
import type { ApiClient } from '../support/client.js';
import { ImportedServer, importFrom, logOf } from '../support/imported-server.js';
import { slackArchive } from '../support/slack-archive.js';

let folder: string;
let server: ImportedServer;
let owner: ApiClient, ann: ApiClient;
let told: string;
let printed: any;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'slack-'));
  const dataDir = join(folder, 'data');
  const archive = join(folder, 'slack.zip');
  await writeArchive(archive, slackArchive());
  const { code, out, told: lines } = await importFrom(archive, dataDir);
  expect({ code, lines }).toMatchObject({ code: 0 });
  [told, printed] = [lines, JSON.parse(out)];
  server = await ImportedServer.start(dataDir);
  owner = await server.login('uown@example.test');
  await expect(server.login('uben@example.test')).rejects.toThrow('AUTHENTICATION_FAILED');
  await server.givePassword(owner, 'Ann Archer');
  ann = await server.login('uann@example.test');
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

const shown = (messages: any[]) => messages.map(({ subject, sender_full_name: by, content }) => [subject, by, content]);
const raw = { apply_markdown: false };

test('people come with their roles, addresses and time zones', async () => {
  const { members } = await owner.ok('GET', '/users');
  const known = members.map(({ full_name, role, is_active, is_bot }: any) => [full_name, role, is_active, is_bot]);
  expect(known).toEqual(
    expect.arrayContaining([
      ['Olive Owner', 100, true, false],
      ['Ann Archer', 400, true, false],
      ['Ben Baker', 200, true, false],
      ['Gus Guest', 600, true, false],
      ['Old Hand', 400, false, false],
      ['Q&A Robot', 400, true, true],
      ['Build & Deploy', 400, true, true],
    ]),
  );
  expect(members.find((one: any) => one.full_name === 'Ann Archer')).toMatchObject({
    email: 'uann@example.test',
    timezone: 'Europe/Berlin',
  });
});

test('channels come with who is in them, private ones for those alone, archived ones archived', async () => {
  const { streams } = await owner.ok('GET', '/streams', { include_all: true, exclude_archived: false });
  const known = streams.map(({ name, invite_only, is_archived }: any) => [name, invite_only, is_archived]);
  expect(known).toEqual(
    expect.arrayContaining([
      ['general', false, false],
      ['random', false, false],
      ['past', false, true],
    ]),
  );
  const { subscriptions } = await ann.ok('GET', '/users/me/subscriptions');
  expect(subscriptions.map(({ name }: any) => name).sort()).toEqual(['den', 'general', 'random']);
  const random = subscriptions.find(({ name }: any) => name === 'random');
  expect(random.rendered_description).toContain('<a href="https://example.test">no other</a> place &amp; time');
});

test('messages come in order, threads as topics, with mentions, links and styles', async () => {
  const general = await messagesIn(ann, [['channel', 'general']], raw);
  const thread = 'Where do we eat & drink today?';
  expect(shown(general)).toEqual([
    [thread, 'Ann Archer', 'Where do we **eat** & drink today?'],
    [thread, 'Ben Baker', '@**Ann Archer** ask @**User 10** in #**random** or #q&a :pizza:'],
    [thread, 'Gus Guest', 'anywhere <3'],
    ['imported from Slack', 'Old Hand', 'I **was** _here_ ~~once~~, see [the page](https://example.test/a_b_c)'],
    ['imported from Slack', 'Ann Archer', '[A picture &lt; frame](https://files.example.test/F1)'],
    ['imported from Slack', 'Build & Deploy', 'ran \n```\nif a < b:\n  *go*\n```'],
    [thread, 'Ben Baker', 'late answer'],
  ]);
  expect(general.map(({ timestamp }: any) => timestamp).slice(0, 2)).toEqual([1_600_000_010, 1_600_000_020]);
  const [, second] = await messagesIn(ann, [['channel', 'general']]);
  expect(second.content).toContain(`data-user-id="${ann.userId}"`);
  expect(second.flags).toEqual(expect.arrayContaining(['read', 'mentioned']));
  expect(shown(await messagesIn(ann, [['channel', 'random']], raw))).toEqual([
    ['imported from Slack', 'Ben Baker', '/me waves'],
  ]);
});

test('reactions come with who gave them', async () => {
  const [, , third] = await messagesIn(ann, [['channel', 'general']]);
  expect(third.reactions.map(({ emoji_name }: any) => emoji_name)).toEqual(['+1', '+1']);
});

test('direct and private conversations are for those who took part', async () => {
  expect(shown(await messagesIn(ann, [['is', 'dm']], raw)).map(([, by, content]) => [by, content])).toEqual([
    ['Olive Owner', 'we three'],
    ['Ann Archer', 'we two'],
  ]);
  expect(await messagesIn(ann, [['channel', 'den']])).toHaveLength(1);
  expect((await messagesIn(owner, [['is', 'dm']], raw)).map(({ content }: any) => content)).toEqual(['we three']);
});

test('nothing is unread, and the report says what is missing', async () => {
  const { state } = await ann.register({ fetch_event_types: ['message', 'update_message_flags'] });
  expect(state.unread_msgs.count).toBe(0);
  expect(told).toContain('uown@example.test is the owner. Password: in OWNER_PASSWORD.');
  expect(printed.messages).toBe(12);
  for (const note of [
    '1 files are at Slack, and are linked there.',
    '1 messages were edited; what they said before is not in the archive.',
    '1 reactions are of an emoji that this server does not have.',
    '1 messages that Slack wrote by itself are left out.',
    '1 accounts are named in messages and not in the list of users.',
  ])
    expect(printed.notes).toContain(note);
});

test.each<[string, Record<string, unknown>, RegExp]>([
  ['users that are none', { 'users.json': [{ id: 7 }] }, /^users\.json: \/0\/id/],
  ['nobody', { 'users.json': [] }, /^users\.json: there is nobody/],
  ['a message without a time', { 'general/2020-09-13.json': [{ text: 'x' }] }, /^general\/2020-09-13\.json: \/0/],
  ['a huge time', { 'general/2020-09-14.json': [{ ts: '9'.repeat(40) }] }, /^general\/2020-09-14\.json: \/0\/ts/],
  ['what is no JSON', { 'channels.json': '[{' }, /^channels\.json: is not JSON/],
])('%s: refused by the name of the entry, and nothing is written', async (what, changes, complaint) => {
  const archive = join(folder, 'bad.zip');
  await writeArchive(archive, { ...slackArchive(), ...changes });
  const into = join(folder, what.replaceAll(' ', '-'));
  const { code, told: lines } = await importFrom(archive, into);
  expect({ code, lines }).toEqual({ code: 1, lines: expect.stringMatching(complaint) });
  expect(await logOf(into)).toEqual([]);
});
