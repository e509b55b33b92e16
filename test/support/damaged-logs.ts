import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Damage, type EventStore, type RecordedEvent, SqliteEventStore } from '#event-store';
import { scrollback } from '#runtime';
import { openLog } from '../../apps/cli/src/log-address.js';
import { verify, type Verified } from '../../apps/cli/src/verify.js';
import { tamperWithLog } from '../../libs/engine/event-store/src/sqlite/tamper.fixture.js';

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
    for (const end of ['', '.acknowledged']) copyFileSync(this.at(from) + end, this.at(to) + end);
  }

  /** Changes rows as a damaged file would hold them; everything is in the file itself then. */
  tamper(name: string, sql: string): void {
    tamperWithLog(this.at(name), sql);
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
