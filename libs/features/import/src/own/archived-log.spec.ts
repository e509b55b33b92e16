import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Type } from 'typebox';
import { ArchiveReader, archiveOf } from '#archive';
import { EventRegistry, eventType, exactly } from '#event-store';
import { Directory, organizationEventTypes } from '#people';
import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { ArchivedLog } from './archived-log.js';

const registry = new EventRegistry([
  ...organizationEventTypes,
  eventType('note.v1', exactly({ value: Type.Unknown() })),
]);
const ENTRY = 'log/000001.jsonl';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'log-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const created = {
  stream: '1.organization',
  revision: 0,
  id: '00000000-0000-4000-8000-000000000001',
  type: 'organization.created.v1',
  data: { uuid: 'u', name: 'Acme', at: 1, groups: [] },
  metadata: {},
  recorded_at: 1_000,
};
const note = (more: object = {}) => {
  return { ...created, stream: '1.s-7', type: 'note.v1', data: { value: 1 }, ...more };
};

async function checked(...events: readonly (object | string)[]): Promise<string> {
  const text = Buffer.from(events.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join('\n'));
  const open = () => Promise.resolve(Readable.from([text]));
  const path = join(folder, 'log.zip');
  writeFileSync(path, await buffer(archiveOf([{ name: ENTRY, bytes: text.length, compress: true, open }], new Date())));
  const archive = await ArchiveReader.open(path);
  const log = new ArchivedLog(
    archive,
    { entries: [{ name: ENTRY, bytes: text.length, sha256: '' }] },
    { registry, newDirectory: () => new Directory() },
  );
  try {
    const { events: count } = await log.check(() => undefined);
    return `${count} events`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    archive.close();
  }
}

test('a sound log is accepted', async () => {
  expect(await checked(created, note(), note({ revision: 1 }))).toBe('3 events');
});

test.each<[string, object | string, RegExp]>([
  ['a line that is no JSON', '{"stream":', /line 2 is not JSON/],
  ['an event of an unknown type', note({ type: 'evil.v1' }), /line 2: .*evil\.v1/],
  ['data of another shape', note({ data: { value: 1, more: 2 } }), /line 2: The data of note\.v1/],
  ['a missing event', note({ revision: 1 }), /line 2: 1\.s-7 goes on with 1 instead of 0/],
  ['an event twice', created, /line 2: 1\.organization goes on with 0 instead of 1/],
  ['another organization', note({ stream: '2.s-7' }), /line 2: \/stream/],
  ['a stream of the store', note({ stream: '$all' }), /line 2: \/stream/],
  ['a huge number', note({ data: { value: [1e300] } }), /line 2: the number 1e\+300 is too large/],
  ['a huge time', note({ recorded_at: 1e300 }), /line 2: \/recorded_at/],
  ['an ID that is none', note({ id: '../../etc' }), /line 2: \/id/],
  ['depth', note({ data: { value: JSON.parse('['.repeat(60) + ']'.repeat(60)) } }), /line 2: it is nested too deeply/],
  ['a list', [], /line 2: /],
])('%s is refused by its line', async (_what, event, complaint) => {
  const told = await checked(created, event);
  expect(told).toMatch(/^log\/000001\.jsonl: /);
  expect(told).toMatch(complaint);
});

test('an event that contradicts the earlier ones, and a log without an organization', async () => {
  const changed = { ...created, revision: 1, type: 'user.deactivated.v1', data: { userId: 9, by: 4, at: 1 } };
  expect(await checked(created, changed)).toMatch(/^log\/000001\.jsonl: line 2: /);
  expect(await checked(note())).toMatch(/has no organization/);
});
