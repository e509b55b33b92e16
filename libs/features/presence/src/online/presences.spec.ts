import { Directory } from '#people';
import { preferencesPart } from '#preferences/model';
import { LocalBroadcast } from '#read-store';
import { ManualClock, MemoryKeyValueStore, sampleUser } from '#testing';
import { Presences } from './presences.js';

const ANN = sampleUser(7);
const BEN = sampleUser(1_008);

let broadcast: LocalBroadcast;
let side: MemoryKeyValueStore;
let clock: ManualClock;
let running: Presences[];

beforeEach(() => {
  broadcast = new LocalBroadcast();
  side = new MemoryKeyValueStore();
  clock = new ManualClock();
  running = [];
});
afterEach(async () => {
  for (const process of running) await process.onModuleDestroy();
});

/** A process that serves clients. */
async function start(heard = broadcast): Promise<Presences> {
  const directory = new Directory([preferencesPart]);
  const common = { role: 400, botType: null, botOwnerId: null, timezone: '', at: 1 };
  for (let userId = 1; userId <= BEN.userId; userId++) {
    const data = { ...common, userId, email: `user${userId}@acme.test`, fullName: `User ${userId}` };
    directory.evolve({ type: 'user.created.v1', data }, userId);
  }
  const process = new Presences(directory, heard, side, clock);
  running.push(process);
  await process.onApplicationBootstrap();
  return process;
}

const seenBy = (process: Presences): number[] =>
  process
    .since(-1)
    .flat()
    .map(({ userId }) => userId);
const idsOf = (process: Presences): number[] => seenBy(process).sort((a, b) => a - b);

test('processes tell each other what they are told', async () => {
  const [one, other] = [await start(), await start()];
  one.report(ANN, 'active');
  expect(other.of(ANN)).toMatchObject({ activeAt: clock.nowSeconds() });
});

test('a process that hears of nothing else is not kept awake by it', async () => {
  const subscribed = jest.spyOn(broadcast, 'subscribe');
  await start();
  expect(subscribed.mock.calls).toEqual([['presence', expect.any(Function), { isSpared: true }]]);
});

test('a process that starts knows what is stored', async () => {
  const one = await start();
  one.report(ANN, 'active');
  one.report(BEN, 'idle');
  await one.store();
  expect(idsOf(await start())).toEqual([ANN.userId, BEN.userId]);
});

test('a process that starts lists those who were seen earlier first', async () => {
  const one = await start();
  one.report(BEN, 'active');
  clock.atMs += 60_000;
  one.report(ANN, 'active');
  await one.store();
  expect(seenBy(await start())).toEqual([BEN.userId, ANN.userId]);
});

test('processes that do not hear each other add to what is stored, and learn it', async () => {
  const [one, other] = [await start(), await start(new LocalBroadcast())];
  one.report(ANN, 'active');
  await one.store();
  const third = sampleUser(9);
  other.report(third, 'active');
  await other.store();
  expect(idsOf(other)).toEqual([ANN.userId, third.userId]);
  expect(idsOf(await start())).toEqual([ANN.userId, third.userId]);
});

test('nothing is stored as long as nobody reports', async () => {
  const one = await start();
  one.report(ANN, 'active');
  await one.store();
  const put = jest.spyOn(side, 'put');
  one.report(ANN, 'active');
  await one.store();
  expect(put).not.toHaveBeenCalled();
});

test('a store that fails loses nothing', async () => {
  const one = await start();
  const warned = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  const put = jest.spyOn(side, 'put').mockRejectedValueOnce(new Error('away'));
  one.report(ANN, 'active');
  await one.store();
  expect(warned).toHaveBeenCalledTimes(1);
  warned.mockRestore();
  await one.store();
  expect(put).toHaveBeenCalledTimes(2);
  expect(idsOf(await start(new LocalBroadcast()))).toEqual([ANN.userId]);
});
