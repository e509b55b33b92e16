import { crc32 } from 'node:zlib';
import type { Checkpoint } from '#event-store';
import type { CollectionSchema, SavedCheckpoint } from '../read-store.js';
import { canonicalSchema } from '../schema.js';
import type { SqliteDatabase } from './sqlite-database.js';

/** Version of the layout of tables. A file with another one is rebuilt from the log: its documents have no checksums, for instance. */
export const LAYOUT = 2;

/** What the catalog has of a collection, a shadow or a former build. */
export interface CatalogEntry {
  readonly generation: number;
  /** As `fingerprintOf`. */
  readonly schema: string;
}

/** @throws ReadStoreDamaged */
export function catalogOf(db: SqliteDatabase): Map<string, CatalogEntry> {
  const columns = 'CAST(name AS BLOB), generation + 0, CAST(schema AS BLOB), sum + 0';
  return verified(db, `SELECT ${columns} FROM catalog`, (generation, schema) => {
    return { generation: generation as number, schema: schema as string };
  });
}

/** @throws ReadStoreDamaged */
export function checkpointsOf(db: SqliteDatabase): Map<string, SavedCheckpoint> {
  const columns = 'CAST(name AS BLOB), CAST(checkpoint AS BLOB), position + 0, sum + 0';
  return verified(db, `SELECT ${columns} FROM checkpoints`, (checkpoint, position) => {
    return { checkpoint: checkpoint as Checkpoint, position: position as number };
  });
}

function verified<Value>(
  db: SqliteDatabase,
  sql: string,
  of: (one: string | number, other: string | number) => Value,
): Map<string, Value> {
  const rows = db.rows(sql, []).map((row) => row.map((value) => (Buffer.isBuffer(value) ? value.toString() : value)));
  return new Map(
    (rows as [string, string | number, string | number, number][]).map(([name, one, other, sum]) => {
      if (sumOf(name, one, other) !== sum) throw db.damaged('its catalog is not what was written');
      return [name, of(one, other)];
    }),
  );
}

export function sumOf(...values: readonly (string | number)[]): number {
  return crc32(values.join('\n')) | 0;
}

/** The schema as it is stored; of a former build with the time at which it was replaced. */
export function fingerprintOf(schema: CollectionSchema, sinceMs?: number): string {
  return JSON.stringify({ layout: LAYOUT, schema: canonicalSchema(schema), sinceMs });
}
