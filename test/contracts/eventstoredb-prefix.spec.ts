import { WrongStreamPrefix } from '#event-store';
import { everything, note, take, textsOf } from '../../libs/engine/event-store/src/contract/log.contract.js';
import type { EventStoreDbEventStore } from '../../libs/engine/event-store/src/eventstoredb/eventstoredb-event-store.js';
import { Follower, ServerFixture } from './eventstoredb.fixture.js';

const OURS = 'a fingerprint';
const THEIRS = 'another fingerprint';
const ORGANIZATION = '1.organization';

let fixture: ServerFixture;

beforeEach(async () => {
  fixture = await ServerFixture.start();
});

afterEach(() => fixture.stop());

const open = (streamPrefix: string, owner?: string): Promise<EventStoreDbEventStore> =>
  fixture.open(owner === undefined ? { streamPrefix } : { streamPrefix, owner });

test('installations with different prefixes share a server without seeing each other', async () => {
  const prefixes = ['', 'a', 'a-1', 'a1', 'A'];
  const stores = await Promise.all(prefixes.map((prefix) => open(prefix)));
  const followers = stores.map((store) => new Follower(store));
  for (const [index, store] of stores.entries()) {
    for (let count = 0; count <= index; count++) {
      expect(await store.append('1.a', 'any', [note(prefixes[index] ?? '')])).toMatchObject({ lastRevision: count });
    }
  }
  for (const [index, store] of stores.entries()) {
    const own = Array.from({ length: index + 1 }, () => prefixes[index]);
    expect(textsOf(await everything(store))).toEqual(own);
    expect(textsOf(await store.readStream('1.a', { limit: 10 }))).toEqual(own);
    expect(textsOf(await take(store, index + 1, { streamPrefixes: ['1.'] }))).toEqual(own);
    expect(await store.head()).toBe((await everything(store)).at(-1)?.position);
    await followers[index]?.has(index + 1);
  }
  // All stores have examined the last event on the server.
  await stores[4]?.append('1.b', 'any', [note('last')]);
  await followers[4]?.has(6);
  for (const follower of followers) await follower.stop();
  expect(followers.map(({ texts }) => new Set(texts))).toEqual([
    ...prefixes.slice(0, 4).map((text) => new Set([text])),
    new Set(['A', 'last']),
  ]);
});

test.each(['1', '1.', 'a.b', '$a', '-a', 'a b', 'ä', 'a/b', 'a\n', 'x'.repeat(41)])(
  '%j is no prefix',
  async (prefix) => {
    await expect(open(prefix)).rejects.toThrow(TypeError);
  },
);

describe('a prefix that the owner does not have', () => {
  async function organization(prefix: string, owner?: string): Promise<void> {
    const store = await open(prefix, owner);
    await store.append(ORGANIZATION, 'none', [note(prefix)]);
  }

  test.each([
    [
      'acme',
      '',
      'STREAM_PREFIX is not set, but the event store has the organization of this SECRET_KEY with STREAM_PREFIX=acme.',
    ],
    [
      '',
      'acme',
      'STREAM_PREFIX is acme, but the event store has the organization of this SECRET_KEY without STREAM_PREFIX.',
    ],
    [
      'acme',
      'acne',
      'STREAM_PREFIX is acne, but the event store has the organization of this SECRET_KEY with STREAM_PREFIX=acme.',
    ],
  ])('is refused while its log is empty: %j, then %j', async (right, wrong, complaint) => {
    await organization(right, OURS);
    const { eventCount } = fixture.server;
    await expect(open(wrong, OURS)).rejects.toThrow(WrongStreamPrefix);
    await expect(open(wrong, OURS)).rejects.toThrow(complaint);
    expect(fixture.server.eventCount).toBe(eventCount);
    await open(right, OURS);
    // Other installations may have it.
    await organization(wrong, THEIRS);
  });

  test('is refused also when the organization is older than prefixes', async () => {
    await organization('');
    await open('', OURS);
    await expect(open('acme', OURS)).rejects.toThrow(WrongStreamPrefix);
  });

  test('is claimed when no organization has been made under the other one', async () => {
    await open('mistyped', OURS);
    await organization('acme', OURS);
    await expect(open('mistyped', OURS)).rejects.toThrow(WrongStreamPrefix);
  });

  test('is refused when its log is that of another owner', async () => {
    await organization('acme', OURS);
    await organization('theirs', THEIRS);
    await expect(open('theirs', OURS)).rejects.toThrow(/with STREAM_PREFIX=acme\.$/);
  });

  test('is taken by an owner who has no other: the secret was changed', async () => {
    await organization('acme', OURS);
    await open('acme', THEIRS);
    await open('acme', OURS);
  });

  test('is taken when its log is there: it was copied', async () => {
    await organization('old', OURS);
    await organization('new');
    await open('new', OURS);
    await open('old', OURS);
  });

  test('can be read by who claims nothing', async () => {
    await organization('acme', OURS);
    expect(await everything(await open('acne'))).toEqual([]);
  });

  test('is claimed once by many who start together', async () => {
    const { eventCount } = fixture.server;
    await Promise.all(Array.from({ length: 5 }, () => open('acme', OURS)));
    expect(fixture.server.eventCount).toBe(eventCount + 1);
  });
});
