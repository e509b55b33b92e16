import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Checkpoint } from '#event-store';
import { ReadStore } from '../read-store.js';
import type { Collection, CollectionSchema, Commit, Key, Rebuild, SavedCheckpoint } from '../read-store.js';
import { canonicalSchema, checkedName } from '../schema.js';
import { DocumentTable } from './document-table.js';
import { SqliteCollection } from './sqlite-collection.js';
import type { LiveTable } from './sqlite-collection.js';
import { SqliteDatabase } from './sqlite-database.js';
import type { Bind } from './sqlite-database.js';
import { discardIfUnsound, UnsyncedMark } from './unsynced-mark.js';

/** What an idle server can spare of its 150 MB; the operating system caches the rest of the file. */
const MEMORY = { cacheKib: 16_384, mappedBytes: 67_108_864 };

/** Version of the document layout. Another value makes every collection be rebuilt from the log. */
const LAYOUT = 1;

const SHADOW_MARK = '~';

/**
 * Read models in one SQLite file of this process. A collection is a table per generation; a rebuild fills the next
 * generation and swaps the name over to it. Each read and commit runs in one turn of the event loop, so no reader sees
 * half of a commit or of a swap.
 */
export class SqliteReadStore extends ReadStore {
  readonly #db: SqliteDatabase;
  readonly #live = new Map<string, LiveTable>();

  /** A crash of the machine may have damaged the file, so it starts empty. */
  readonly isDiscarded: boolean;

