import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FILE_SPACES } from '#archive';
import { type BlobRef, openBlobStore } from '#blob-store';
import type { RecordedEvent } from '#event-store';
import { scrollback } from '#runtime';
import { ExpectedContents, verifyContents } from './contents.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'contents-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const stored = (space: string, content: string): Promise<BlobRef> =>
  openBlobStore(`file:${folder}`, { isOnlyUser: true }).space(space).put(Buffer.from(content));
const recorded = (type: string, data: object, revision = 0): RecordedEvent =>
  ({ type, revision, data }) as unknown as RecordedEvent;

/** Stores content, and gives the event of its upload as the file with this ID. */
async function uploaded(fileId: number, content: string): Promise<RecordedEvent> {
  return recorded('file.uploaded.v1', await stored('files', content), fileId - 1);
}

async function verifying(...events: readonly RecordedEvent[]): Promise<object> {
  const expected = new ExpectedContents(scrollback.features.contents);
  for (const event of events) expected.look(event);
  const told: string[] = [];
  const found = await verifyContents(
    expected,
    openBlobStore(`file:${folder}`, { isOnlyUser: true }),
    (line) => void told.push(line),
  );
  return { ...found, told };
}

const missing = (space: string, hash: string): string => `The content ${space}/${hash} is missing.`;
const hashOf = ({ data }: RecordedEvent): string => (data as { hash: string }).hash;
const pathOf = (event: RecordedEvent): string => join(folder, 'files', hashOf(event).slice(0, 2), hashOf(event));

test('content that the log names is there', async () => {
  const [one, two, again] = [await uploaded(1, 'soup'), await uploaded(2, 'stew'), await uploaded(3, 'soup')];
  expect(await verifying(one, two, again)).toEqual({ right: 2, wrong: 0, told: [] });
});

test('missing and changed content is named', async () => {
  const [one, two, three] = [await uploaded(1, 'soup'), await uploaded(2, 'stew'), await uploaded(3, 'bread')];
  rmSync(pathOf(one));
  writeFileSync(pathOf(two), 'salt');
  const told = [missing('files', hashOf(one)), `The content files/${hashOf(two)} is not what was uploaded.`];
  expect(await verifying(one, two, three)).toEqual({ right: 1, wrong: 2, told });
});

test('content of a file that was removed is not missed', async () => {
  const one = await uploaded(1, 'soup');
  rmSync(pathOf(one));
  const removed = { type: 'file.removed.v1', data: { fileId: 1 } } as unknown as RecordedEvent;
  expect(await verifying(one, removed)).toEqual({ right: 0, wrong: 0, told: [] });
});

test('a manifest names the content of every space', () => {
  expect(scrollback.features.contents.map(({ space }) => space).sort()).toEqual([...FILE_SPACES].sort());
});

describe('pictures', () => {
  const NONE = { right: 0, wrong: 0, told: [] };
  const [one, two] = ['1'.repeat(64), '2'.repeat(64)];
  const avatar = (userId: number, picture: object | null): RecordedEvent =>
    recorded('user.avatar-changed.v1', { userId, avatar: picture });
  const branding = (kind: string, picture: object | null): RecordedEvent =>
    recorded('organization.branding-changed.v1', { kind, picture });

  test('that are there are right', async () => {
    const { hash: image } = await stored('avatars', 'small');
    const { hash: medium } = await stored('avatars', 'large');
    const { hash: emoji } = await stored('emoji', 'cat');
    const { hash: icon } = await stored('branding', 'icon');
    const events = [avatar(4, { image, medium }), recorded('emoji.added.v1', { emojiId: 1, image: emoji })];
    const found = await verifying(...events, branding('icon', { image: icon }));
    expect(found).toEqual({ right: 4, wrong: 0, told: [] });
  });

  test.each<[string, RecordedEvent, string[]]>([
    ['an avatar', avatar(4, { image: one, medium: two }), [missing('avatars', one), missing('avatars', two)]],
    ['an emoji', recorded('emoji.added.v1', { emojiId: 1, image: one }), [missing('emoji', one)]],
    [
      'a moving emoji',
      recorded('emoji.added.v1', { emojiId: 1, image: one, still: two }),
      [missing('emoji', one), missing('emoji', two)],
    ],
    ['a logo', branding('logo', { image: one }), [missing('branding', one)]],
  ])('%s that is missing is named', async (_, event, told) => {
    expect(await verifying(event)).toEqual({ right: 0, wrong: told.length, told });
  });

  test('that were replaced or taken away are not missed, and those of others are', async () => {
    const shown = { image: one, medium: one };
    expect(await verifying(avatar(4, shown), avatar(4, null), branding('icon', shown), branding('icon', null))).toEqual(
      NONE,
    );
    const { hash } = await stored('avatars', 'new');
    const replaced = avatar(4, { image: hash, medium: hash });
    expect(await verifying(avatar(4, shown), replaced)).toEqual({ ...NONE, right: 1 });
    const told = [missing('avatars', one)];
    expect(await verifying(avatar(4, shown), avatar(5, null))).toEqual({ ...NONE, wrong: 1, told });
  });

  test('of emoji that were deactivated are shown on, and so must be there', async () => {
    const deactivated = recorded('emoji.deactivated.v1', { emojiId: 1 });
    const found = await verifying(recorded('emoji.added.v1', { emojiId: 1, image: one }), deactivated);
    expect(found).toMatchObject({ wrong: 1, told: [missing('emoji', one)] });
  });
});
