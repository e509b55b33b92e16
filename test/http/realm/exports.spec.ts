/** Exports of the organization's data (endpoints.md §12). */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ArchiveReader, readManifest } from '#archive';
import { fetch, until } from '#testing';
import { channelId, expectRefusal } from '../../support/answers.js';
import type { ApiClient } from '../../support/client.js';
import { later } from '../../support/later.js';
import { channelOf, startWithPeople, type Cast } from '../../support/people.js';

const WEEK = 7 * 86_400;
let cast: Cast;
let owner: ApiClient, ann: ApiClient, ben: ApiClient, cleo: ApiClient;
let folder: string;

beforeAll(async () => {
  cast = await startWithPeople();
  ({ owner, ann, ben, cleo } = cast);
  await owner.ok('PATCH', `/users/${ben.userId}`, { role: 200 });
  folder = mkdtempSync(join(tmpdir(), 'exports-'));
});
afterAll(async () => {
  await cast.server.stop();
  rmSync(folder, { recursive: true });
});

const list = async (): Promise<any[]> => (await owner.ok('GET', '/export/realm')).exports;
const consents = async (): Promise<any[]> => (await ben.ok('GET', '/export/realm/consents')).export_consents;
const consent = (client: ApiClient, value: boolean) =>
  client.ok('PATCH', '/settings', { allow_private_data_export: value });

/** Requests an export, and waits for it. */
async function made(type: number): Promise<any> {
  const { id } = await owner.ok('POST', '/export/realm', { export_type: type });
  await until(async () => (await list()).at(-1).pending === false);
  const found = (await list()).at(-1);
  expect(found).toMatchObject({ id, failed_timestamp: null, deleted_timestamp: null, export_type: type });
  return found;
}

/** Everything in an archive: its documents by entry, without the manifest. */
async function contents(url: string): Promise<Record<string, any[]>> {
  const response = await fetch(url);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('application/zip');
  const path = join(folder, 'archive.zip');
  writeFileSync(path, Buffer.from(await response.arrayBuffer()));
  const archive = await ArchiveReader.open(path);
  const found: Record<string, any[]> = {};
  for (const { name, bytes, sha256 } of (await readManifest(archive)).entries) {
    expect(await archive.digest(name)).toEqual({ bytes, hash: sha256 });
    found[name] = [];
    for await (const { value } of archive.lines(name)) found[name].push(value);
  }
  archive.close();
  return found;
}

test('administrators alone may ask', async () => {
  for (const [method, path] of [
    ['GET', '/export/realm'],
    ['POST', '/export/realm'],
    ['DELETE', '/export/realm/1'],
    ['GET', '/export/realm/consents'],
  ] as const)
    expect(expectRefusal(await ann.call(method, path), 'UNAUTHORIZED_PRINCIPAL').msg).toBe(
      'Must be an organization administrator',
    );
  expect(await list()).toEqual([]);
  expectRefusal(await owner.call('POST', '/export/realm', { export_type: 3 }), 'BAD_REQUEST');
  expectRefusal(await owner.call('POST', '/export/realm', { export_type: 'x' }), 'REQUEST_VARIABLE_INVALID');
  for (const id of ['1', '0', 'x']) expectRefusal(await owner.call('DELETE', `/export/realm/${id}`), 'BAD_REQUEST');
});

test('consent is told to administrators, and listed for people who are active', async () => {
  const queues = [await owner.register(), await ben.register(), await ann.register()];
  await consent(ann, true);
  const told = { type: 'realm_export_consent', user_id: ann.userId, consented: true };
  const of = (events: any[]) => events.filter(({ type }) => type === 'realm_export_consent');
  expect(of(await queues[0]!.pending())).toEqual([{ id: expect.any(Number), ...told }]);
  expect(of(await queues[1]!.pending())).toEqual([{ id: expect.any(Number), ...told }]);
  expect(of(await queues[2]!.pending())).toEqual([]);
  await owner.ok('DELETE', `/users/${cleo.userId}`);
  expect(await consents()).toEqual(
    [owner.userId || 4, ann.userId, ben.userId].map((id) => ({ user_id: id, consented: id === ann.userId })),
  );
  await owner.ok('POST', `/users/${cleo.userId}/reactivate`);
  await consent(ann, false);
});

