import { ReadBarrier } from '#event-store';
import { BackgroundRunner } from './background-runner.js';
import { notReady } from './engine/position-waiters.js';
import type { EngineStatus } from './engine/engine-status.js';
import { type ReadSidePass, StandingGate } from './read-side-gate.js';
import type { Standing } from './read-store.js';
import { SetAside } from './set-aside.js';

class Barrier extends ReadBarrier {
  isStopped = false;
  readonly waited: number[] = [];

  override assertAccepting(): void {
    if (this.isStopped) throw notReady('stopped');
  }

  override waitFor(position: number): Promise<void> {
    this.waited.push(position);
    return Promise.resolve();
  }
}

const standing = (making: string, commits: number, ...positions: [files: number, messages: number]): Standing => ({
  making,
  commits,
  positions: new Map([
    ['files', positions[0]],
    ['messages', positions[1]],
  ]),
});

let setAside: SetAside;
let barrier: Barrier;
let now: Standing;
let rebuilds: string[];
let gate: StandingGate;
beforeEach(() => {
  setAside = new SetAside();
  barrier = new Barrier();
  now = standing('w.1', 5, 7, 7);
  rebuilds = [];
  gate = new StandingGate({
    events: { head: () => Promise.resolve(7) },
    store: { standing: () => Promise.resolve(now) },
    barrier,
    operations: { status: () => ({ rebuilds }) as unknown as EngineStatus },
    participants: ['files', 'messages'],
    setAside,
  });
});

test('is open once everything has passed the end of the log, and stays so while commits are made', async () => {
  const pass = await gate.enter();
  expect([pass.position, barrier.waited]).toEqual([7, [7]]);
  now = standing('w.1', 6, 9, 9);
  await pass.assertValid();
  await pass.assertValid(9);
});

test.each<[string, () => void]>([
  ['stopped', () => (barrier.isStopped = true)],
  ['behind with one model', () => (now = standing('w.1', 5, 7, 6))],
  ['without one model', () => (now = { ...now, positions: new Map([['files', 7]]) })],
])('is closed while the read side is %s, and a pass is over', async (_what, happen) => {
  const pass = await gate.enter();
  happen();
  await expect(pass.assertValid()).rejects.toMatchObject({ code: 'SERVER_NOT_READY' });
  await expect(gate.enter()).rejects.toMatchObject({ code: 'SERVER_NOT_READY' });
});

test.each<[string, () => void]>([
  ['taken over, or swapped', () => (now = standing('w.2', 6, 9, 9))],
  ['put back', () => (now = standing('w.1', 4, 7, 7))],
])('a pass is over once the read models were %s, however far they are then', async (_what, happen) => {
  const pass = await gate.enter();
  happen();
  await expect(pass.assertValid()).rejects.toMatchObject({ code: 'SERVER_NOT_READY' });
  await (await gate.enter()).assertValid();
});

test('a pass does not cover events that the read models lost after it was given', async () => {
  const pass = await gate.enter();
  now = standing('w.1', 9, 12, 12);
  await pass.assertValid(12);
  now = standing('w.1', 7, 10, 10);
  await expect(pass.assertValid(10)).rejects.toMatchObject({ code: 'SERVER_NOT_READY' });
});

test('what removes waits for the end of rebuilds; other work does not', async () => {
  rebuilds = ['files'];
  await gate.enter();
  await expect(gate.enter({ removes: true })).rejects.toMatchObject({ code: 'SERVER_NOT_READY' });
});

test('work in the background is not begun while it is closed', async () => {
  const turns: number[] = [];
  const runner = new BackgroundRunner({ gate, onError: () => undefined });
  const work = {
    name: 'work',
    complaint: '',
    everyMs: 60_000,
    turn: async ({ position }: ReadSidePass) => void turns.push(position),
  };
  barrier.isStopped = true;
  await expect(runner.turn(work)).rejects.toMatchObject({ code: 'SERVER_NOT_READY' });
  barrier.isStopped = false;
  await runner.turn(work);
  expect(turns).toEqual([7]);
});
