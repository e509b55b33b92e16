import { setTimeout as pause } from 'node:timers/promises';
import type { Key } from '../read-store.js';
import { openAsyncConnection } from './async-connection.js';
import type { DocumentTable } from './document-table.js';
import type { LiveTable } from './sqlite-collection.js';
import type { SqliteDatabase } from './sqlite-database.js';

/** Verified at a time: as many documents as take this long, since one of them may have thousands of words. */
const SLICE_MS = 3;
const DOCUMENTS_PER_SLICE_MAX = 100;
/** In the background, a tenth of a core. */
const REST_PER_WORK = 9;

/**
 * Verifies the structure of a file on a thread of the driver, then each document and the lists that name it. At full speed for
 * `quickMs`, and then in the background.
 * @throws ReadStoreDamaged
 */
export async function verifyFile(
  db: SqliteDatabase,
  live: ReadonlyMap<string, LiveTable>,
  quickMs: number,
  signal: AbortSignal,
): Promise<void> {
  const startedMs = performance.now();
  let count = 1;
  if (db.path !== ':memory:') await verifyStructure(db, signal);
  for (const name of [...live.keys()]) {
    let after: Key | undefined;
    let verified: DocumentTable | undefined;
    do {
      const sliceMs = performance.now();
      if (signal.aborted) return;
      const table = live.get(name)?.table;
      // A former build, or a rebuild, that was dropped.
      if (table === undefined) break;
      // A rebuild has replaced it.
      if (table !== verified) [verified, after] = [table, undefined];
      after = table.verify(after, count);
      const nowMs = performance.now();
      const fitting = Math.floor((count * SLICE_MS) / (nowMs - sliceMs + 0.01));
      count = Math.max(1, Math.min(fitting, 2 * count, DOCUMENTS_PER_SLICE_MAX));
      await pause(nowMs - startedMs < quickMs ? 0 : REST_PER_WORK * (nowMs - sliceMs), undefined, { ref: false });
    } while (after !== undefined);
  }
}

async function verifyStructure(db: SqliteDatabase, signal: AbortSignal): Promise<void> {
  const connection = openAsyncConnection(db.path);
  let answer: string;
  try {
    // One row, which the thread finds. The words of SQLite may quote what is damaged.
    const sql = 'SELECT CAST(integrity_check AS BLOB) FROM pragma_integrity_check(1)';
    const [row] = await (await connection.prepare(sql)).raw().all([]);
    answer = String(row?.[0]);
  } catch (cause) {
    if (signal.aborted) return;
    throw db.damaged('SQLite cannot verify it', { cause });
  } finally {
    connection.close();
  }
  if (answer !== 'ok' && !signal.aborted) throw db.damaged('its structure is not sound');
}
