import type { Directory } from '#people';
import type { User } from '#users/model';
import { ManualClock, MemoryKeyValueStore, sampleUser } from '#testing';
import { Sessions } from './sessions.js';

const DAY_MS = 86_400_000;
const USER_ID = 7;

let clock: ManualClock;
let user: User | undefined;
let store: MemoryKeyValueStore;
let sessions: Sessions;

beforeEach(() => {
  clock = new ManualClock();
  user = sampleUser(USER_ID);
  store = new MemoryKeyValueStore();
  const directory = {
    user: (userId: number) => (userId === USER_ID ? user : undefined),
    isUsable: ({ isActive }: User) => isActive,
    isDeactivated: false,
  };
  sessions = new Sessions(store, directory as unknown as Directory, clock);
});

const begin = (): Promise<string> => sessions.begin(sampleUser(USER_ID));
const isOpen = async (token: string): Promise<boolean> => (await sessions.use(token)) !== undefined;
const pass = (days: number): void => {
  clock.atMs += days * DAY_MS;
};

test('a session ends two weeks after it was begun, when it is not used', async () => {
  const token = await begin();
  pass(14);
  clock.atMs -= 1000;
  expect(await sessions.find(token)).toMatchObject({ user: { userId: USER_ID }, endsAt: clock.nowSeconds() + 1 });
  clock.atMs += 1000;
  expect(await isOpen(token)).toBe(false);
});

test('each use makes it end two weeks later, for as long as it is used', async () => {
  const token = await begin();
  for (let week = 0; week < 10; week++) {
    pass(13);
    expect(await sessions.use(token)).toMatchObject({ endsAt: clock.nowSeconds() + 14 * 86_400, isProlonged: true });
  }
  pass(14);
  expect(await isOpen(token)).toBe(false);
});

test('is prolonged once a day, and otherwise only read', async () => {
  const token = await begin();
  const puts = jest.spyOn(store, 'put');
  const isProlonged = async (): Promise<unknown> => (await sessions.use(token))?.isProlonged;
  pass(0.9);
  expect(await isProlonged()).toBe(false);
  expect(puts).not.toHaveBeenCalled();
  pass(0.1);
  expect([await isProlonged(), await isProlonged()]).toEqual([true, false]);
  expect(puts).toHaveBeenCalledTimes(1);
});

test('a look alone prolongs nothing', async () => {
  const token = await begin();
  pass(13);
  await sessions.find(token);
  pass(1);
  expect(await isOpen(token)).toBe(false);
});

test('one that was ended while it was used stays ended', async () => {
  const token = await begin();
  pass(2);
  await sessions.end(token);
  expect(await isOpen(token)).toBe(false);
});

test.each([
  ['another password', { passwordHash: 'other' }],
  ['another key', { apiKey: { generation: 2 } }],
  ['a deactivated account', { isActive: false }],
] as const)('%s ends it, also when it was prolonged', async (_what, change) => {
  const token = await begin();
  pass(2);
  expect(await isOpen(token)).toBe(true);
  user = sampleUser(USER_ID, change as Partial<User>);
  expect(await isOpen(token)).toBe(false);
});

test('with more than twenty the one that ends first ends: the one that was used least lately', async () => {
  const [first, second] = [await begin(), await begin()];
  pass(2);
  await sessions.use(first);
  for (let browser = 2; browser < 21; browser++) await begin();
  expect([await isOpen(first), await isOpen(second)]).toEqual([true, false]);
});
