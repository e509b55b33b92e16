import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BlobStore, openBlobStore } from '#blob-store';
import { ReadBarrier } from '#event-store';
import { Directory, type OrganizationEvent } from '#people';
import { ManualClock, OpenGate, turnOf } from '#testing';
import { PictureCleaner } from './picture-cleaner.js';
import type { CustomEmojiEvent } from '../model/emoji/custom-emoji.events.js';
import type { BrandingChanged } from '../model/branding/branding.events.js';
import { customEmojiPart } from '../model/emoji/custom-emoji.part.js';
import { brandingPart } from '../model/branding/branding.part.js';

type Recorded = OrganizationEvent | CustomEmojiEvent | BrandingChanged;

const DAY_MS = 24 * 60 * 60 * 1_000;
const at = 1_790_000_000;
const NAME = 'a'.repeat(40);

class Ready extends ReadBarrier {
  isStalled = false;
  assertAccepting(): void {
    if (this.isStalled) throw new Error('stalled');
  }
  async waitFor(): Promise<void> {
    // The directory of the test is always current.
  }
}

let folder: string;
let blobs: BlobStore;
let directory: Directory;
let barrier: Ready;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pictures-'));
  blobs = openBlobStore(`file:${folder}`, { isOnlyUser: true });
  directory = new Directory([customEmojiPart, brandingPart]);
  barrier = new Ready();
});
afterEach(() => rm(folder, { recursive: true }));

const cleanAfter = (ms: number): Promise<void> =>
  turnOf(new PictureCleaner(directory, blobs, new ManualClock(Date.now() + ms)), new OpenGate(barrier));
const put = async (space: string, text: string): Promise<string> =>
  (await blobs.space(space).put(Buffer.from(text))).hash;
const isThere = async (space: string, hash: string): Promise<boolean> =>
  (await blobs.space(space).stat(hash)) !== undefined;
const record = (...events: Recorded[]): void => {
  for (const event of events) directory.evolve(event, 1);
};

test('content is removed when nothing has named it for a day', async () => {
  const hash = await put('avatars', 'left over');
  await cleanAfter(DAY_MS / 2);
  expect(await isThere('avatars', hash)).toBe(true);
  await cleanAfter(2 * DAY_MS);
  expect(await isThere('avatars', hash)).toBe(false);
});

test('pictures in use stay, and so do those of deactivated emoji', async () => {
  const account = { fullName: 'Ann', botType: null, botOwnerId: null, timezone: '', role: 400 };
  const [image, medium] = [await put('avatars', 'small'), await put('avatars', 'large')];
  const [moving, still, logo] = [await put('emoji', 'gif'), await put('emoji', 'png'), await put('branding', 'logo')];
  record(
    { type: 'user.created.v1', data: { ...account, userId: 1, email: 'ann@acme.test', at } },
    {
      type: 'user.avatar-changed.v1',
      data: { userId: 1, avatar: { name: NAME, image, medium }, version: 2, by: 1, at },
    },
    { type: 'emoji.added.v1', data: { emojiId: 1, name: 'spin', image: moving, format: 'gif', still, by: 1, at } },
    { type: 'emoji.deactivated.v1', data: { emojiId: 1, by: 1, at } },
    {
      type: 'organization.branding-changed.v1',
      data: { kind: 'night_logo', picture: { name: NAME, image: logo }, version: 2, by: 1, at },
    },
  );
  const all = async (): Promise<boolean[]> =>
    Promise.all([
      isThere('avatars', image),
      isThere('avatars', medium),
      isThere('emoji', moving),
      isThere('emoji', still),
      isThere('branding', logo),
    ]);
  await cleanAfter(2 * DAY_MS);
  expect(await all()).toEqual([true, true, true, true, true]);
  record(
    { type: 'user.avatar-changed.v1', data: { userId: 1, avatar: null, version: 3, by: 1, at } },
    { type: 'organization.branding-changed.v1', data: { kind: 'night_logo', picture: null, version: 3, by: 1, at } },
  );
  await cleanAfter(2 * DAY_MS);
  expect(await all()).toEqual([false, false, true, true, false]);
});

test('nothing is removed while the directory may be behind', async () => {
  const hash = await put('avatars', 'left over');
  barrier.isStalled = true;
  await expect(cleanAfter(2 * DAY_MS)).rejects.toThrow('stalled');
  expect(await isThere('avatars', hash)).toBe(true);
});