describe('an archive', () => {
  const secret = 'for Ann and Ben alone';
  let den: number;

  beforeAll(async () => {
    await channelOf('hall', ann, ben);
    const principals = [ann.userId, ben.userId];
    await ann.ok('POST', '/users/me/subscriptions', {
      subscriptions: [{ name: 'den' }],
      principals,
      invite_only: true,
    });
    den = await channelId(ann, 'den');
    const id = await ann.send('hall', 'lunch', 'soup');
    await ann.ok('PATCH', `/messages/${id}`, { content: '**stew**' });
    await ben.ok('POST', `/messages/${id}/reactions`, { emoji_name: 'tada' });
    await ann.send(den, 'plans', 'in the den');
    await ben.sendTo([ann], secret);
    await ben.sendTo([cleo], 'for Cleo and Ben');
  });

  test('of what is public is made in the background, told to who asked, and has nothing else', async () => {
    const asking = await owner.register({ event_types: ['realm_export'] });
    const other = await ben.register({ event_types: ['realm_export'] });
    const before = Math.floor(Date.now() / 1000);
    const found = await made(1);
    expect(found).toEqual({
      id: 1,
      acting_user_id: 4,
      export_time: expect.any(Number),
      deleted_timestamp: null,
      failed_timestamp: null,
      export_url: expect.stringMatching(`^${cast.server.url}/exports/1/1/[\\w-]{32}/scrollback-export-1.zip$`),
      pending: false,
      export_type: 1,
    });
    expect(found.export_time).toBeGreaterThanOrEqual(before);
    const events = await asking.pending();
    expect(events.at(-1)).toEqual({ id: expect.any(Number), type: 'realm_export', exports: [found] });
    expect(await other.pending()).toEqual([]);

    const archive = await contents(found.export_url);
    expect(Object.keys(archive)).toEqual([
      'organization.json',
      'users.jsonl',
      'groups.jsonl',
      'channels.jsonl',
      'messages/000001.jsonl',
    ]);
    expect(archive['messages/000001.jsonl']).toEqual([
      {
        id: expect.any(Number),
        sender_id: ann.userId,
        channel_id: await channelId(ann, 'hall'),
        topic: 'lunch',
        content: '**stew**',
        html: '<p><strong>stew</strong></p>',
        sent_at: expect.any(Number),
        client: 'ScrollbackTest',
        reactions: [{ user_id: ben.userId, emoji_name: 'tada', emoji_code: '1f389', reaction_type: 'unicode_emoji' }],
        submessages: [],
        edits: [{ user_id: ann.userId, at: expect.any(Number), prev_content: 'soup', prev_html: '<p>soup</p>' }],
      },
    ]);
    expect(archive['channels.jsonl']!.map(({ name }) => name)).toEqual(['general', 'hall']);
    expect(JSON.stringify(archive)).not.toMatch(/argon2|passwordHash|apiKey/);
  });

  test('has what those may read who allow it, with their own settings and flags', async () => {
    await consent(ann, true);
    const archive = await contents((await made(2)).export_url);
    const written = archive['messages/000001.jsonl']!.map(({ content }) => content);
    expect(written).toEqual([expect.stringMatching(/^Hello, and welcome/), '**stew**', 'in the den', secret]);
    expect(archive['channels.jsonl']!.map(({ name }) => name)).toEqual(['general', 'hall', 'den']);
    expect(archive['personal.jsonl']).toMatchObject([
      { user_id: ann.userId, settings: { allow_private_data_export: true } },
    ]);
    await consent(ann, false);
  });

  test('is gone once it is deleted, at an address that nobody guesses', async () => {
    const [{ id, export_url: url }] = await list();
    const wrong = url.replace(/[\w-]{32}/, 'x'.repeat(32));
    for (const address of [wrong, url.replace('/1/1/', '/1/9/')]) expect((await fetch(address)).status).toBe(404);
    const queue = await owner.register({ event_types: ['realm_export'] });
    await owner.ok('DELETE', `/export/realm/${id}`);
    const [deleted] = await list();
    expect(deleted).toMatchObject({ export_url: null, deleted_timestamp: expect.any(Number), pending: false });
    expect((await queue.pending()).at(-1).exports).toEqual(await list());
    expect((await fetch(url)).status).toBe(404);
    expect(expectRefusal(await owner.call('DELETE', `/export/realm/${id}`), 'BAD_REQUEST').msg).toBe(
      'Export already deleted',
    );
  });

  test('is made five times a week, and a restart changes nothing', async () => {
    while ((await list()).length < 5) await made(1);
    const refusal = await owner.call('POST', '/export/realm');
    expect(expectRefusal(refusal, 'BAD_REQUEST').msg).toBe('Exceeded rate limit.');
    const before = await list();
    await cast.server.restart(() => cast.server.forgetReadModels());
    const paths = (exports: any[]) =>
      exports.map((one) => ({ ...one, export_url: one.export_url?.replace(/^http:..[^/]*/, '') }));
    expect(paths(await list())).toEqual(paths(before));
    expect((await fetch((await list()).at(-1).export_url)).status).toBe(200);
    await later(WEEK, () => made(1));
  });
});
