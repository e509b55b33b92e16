import { streams } from '#event-store';
import { newId } from '#kernel';
import { ReadSideFixture } from '../read-side.fixture.js';
import { CHUNK_SIZE } from './id-chunk.js';

describe('the newest members of a set', () => {
  let world: ReadSideFixture;
  let userId: number;
  /** One ID in each of so many chunks, ascending. */
  const spread = Array.from({ length: 20 }, (_, chunk) => chunk * CHUNK_SIZE + 7);

  beforeAll(async () => {
    world = await ReadSideFixture.create();
    ({ userId } = await world.user('ann@example.com'));
    const ids = [...spread.map((id) => [id, id]), [spread[19]! + 1, spread[19]! + 5]];
    const data = { userId, op: 'add', flag: 'starred', ids, at: 1 };
    await world.events.append(streams.flags(userId), 'any', [{ id: newId(), type: 'flags.changed.v1', data }]);
    // When this is visible, so are the flags.
    await world.user('bob@example.com');
  });
  afterAll(() => world.destroy());

  test('begin with the newest, across chunks', async () => {
    const last = spread[19]!;
    const run = [5, 4, 3, 2, 1, 0].map((more) => last + more);
    expect((await world.flags.newest(userId, 'starred', 3)).slice(0, 3)).toEqual(run.slice(0, 3));
    expect((await world.flags.newest(userId, 'starred', 8)).slice(0, 8)).toEqual([...run, spread[18], spread[17]]);
    const all = await world.flags.newest(userId, 'starred', 1_000);
    expect(all).toEqual([...(await world.flags.all(userId, 'starred'))].reverse());
    expect(all).toHaveLength(25);
  });

  test('are none of an empty set', async () => {
    expect(await world.flags.newest(userId, 'collapsed', 3)).toEqual([]);
    expect(await world.flags.newest(userId, 'starred', 0)).toEqual([]);
  });

  test('are found without reading the chunks of older ones', async () => {
    const find = jest.spyOn((world.flags as unknown as { flags: { find: () => unknown } }).flags, 'find');
    await world.flags.newest(userId, 'starred', 3);
    expect(find).toHaveBeenCalledTimes(1);
    find.mockRestore();
  });
});
