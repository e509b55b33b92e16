import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ReadBarrier } from '#event-store';
import { type Lease, Leases, LocalBroadcast, SqliteKeyValueStore } from '#read-store';
import { until } from '#testing';
import { SharedMoveLock } from './shared-move-lock.js';

/** Leases shared by "processes" that all run in this one. */
class SharedLeases extends Leases {
  #term = 0;
  #holder: string | undefined;

  override acquire(name: string, holder: string): Promise<Lease | undefined> {
    if (this.#holder !== undefined) return Promise.resolve(undefined);
    this.#holder = holder;
    return Promise.resolve({ name, holder, term: ++this.#term });
  }

  override renew({ term }: Lease): Promise<boolean> {
    return Promise.resolve(term === this.#term && this.#holder !== undefined);
  }

  override sign(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  override release(): Promise<void> {
    this.#holder = undefined;
    return Promise.resolve();
  }

  /** Ends the lease of whichever process holds it, as when it was silent for too long. */
  expire(): void {
    this.#holder = undefined;
  }
}

class AlwaysVisible extends ReadBarrier {
  override assertAccepting(): void {
    // Nothing is ever stalled here.
  }

  override waitFor(): Promise<void> {
    return Promise.resolve();
  }
}

describe('turns of several processes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'turns-'));
  const side = new SqliteKeyValueStore(join(folder, 'side.db'));
  const parts = {
    leases: new SharedLeases(),
    side,
    broadcast: new LocalBroadcast(),
    barrier: new AlwaysVisible(),
    onError: (error: unknown): void => {
      throw error;
    },
  };
  let members: SharedMoveLock[] = [];

  beforeEach(async () => {
    members = [1, 2, 3].map(() => new SharedMoveLock(parts));
    for (const member of members) await member.start();
  });

  afterEach(async () => {
    for (const member of members) await member.stop();
  });

  afterAll(async () => {
    await side.close();
    rmSync(folder, { recursive: true });
  });

  test('a move is alone, whichever processes change and move', async () => {
    const under = { changes: 0, moves: 0 };
    const most = { changes: 0 };
    const work = async (kind: 'changes' | 'moves', ms: number): Promise<void> => {
      under[kind]++;
      most.changes = Math.max(most.changes, under.changes);
      if (under.moves > 0) expect(under).toEqual({ moves: 1, changes: 0 });
      await pause(ms);
      if (under.moves > 0) expect(under).toEqual({ moves: 1, changes: 0 });
      under[kind]--;
    };
    const asked: Promise<void>[] = [];
    for (let turn = 0; turn < 120; turn++) {
      const member = members[turn % 3];
      if (member === undefined) continue;
      if (turn % 17 === 0) asked.push(member.exclusive(() => work('moves', 3)));
      else asked.push(member.shared(() => work('changes', turn % 5)));
      if (turn % 10 === 0) await pause(4);
    }
    await Promise.all(asked);
    expect(most.changes).toBeGreaterThan(1);
  });

  test('a mover that has lost its lease records nothing more, and the next one begins after it has ended', async () => {
    const [first, second] = [1, 2].map(() => new SharedMoveLock({ ...parts, leaseMs: 100 })) as [
      SharedMoveLock,
      SharedMoveLock,
    ];
    await first.start();
    await second.start();
    const steps: string[] = [];
    let isLost = false;
    const lost = first.exclusive(async () => {
      steps.push('first begins');
      parts.leases.expire();
      isLost = true;
      try {
        // It reads what to move, in slices.
        for (let slice = 0; slice < 200; slice++) {
          await pause(5);
          first.assertHeld();
        }
        steps.push('first records');
      } finally {
        steps.push('first ends');
      }
    });
    const refused = expect(lost).rejects.toThrow('try again');
    await until(() => isLost);
    await second.exclusive(() => Promise.resolve(steps.push('second moves')));
    await refused;
    expect(steps).toEqual(['first begins', 'first ends', 'second moves']);
    for (const member of [first, second]) await member.stop();
  });

  test('neither a process that is gone nor a refused move blocks others for long', async () => {
    const [first, second] = members;
    await side.put('members', 'a-process-that-was-killed', { beat: 7 });
    const refused = first?.exclusive(() => Promise.reject(new Error('refused')));
    await expect(refused).rejects.toThrow('refused');
    expect(await side.get('members', 'a-process-that-was-killed')).toBeUndefined();
    await expect(second?.shared(() => Promise.resolve('done'))).resolves.toBe('done');
  });

  test('a mover that falls silent is not waited for', async () => {
    await parts.broadcast.publish('moves-begin', { term: 1_000, member: 'a-process-that-was-killed' });
    await expect(members[0]?.shared(() => Promise.resolve('done'))).resolves.toBe('done');
  });

  test('a live process that never answers fails the move, and does not block other changes', async () => {
    let beat = 0;
    const signing = setInterval(() => void side.put('members', 'deaf', { beat: ++beat }), 100);
    await side.put('members', 'deaf', { beat });
    const mover = new SharedMoveLock({ ...parts, waitMaxMs: 300 });
    let hasMoved = false;
    const move = mover.exclusive(() => Promise.resolve((hasMoved = true)));
    await expect(move).rejects.toThrow('try again');
    clearInterval(signing);
    await side.remove('members', 'deaf');
    expect(hasMoved).toBe(false);
    await expect(members[0]?.shared(() => Promise.resolve('done'))).resolves.toBe('done');
  });
});
