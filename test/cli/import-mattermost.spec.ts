/** A bulk export of Mattermost becomes an organization. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fetch } from '#testing';
import { copyLog, openEventStore, type RecordedEvent, streams } from '#event-store';
import { scrollback } from '#runtime';
import { messagesIn } from '../support/answers.js';
import { writeArchive } from '../support/archives.js';
import type { ApiClient } from '../support/client.js';
import { ImportedServer, importFrom, logOf } from '../support/imported-server.js';
import { mattermostArchive, mattermostLines } from '../support/mattermost-archive.js';

const START = 1_600_000_000;
const HOUR = 3_600;

let folder: string;
let server: ImportedServer;
let owner: ApiClient, ann: ApiClient;
let printed: any;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mattermost-'));
  const dataDir = join(folder, 'data');
  const archive = join(folder, 'mattermost.zip');
  await writeArchive(archive, await mattermostArchive());
  const temporary = readdirSync(tmpdir()).filter((name) => name.startsWith('scrollback-import-'));
  const { code, out, told } = await importFrom(archive, dataDir);
  expect({ code, told }).toMatchObject({
    code: 0,
    told: expect.stringContaining('olive@example.test is the owner. Password: in OWNER_PASSWORD.'),
  });
  for (const name of readdirSync(tmpdir()))
    if (name.startsWith('scrollback-import-')) expect(temporary).toContain(name);
  printed = JSON.parse(out);
  server = await ImportedServer.start(dataDir);
  owner = await server.login('olive@example.test');
  await server.givePassword(owner, 'Ann Archer', 'Gus Guest');
  ann = await server.login('ann@example.test');
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

const shown = (messages: any[]) =>
  messages.map(({ subject, sender_email: by, content }) => [subject, by.split('@')[0], content]);
const raw = { apply_markdown: false };

test('people come with their roles, addresses, pictures and time zones', async () => {
  const { members } = await owner.ok('GET', '/users');
  const known = members.map(({ email, full_name, role, is_active, is_bot }: any) => [
    email.split('@')[0],
    full_name,
    role,
    is_active,
    is_bot,
  ]);
  expect(known).toEqual(
    expect.arrayContaining([
      ['olive', 'Olive Owner', 100, true, false],
      ['ann', 'Ann Archer', 400, true, false],
      ['ben.b', 'Ben Baker', 400, true, false],
      ['ben2', 'Ben Baker', 200, true, false],
      ['gus', 'Gus Guest', 600, true, false],
      ['old', 'Old Hand', 400, false, false],
      [expect.stringMatching(/^deployer/), 'Deployer', 400, true, true],
      [expect.stringMatching(/^stranger/), 'stranger', 400, false, false],
    ]),
  );
  const one = members.find((member: any) => member.full_name === 'Ann Archer');
  expect(one).toMatchObject({ timezone: 'Europe/Berlin', avatar_url: expect.stringMatching(/\/[0-9a-f]{40}/) });
  expect((await fetch(`${server.url}${one.avatar_url}`)).headers.get('content-type')).toBe('image/png');
  const ownerOf = (bot: string): number => members.find((member: any) => member.full_name === bot).bot_owner_id;
  // Guests own no bots.
  expect([ownerOf('Deployer'), ownerOf('Greeter')]).toEqual([ann.userId, owner.userId]);
});

test('channels of all teams come with who is in them, by their own names', async () => {
  const { streams } = await owner.ok('GET', '/streams', { include_all: true, exclude_archived: false });
  const known = streams.map(({ name, invite_only, is_archived }: any) => [name, invite_only, is_archived]);
  expect(known).toEqual(
    expect.arrayContaining([
      ['Town Square (Main)', false, false],
      ['Town Square (Side)', false, false],
      ['Development', false, false],
      ['Past', false, true],
    ]),
  );
  const { subscriptions } = await ann.ok('GET', '/users/me/subscriptions');
  expect(subscriptions.map(({ name }: any) => name).sort()).toEqual([
    'Den',
    'Development',
    'Town Square (Main)',
    'Town Square (Side)',
  ]);
  const development = subscriptions.find(({ name }: any) => name === 'Development');
  expect(development.rendered_description).toBe('<p>Code see <a href="https://example.test">the page</a></p>');
});

test('messages come in the order of their times, threads as topics, with mentions, pictures and cards', async () => {
  const [rest, topic] = ['imported from Mattermost', 'Where do we eat today?'];
  const found = shown(await messagesIn(ann, [['channel', 'Development']], raw));
  const [benId] = (await owner.ok('GET', '/users')).members.filter(({ email }: any) => email.startsWith('ben2'));
  expect(found).toEqual([
    [topic, 'ann', 'Where do we **eat** today?'],
    [`${topic} (2)`, 'ann', 'Where do we eat today?'],
    [`${topic} (2)`, 'gus', 'here'],
    [topic, 'ben.b', `ask @**Ann Archer**, @**Ben Baker|${benId.user_id}** and @nobody.`],
    [topic, 'gus', expect.stringMatching(/^\[menu\.txt\]\(\/user_uploads\/\S+\/menu\.txt\)$/)],
    [rest, expect.stringMatching(/^deployer/), '[Build](https://example.test/b)\npassed'],
    [
      rest,
      'ben.b',
      expect.stringMatching(
        /^\[a picture\]\(https:\/\/example\.test\/p\.png\)\n\[a-picture\.png\]\(\/user_uploads\/\S+\)$/,
      ),
    ],
    [rest, 'ann', '@**all** #**Town Square (Main)** ~nowhere `@ann` :parrot: $$a^2$$'],
  ]);
  expect(shown(await messagesIn(ann, [['channel', 'Town Square (Main)']], raw))).toEqual([
    [rest, 'ben.b', '/me waves'],
  ]);
  expect(await messagesIn(ann, [['channel', 'Den']])).toHaveLength(1);
});

test('mentions, custom emoji, files and pictures work as in messages that are sent here', async () => {
  const found = await messagesIn(ann, [['channel', 'Development']]);
  const [, , , asked, menu, , pictured, last] = found;
  expect(asked.content).toContain(`data-user-id="${ann.userId}"`);
  expect(asked.flags).toEqual(expect.arrayContaining(['read', 'mentioned']));
  expect(last.content).toMatch(/class="emoji".*parrot/);
  expect(pictured.content).toMatch(/message_inline_image|class="image|<img/);
  const [, address] = /href="(\/user_uploads\/[^"]+)"/.exec(menu.content) ?? [];
  const { url } = await ann.ok('GET', String(address));
  expect(await (await fetch(`${server.url}${url}`)).text()).toBe('soup');
  const { attachments } = await (await server.login('gus@example.test')).ok('GET', '/attachments');
  expect(attachments).toEqual([
    expect.objectContaining({ name: 'menu.txt', size: 4, messages: [expect.objectContaining({ id: menu.id })] }),
  ]);
});

test('reactions, edits and stars come with who did it and when', async () => {
  const found = await messagesIn(ann, [['channel', 'Development']]);
  const names = found[0].reactions.map(({ emoji_name: name, reaction_type: type }: any) => [name, type]);
  expect(names).toEqual([
    ['+1', 'unicode_emoji'],
    ['+1', 'unicode_emoji'],
    ['parrot', 'realm_emoji'],
  ]);
  const reacted = (await logOf(join(folder, 'data'))).filter(({ type }) => type === 'reaction.added.v1');
  const first = reacted.filter(({ data }) => data.messageId === found[0].id);
  // The archive gives milliseconds; the last one has no time of its own.
  expect(first.map(({ data }) => data.at - found[0].timestamp)).toEqual([1, 3 * HOUR - 1, 0]);
  const last = found.at(-1);
  expect(last).toMatchObject({ timestamp: START + 5 * HOUR, last_edit_timestamp: START + 6 * HOUR });
  const { message_history: history } = await ann.ok('GET', `/messages/${last.id}/history`);
  expect(history.map(({ user_id, timestamp }: any) => [user_id, timestamp])).toEqual([
    [ann.userId, START + 5 * HOUR],
    [ann.userId, START + 6 * HOUR],
  ]);
});

test('direct and private conversations are for those who took part', async () => {
  const direct = await messagesIn(ann, [['is', 'dm']], raw);
  expect(direct.map(({ content }: any) => content)).toEqual(['we two', 'we three', 'yes', 'to myself', 'hello']);
  expect((await messagesIn(owner, [['is', 'dm']], raw)).map(({ content }: any) => content)).toEqual(['we three']);
  await expect(messagesIn(owner, [['channel', 'Den']])).resolves.toEqual([]);
});

test('nothing is unread, and the report says what is missing', async () => {
  const { state } = await ann.register({ fetch_event_types: ['message', 'update_message_flags'] });
  expect(state.unread_msgs.count).toBe(0);
  expect(printed.messages).toBe(17);
  expect(printed.notes).toEqual(
    expect.arrayContaining([
      '1 lines of the kind "role" have no place here.',
      '1 lines of the kind "thread_follower" have no place here.',
      '1 custom emoji are not in the archive.',
      '1 files are not in the archive.',
      '1 messages that Mattermost wrote by itself are left out.',
      '1 messages are in channels that are not in the archive.',
      '1 messages were pinned; this server has no pins.',
      '1 messages were edited; what they said before is not in the archive.',
      '1 reactions are of an emoji that this server does not have.',
      '1 accounts are named in messages and not in the list of users.',
    ]),
  );
});

test('an import that was interrupted goes on where it ended', async () => {
  const archive = join(folder, 'mattermost.zip');
  const [whole, part] = [join(folder, 'whole'), join(folder, 'part')];
  await importFrom(archive, whole);
  const events = await eventsIn(whole);
  mkdirSync(part);
  const store = await openEventStore(`sqlite:${join(part, 'events.db')}`, scrollback.registry);
  const begun = events.slice(0, events.findIndex(({ stream }) => stream === streams.files) + 2);
  await copyLog({ readAll: () => pagesOf(begun) }, store);
  await store.close();
  expect((await importFrom(archive, part)).code).toBe(0);
  const found = await eventsIn(part);
  const withoutAccess = (all: readonly RecordedEvent[]) =>
    all.slice(0, -2).map(({ id, stream, revision }) => [id, stream, revision]);
  expect(withoutAccess(found)).toEqual(withoutAccess(events));
  const twice = await importFrom(archive, part);
  expect([twice.code, JSON.parse(twice.out).notes]).toEqual([0, [expect.stringContaining('imported before')]]);
  expect(await eventsIn(part)).toEqual(found);
  const other = join(folder, 'other.zip');
  await writeArchive(other, await mattermostArchive(mattermostLines().slice(0, -2)));
  expect(await importFrom(other, part)).toMatchObject({ code: 1, told: expect.stringContaining('not a copy') });
});

async function eventsIn(dataDir: string): Promise<RecordedEvent[]> {
  const store = await openEventStore(`sqlite:${join(dataDir, 'events.db')}`, scrollback.registry);
  const found: RecordedEvent[] = [];
  for await (const page of store.readAll({})) found.push(...page);
  await store.close();
  return found;
}

async function* pagesOf(events: readonly RecordedEvent[]) {
  await Promise.resolve();
  yield events;
}

const changed = (change: (lines: any[]) => unknown): object[] => {
  const lines = structuredClone(mattermostLines());
  change(lines);
  return lines;
};
const postOf = (lines: any[]) => lines.find(({ type }) => type === 'post').post;

test.each<[string, (lines: any[]) => unknown, RegExp]>([
  ['no version', (lines) => lines.shift(), /^import\.jsonl: line 1: it is not the version/],
  ['another version', (lines) => (lines[0].version = 2), /^import\.jsonl: line 1: it is not the version/],
  ['nobody', (lines) => lines.splice(9, 7), /^import\.jsonl: there is nobody/],
  ['a post without a time', (lines) => delete postOf(lines).create_at, /^import\.jsonl: line 18: \/post /],
  ['a time beyond all', (lines) => (postOf(lines).create_at = 1e17), /^import\.jsonl: line 18: \/post\/create_at/],
  ['a line without a type', (lines) => lines.push({}), /^import\.jsonl: line 37: it has no type/],
  [
    'a path that climbs',
    (lines) => (postOf(lines).attachments = [{ path: '../../etc/passwd' }]),
    /^\.\.\/\.\.\/etc\/passwd: its path leads outside/,
  ],
])('%s: refused by the name of the entry, and nothing is written', async (what, change, complaint) => {
  const archive = join(folder, 'bad.zip');
  await writeArchive(archive, await mattermostArchive(changed(change)));
  const into = join(folder, what.replaceAll(' ', '-'));
  const { code, told } = await importFrom(archive, into);
  expect({ code, told: told.split('\n').at(-2) }).toEqual({ code: 1, told: expect.stringMatching(complaint) });
  expect(await logOf(into)).toEqual([]);
});

test('the document may have another name, but there is one', async () => {
  const { 'import.jsonl': lines = '', ...files } = await mattermostArchive(changed((all) => (all[0].version = 2)));
  const archive = join(folder, 'named.zip');
  const complaints = [];
  for (const more of [{}, { 'b.jsonl': '{}' }]) {
    await writeArchive(archive, { ...files, 'a.jsonl': lines, ...more });
    complaints.push((await importFrom(archive, join(folder, 'named'))).told);
  }
  expect(complaints).toEqual([
    expect.stringMatching(/^a\.jsonl: line 1: it is not the version/),
    expect.stringMatching(/^The archive cannot be read: it is of no known kind/),
  ]);
});