  constructor(path: string) {
    super();
    const mark = new UnsyncedMark(path);
    this.isDiscarded = discardIfUnsound(path, mark);
    this.#db = new SqliteDatabase(path, { ...MEMORY, mark });
    this.#db.exec(
      'CREATE TABLE IF NOT EXISTS catalog (name TEXT PRIMARY KEY, generation INTEGER NOT NULL, schema TEXT NOT NULL) WITHOUT ROWID;' +
        'CREATE TABLE IF NOT EXISTS checkpoints (name TEXT PRIMARY KEY, checkpoint TEXT NOT NULL, position INTEGER NOT NULL) WITHOUT ROWID;',
    );
    this.#dropUnfinished();
  }

  override async collection<Doc extends object>(schema: CollectionSchema): Promise<Collection<Doc>> {
    const fingerprint = fingerprintOf(schema);
    const entry = this.#entry(schema.name);
    if (entry?.schema !== fingerprint) {
      this.#saveCheckpoints();
      this.#db.transaction(() => {
        if (entry !== undefined) this.#dropEntry(schema.name);
        const table = this.#tableOf(schema, (entry?.generation ?? 0) + 1);
        table.create();
        for (const statement of table.indexStatements()) this.#db.exec(statement);
        this.#db.run('INSERT INTO catalog VALUES (?, ?, ?)', [schema.name, generationOf(table), fingerprint]);
      });
    }
    return new SqliteCollection<Doc>(schema, this.#follow(schema, entry?.schema !== fingerprint));
  }

  override async commit(commit: Commit): Promise<void> {
    if (!Number.isSafeInteger(commit.position)) throw new RangeError('A commit has a position.');
    const writes = new Map<string, Map<Key, object | undefined>>();
    for (const { collection, key, doc } of commit.writes) {
      let ofCollection = writes.get(collection);
      if (ofCollection === undefined) writes.set(collection, (ofCollection = new Map<Key, object | undefined>()));
      ofCollection.set(key, doc);
    }
    this.#db.transaction(() => {
      for (const [name, documents] of writes) this.#table(name).apply(documents, commit.position);
      for (const prune of commit.prunes ?? []) this.#table(prune.collection).prune(prune);
      if (commit.checkpoints !== undefined) this.#save(commit.checkpoints);
    }, commit.writes.length);
    this.#db.wrote(commit.writes.length + 1);
  }

  override async checkpoint(name: string): Promise<SavedCheckpoint | undefined> {
    this.#saveCheckpoints();
    const [row] = this.#db.rows('SELECT checkpoint, position FROM checkpoints WHERE name = ?', [name]);
    return row === undefined ? undefined : { checkpoint: row[0] as Checkpoint, position: row[1] as number };
  }

  override async startRebuild(schema: CollectionSchema): Promise<Rebuild> {
    await this.collection(schema);
    const generation = (this.#entry(schema.name)?.generation ?? 0) + 1;
    const shadow = `${schema.name}${SHADOW_MARK}${generation}`;
    const table = this.#tableOf(schema, generation);
    this.#saveCheckpoints();
    this.#db.transaction(() => {
      if (this.#entry(shadow) !== undefined) this.#dropEntry(shadow);
      table.create();
      this.#db.run('INSERT INTO catalog VALUES (?, ?, ?)', [shadow, generation, fingerprintOf(schema)]);
    });
    this.#live.set(shadow, { table });
    return { shadow };
  }

  override shadow<Doc extends object>(rebuild: Rebuild): Collection<Doc> {
    const table = this.#table(rebuild.shadow);
    return new SqliteCollection<Doc>(table.schema, { table });
  }

  override async indexRebuild(rebuild: Rebuild): Promise<void> {
    for (const statement of this.#table(rebuild.shadow).indexStatements()) {
      this.#db.exec(statement);
      await nextTurn();
    }
  }

  override async finishRebuild(schema: CollectionSchema, rebuild: Rebuild): Promise<void> {
    const table = this.#table(rebuild.shadow);
    const live = this.#live.get(schema.name);
    if (live === undefined) throw new Error(`There is no collection ${schema.name}.`);
    const old = live.table;
    this.#saveCheckpoints();
    this.#db.transaction(() => {
      for (const statement of table.indexStatements()) this.#db.exec(statement);
      this.#db.run('DELETE FROM catalog WHERE name IN (?, ?)', [schema.name, rebuild.shadow]);
      this.#db.run('INSERT INTO catalog VALUES (?, ?, ?)', [schema.name, generationOf(table), fingerprintOf(schema)]);
      this.#db.run('DELETE FROM checkpoints WHERE name = ?', [schema.name]);
      this.#db.run('UPDATE checkpoints SET name = ? WHERE name = ?', [schema.name, rebuild.shadow]);
    });
    live.table = table;
    this.#live.delete(rebuild.shadow);
    this.#db.transaction(() => old.drop());
  }

  override async close(): Promise<void> {
    await this.#db.close();
  }

  /** Only those of the last step before the commit count, so the others are not written. */
  #save(checkpoints: NonNullable<Commit['checkpoints']>): void {
    const params: Bind[] = [];
    for (const [name, { checkpoint, position }] of Object.entries(checkpoints)) params.push(name, checkpoint, position);
    const rows = params.length / 3;
    if (rows === 0) return;
    const values = Array<string>(rows).fill('(?, ?, ?)').join(', ');
    const names = Object.keys(checkpoints).join();
    this.#db.runLast(names, `INSERT OR REPLACE INTO checkpoints VALUES ${values}`, params);
  }

  /** Writes the checkpoints so far, before their table is used. */
  #saveCheckpoints(): void {
    this.#db.commit();
  }

  #table(name: string): DocumentTable {
    const live = this.#live.get(name);
    if (live === undefined) throw new Error(`There is no collection ${name}.`);
    return live.table;
  }

  /** The table that all users of the collection share. */
  #follow(schema: CollectionSchema, moved: boolean): LiveTable {
    const known = this.#live.get(schema.name);
    if (known !== undefined && !moved) return known;
    const generation = this.#entry(schema.name)?.generation ?? 1;
    const table = this.#tableOf(schema, generation);
    if (known === undefined) {
      const live = { table };
      this.#live.set(schema.name, live);
      return live;
    }
    known.table = table;
    return known;
  }

  #tableOf(schema: CollectionSchema, generation: number): DocumentTable {
    // Two underscores separate a table's name from its generation and its list fields.
    if (schema.name.includes('__')) throw new Error(`Not a name for a collection: ${schema.name}`);
    return new DocumentTable(this.#db, schema, `${checkedName(schema.name, 'collection')}__${generation}`);
  }

  #entry(name: string): { readonly generation: number; readonly schema: string } | undefined {
    const [row] = this.#db.rows('SELECT generation, schema FROM catalog WHERE name = ?', [name]);
    return row === undefined ? undefined : { generation: row[0] as number, schema: row[1] as string };
  }

  /** Drops a collection as declared when it was created, and its checkpoint. Inside a transaction. */
  #dropEntry(name: string): void {
    const entry = this.#entry(name);
    if (entry === undefined) return;
    const { schema } = JSON.parse(entry.schema) as { schema: CollectionSchema };
    this.#tableOf(schema, entry.generation).drop();
    this.#db.run('DELETE FROM catalog WHERE name = ?', [name]);
    this.#db.run('DELETE FROM checkpoints WHERE name = ?', [name]);
  }

  /** Drops tables of rebuilds whose process ended, and tables that a swap had no time to drop. */
  #dropUnfinished(): void {
    this.#db.transaction(() => {
      const names = this.#db.rows('SELECT name FROM catalog', []).map(([name]) => name as string);
      for (const name of names) if (name.includes(SHADOW_MARK)) this.#dropEntry(name);
      const kept = this.#db
        .rows("SELECT name || '__' || generation FROM catalog", [])
        .map(([table]) => table as string);
      const tables = this.#db.rows(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE '%\\_\\_%' ESCAPE '\\'",
        [],
      );
      for (const [table] of tables as string[][]) {
        const isKept = kept.some((name) => table === name || table?.startsWith(`${name}__`));
        if (!isKept) this.#db.exec(`DROP TABLE IF EXISTS "${table ?? ''}"`);
      }
    });
  }
}

/** The schema as it is stored. */
function fingerprintOf(schema: CollectionSchema): string {
  return JSON.stringify({ layout: LAYOUT, schema: canonicalSchema(schema) });
}

function generationOf(table: DocumentTable): number {
  return Number(table.name.slice(table.name.lastIndexOf('__') + 2));
}
