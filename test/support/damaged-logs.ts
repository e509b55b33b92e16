import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { type Damage, type EventStore, type RecordedEvent, SqliteEventStore } from '#event-store';
import { scrollback } from '#runtime';
import { openLog } from '../../apps/cli/src/log-address.js';
import { verify, type Verified } from '../../apps/cli/src/verify.js';
import { tamperWithLog } from '../../libs/engine/event-store/src/sqlite/tamper.fixture.js';

/** Ways to damage a record, by its position and another's. */
const WAYS = {
  data: (at: number) => `UPDATE events SET data = replace(data, 'hash', 'hush') WHERE position = ${at}`,
  'no JSON': (at: number) => `UPDATE events SET data = substr(data, 2) WHERE position = ${at}`,
  'no text': (at: number) => `UPDATE events SET data = CAST(x'fffe' AS TEXT) WHERE position = ${at}`,
  checksum: (at: number) => `UPDATE events SET checksum = checksum + 1 WHERE position = ${at}`,
  time: (at: number) => `UPDATE events SET recorded_at_ms = recorded_at_ms + 1 WHERE position = ${at}`,
  metadata: (at: number) => `UPDATE events SET metadata = 'x' WHERE position = ${at}`,
  id: (at: number) => `UPDATE events SET event_id = x'0011' WHERE position = ${at}`,
  type: (at: number) => `UPDATE events SET type_id = 99 WHERE position = ${at}`,
  stream: (at: number) => `UPDATE events SET stream_id = 1000 + position WHERE position = ${at}`,
  revision: (at: number) => `UPDATE events SET revision = revision + 10000 WHERE position = ${at}`,
  cut: (at: number) => `DELETE FROM events WHERE position = ${at}`,
  swapped: (at: number, other: number) =>
    `UPDATE events SET position = -1 WHERE position = ${at};
     UPDATE events SET position = ${at} WHERE position = ${other};
     UPDATE events SET position = ${other} WHERE position = -1`,
};

type Way = keyof typeof WAYS;

/** Damage to some records of a log: ways, each with a place of two records. */
export function damagesOf(events: number): fc.Arbitrary<[Way, number][]> {
  return fc.uniqueArray(
    fc.tuple(fc.constantFrom(...(Object.keys(WAYS) as Way[])), fc.integer({ min: 1, max: events / 2 })),
    { minLength: 1, maxLength: 30, selector: ([, place]) => place },
  );
}

/** Logs in a folder, to damage. */
export class DamagedLogs {
  readonly folder = mkdtempSync(join(tmpdir(), 'damaged-log-'));

  at(name: string): string {
    return join(this.folder, name);
  }

  /** Appends events to streams in turn. */
  async append(name: string, count: number, streamCount = 1): Promise<void> {
    const store = SqliteEventStore.open(this.at(name), scrollback.registry);
    for (let index = 0; index < count; index++) {
      const data = { userId: index + 1, generation: 1, hash: `hash-${'x'.repeat(index % 700)}`, at: 1 };
      const id = `00000000-0000-4000-8000-${String(index + 1).padStart(12, '0')}`;
      await store.append(`1.user-${index % streamCount}`, 'any', [{ id, type: 'user.api-key-issued.v1', data }]);
    }
    await store.close();
  }

  copy(from: string, to: string): void {
    for (const end of ['', '-wal', '-shm']) rmSync(this.at(to) + end, { force: true });
    for (const end of ['.damaged', '.repairs']) rmSync(this.at(to) + end, { force: true });
    for (const end of ['', '.acknowledged']) copyFileSync(this.at(from) + end, this.at(to) + end);
  }

  /** Changes rows as a damaged file would hold them; everything is in the file itself then. */
  tamper(name: string, sql: string): void {
    tamperWithLog(this.at(name), sql);
  }

  /** @returns the positions that are damaged then */
  damage(name: string, chosen: readonly (readonly [Way, number])[]): ReadonlySet<number> {
    const damaged = new Set<number>();
    for (const [way, place] of chosen) {
      const [at, other] = [2 * place - 1, 2 * place];
      this.tamper(name, WAYS[way](at, other));
      damaged.add(at);
      if (way === 'swapped') damaged.add(other);
    }
    return damaged;
  }

  /** Each row of each table, as it is stored. */
  rows(name: string): readonly unknown[][] {
    const path = this.at(name);
    const columns = ['event_id', 'data', 'metadata'].map((column) => `hex(${column})`).join();
    return [
      ...tamperWithLog(
        path,
        `SELECT position, stream_id, revision, type_id, recorded_at_ms, checksum, ${columns} FROM events`,
      ),
      ...tamperWithLog(path, 'SELECT id, name FROM streams ORDER BY id'),
      ...tamperWithLog(path, 'SELECT id, name FROM event_types ORDER BY id'),
    ];
  }

  flip(name: string, byte: number, bit: number): void {
    const bytes = readFileSync(this.at(name));
    bytes[byte] = (bytes[byte] ?? 0) ^ (1 << bit);
    writeFileSync(this.at(name), bytes);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }

  async verify(name: string): Promise<Verified & { readonly damages: Damage[]; readonly whole: RecordedEvent[] }> {
    const store = await openLog(`sqlite:${this.at(name)}`);
    try {
      return await verifying(store, this.at(name));
    } finally {
      await store.close();
    }
  }
}

export async function verifying(
  store: Pick<EventStore, 'readAll' | 'head'>,
  file: string | undefined,
): Promise<Verified & { readonly damages: Damage[]; readonly whole: RecordedEvent[] }> {
  const damages: Damage[] = [];
  const whole: RecordedEvent[] = [];
  const { registry } = scrollback;
  const onDamage = (damage: Damage): void => void damages.push(damage);
  const look = (event: RecordedEvent): void => void whole.push(event);
  return { ...(await verify({ store, file, registry, onDamage, look })), damages, whole };
}

/** Whether one of them names the position. */
export function names(damages: readonly Damage[], position: number): boolean {
  return damages.some(({ position: first, through = first }) => first <= position && position <= through);
}
