import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ReadStore, ReadStoreDamaged } from '../read-store.js';
import type {
  Collection,
  CollectionSchema,
  Commit,
  FormerBuild,
  Key,
  LeftOver,
  Opening,
  Rebuild,
  SavedCheckpoint,
  Standing,
} from '../read-store.js';
import { checkedName } from '../schema.js';
import { formerName, isFormer, isShadow, nameBeside, shadowName } from '../shadow-names.js';
import { catalogOf, type CatalogEntry, checkpointsOf, fingerprintOf, LAYOUT, sumOf } from './catalog.js';
import { DocumentTable } from './document-table.js';
import {
  dropFormerRelease,
  finishExchange,
  type FormerRelease,
  isOfRelease,
  isReleaseKept,
  keepRelease,
  nameRelease,
  releaseOf,
  returnToRelease,
} from './former-release.js';
import { SqliteCollection } from './sqlite-collection.js';
import type { LiveTable } from './sqlite-collection.js';
import { SqliteDatabase } from './sqlite-database.js';
import type { Bind } from './sqlite-database.js';
import { discard, discardIfUnsound, markDamaged, setAside, setAsideIfMarked, UnsyncedMark } from './unsynced-mark.js';
import { adoptSnapshot, dropSnapshot, dropSnapshotDraft, snapshotTakenAtMs, takeSnapshot } from './snapshot-file.js';
import { TableRemoval } from './table-removal.js';
import { tableCounts, tableSizes } from './table-sizes.js';
import { verifyFile } from './verify-file.js';

/** What an idle server can spare of its 150 MB; the operating system caches the rest of the file. */
const MEMORY = { cacheKib: 16_384, mappedBytes: 67_108_864 };

const TABLES =
  'CREATE TABLE catalog (name TEXT PRIMARY KEY, generation INTEGER NOT NULL, schema TEXT NOT NULL, sum INTEGER NOT NULL) WITHOUT ROWID;' +
  'CREATE TABLE checkpoints (name TEXT PRIMARY KEY, checkpoint TEXT NOT NULL, position INTEGER NOT NULL, sum INTEGER NOT NULL) WITHOUT ROWID;' +
  `PRAGMA user_version=${LAYOUT};`;

/** Names of tables: of collections, their generations and lists, and of parts of a full-text index. */
const TABLE_NAME = /^[\w.~-]+$/;

export type DiscardReason = 'crash' | 'damage';

interface Renamed {
  readonly name: string;
  /** Its name until now. */
  readonly from: string;
  readonly table: DocumentTable;
  /** Of a former build: when it was replaced. */
  readonly sinceMs?: number;
}

/**
 * Read models in one SQLite file of this process. A collection is a table per generation; a rebuild fills the next
 * generation and swaps the name over to it. Each read and commit runs in one turn of the event loop, so no reader sees
 * half of a commit or of a swap.
 */
export class SqliteReadStore extends ReadStore {
  #db: SqliteDatabase;
  readonly #live = new Map<string, LiveTable>();
  readonly #removal: TableRemoval;
  /** What the file has, read once: only this process writes it. Undefined until it is read, and when a step that changes it has failed. */
  #catalog: Map<string, CatalogEntry> | undefined;
  readonly #opening = randomUUID();
  /** Positions of the checkpoints: their rows are written with the last step of a commit. */
  readonly #positions = new Map<string, number>();
  #commits = 0;
  /** Number of collections that were swapped or dropped since. */
  #swaps = 0;
  /** Why the file was empty at the start, when that is unusual. */
  readonly discarded: DiscardReason | undefined;
  /** When the snapshot was made with which the file began at the start, in ms since the epoch; undefined when it did not. */
  readonly fromSnapshotMs: number | undefined;
  /** Called with each damage that is met. */
  onDamage: (damage: ReadStoreDamaged) => void = () => undefined;

  /** Whether the file is what this release had before another one. */
  readonly #isReturned: boolean;

  /** @param schemas what the release declares, as far as it can go on from what was kept of it */
  constructor(
    private readonly path: string,
    schemas?: readonly CollectionSchema[],
  ) {
    super();
    let discarded: DiscardReason | undefined;
    finishExchange(path);
    dropSnapshotDraft(path);
    if (discardIfUnsound(path)) discarded = 'crash';
    else if (setAsideIfMarked(path)) discarded = 'damage';
    const isReturned = schemas !== undefined && returnToRelease(path, releaseOf(schemas));
    // It is of the release that is left.
    if (isReturned) dropSnapshot(path);
    let fromSnapshotMs = adoptSnapshot(path);
    const openAgain = (error: unknown): SqliteDatabase => {
      if (!(error instanceof ReadStoreDamaged)) throw error;
      setAside(path);
      discarded = 'damage';
      fromSnapshotMs = adoptSnapshot(path);
      try {
        return this.#open();
      } catch (again) {
        if (fromSnapshotMs === undefined) throw again;
        return openAgain(again);
      }
    };
    try {
      this.#db = this.#open();
    } catch (error) {
      this.#db = openAgain(error);
    }
    this.#removal = new TableRemoval(this.#db);
    this.discarded = discarded;
    this.#isReturned = isReturned && discarded === undefined;
    this.fromSnapshotMs = fromSnapshotMs;
    for (const [name, { position }] of checkpointsOf(this.#db)) this.#positions.set(name, position);
  }

  /** Makes the next start begin anew. */
  markDamaged(): void {
    if (this.path !== ':memory:') markDamaged(this.path);
  }

  /** Bytes of the read models in the file. */
  get bytes(): number {
    const [[pages]] = this.#db.rows('PRAGMA page_count', []) as [[number]];
    const [[size]] = this.#db.rows('PRAGMA page_size', []) as [[number]];
    return pages * size;
  }

  /** When the snapshot was made from which a start without the file goes on, in ms since the epoch; undefined for none. */
  get snapshotTakenAtMs(): number | undefined {
    return snapshotTakenAtMs(this.path);
  }

  /** Makes a snapshot, in the background. @throws NoRoomForSnapshot; errors of the driver and of the file system */
  async takeSnapshot(signal: AbortSignal): Promise<void> {
    this.#db.commit();
    const swaps = this.#swaps;
    await takeSnapshot(this.path, () => this.#swaps === swaps, signal);
  }

  /**
   * Prepares the file for the release that it was opened for; no collection may have been opened. When another one declared some
   * otherwise, so that they are to be built from the log, all of them are kept beside, as they are. What is missing is created without
   * its indexes (`Opening`): readers open it before the engine does.
   * @throws NoRoomForSnapshot, after which the file can be used; errors of the driver and of the file system
   */
  async keepFormerRelease(schemas: readonly CollectionSchema[], signal: AbortSignal): Promise<FormerRelease> {
    const catalog = this.#entries();
    const changed = schemas.filter((schema) => {
      const entry = catalog.get(schema.name);
      return entry !== undefined && entry.schema !== fingerprintOf(schema);
    });
    const release = releaseOf(schemas);
    if (changed.length > 0) {
      this.#db.commit();
      // A file that began with the snapshot of a night is older than what was kept since.
      const isOlder = this.fromSnapshotMs !== undefined && isReleaseKept(this.path);
      if (!isOlder && !isOfRelease(this.path, release)) await this.#keep(release, signal);
    }
    // Before anything is removed: whoever goes back after a kill in between finds what was kept.
    nameRelease(this.path, release);
    // At once, so that a start that is interrupted now does not keep what it has begun to build.
    this.#changeCatalog(() => {
      for (const { name } of changed) {
        this.#drop(name);
        this.#forgetFormer(name)?.drop();
      }
    });
    for (const schema of schemas) await this.collection(schema, { isLoading: true });
    if (changed.length > 0) return isReleaseKept(this.path) ? 'kept' : 'none';
    return this.#isReturned ? 'returned' : 'none';
  }

  /** When there is no copy the release uses the file all the same, and it is no longer that of the former one. */
  async #keep(release: string, signal: AbortSignal): Promise<void> {
    try {
      await keepRelease(this.path, signal);
    } catch (error) {
      signal.throwIfAborted();
      nameRelease(this.path, release);
      throw error;
    }
  }

  /** Removes the kept file of another release that was made before that time. @returns whether there was one */
  dropFormerRelease(beforeMs: number): boolean {
    return dropFormerRelease(this.path, beforeMs);
  }

  /** Verifies structure and contents, in the background after `quickMs`. @throws ReadStoreDamaged */
  verify(quickMs: number, signal: AbortSignal): Promise<void> {
    return verifyFile(this.#db, this.#live, quickMs, signal);
  }

  /** Opens the file, with the tables of the store itself. One of another layout begins anew. */
  #open(): SqliteDatabase {
    const onDamage = (damage: ReadStoreDamaged): void => {
      this.onDamage(damage);
    };
    const connect = (): SqliteDatabase =>
      new SqliteDatabase(this.path, { ...MEMORY, mark: new UnsyncedMark(this.path), onDamage, isTrusted: true });
    let db = connect();
    try {
      if (db.rows('PRAGMA user_version', [])[0]?.[0] !== LAYOUT) {
        db.abandon();
        discard(this.path);
        db = connect();
        db.exec(TABLES);
      }
      dropUnfinished(db);
      return db;
    } catch (error) {
      db.abandon();
      throw error;
    }
  }

  override async collection<Doc extends object>(
    schema: CollectionSchema,
    { isLoading = false }: Opening = {},
  ): Promise<Collection<Doc>> {
    const fingerprint = fingerprintOf(schema);
    const entry = this.#entry(schema.name);
    if (entry?.schema !== fingerprint) {
      this.#saveCheckpoints();
      this.#changeCatalog(() => {
        const generation = this.#nextGeneration(schema.name);
        if (entry !== undefined) this.#drop(schema.name);
        this.#forgetFormer(schema.name)?.drop();
        const table = tableOf(this.#db, schema, generation);
        table.create();
        if (!isLoading) for (const statement of table.indexStatements()) this.#db.exec(statement);
        this.#enter(schema.name, generationOf(table), fingerprint);
      });
    }
    return new SqliteCollection<Doc>(schema, this.#follow(schema, entry?.schema !== fingerprint));
  }

  override async buildIndexes(): Promise<void> {
    // A process that died before may have left any without.
    for (const [name, { table }] of [...this.#live]) if (!isShadow(name)) await this.#index(table);
  }

  override async commit(commit: Commit): Promise<void> {
    if (!Number.isSafeInteger(commit.position)) throw new RangeError('A commit has a position.');
    this.#db.assertOpen();
    // One that only tells what was passed is for other processes.
    if (commit.writes.length === 0 && commit.prunes === undefined && commit.checkpoints === undefined) return;
    const writes = new Map<string, Map<Key, object | undefined>>();
    const fresh = new Map<string, Set<Key>>();
    for (const { collection, key, doc, fresh: isFresh } of commit.writes) {
      let ofCollection = writes.get(collection);
      if (ofCollection === undefined) {
        writes.set(collection, (ofCollection = new Map<Key, object | undefined>()));
        fresh.set(collection, new Set<Key>());
      }
      ofCollection.set(key, doc);
      if (isFresh === true) fresh.get(collection)?.add(key);
    }
    this.#db.transaction(() => {
      for (const [name, documents] of writes) this.#table(name).apply(documents, commit.position, fresh.get(name));
      for (const prune of commit.prunes ?? []) this.#table(prune.collection).prune(prune);
      if (commit.checkpoints !== undefined) this.#save(commit.checkpoints);
    }, commit.writes.length);
    for (const [name, { position }] of Object.entries(commit.checkpoints ?? {})) this.#positions.set(name, position);
    this.#commits++;
    this.#db.wrote(commit.writes.length + 1);
  }

  override async checkpoint(name: string): Promise<SavedCheckpoint | undefined> {
    this.#saveCheckpoints();
    return checkpointsOf(this.#db).get(name);
  }

  override async standing(): Promise<Standing> {
    return {
      making: `${this.#opening}.${this.#swaps}`,
      commits: this.#commits,
      positions: new Map(this.#positions),
    };
  }

  override async startRebuild(schema: CollectionSchema): Promise<Rebuild> {
    await this.collection(schema);
    const generation = this.#nextGeneration(schema.name);
    const shadow = shadowName(schema.name, generation);
    const table = tableOf(this.#db, schema, generation);
    this.#saveCheckpoints();
    this.#changeCatalog(() => {
      if (this.#entry(shadow) !== undefined) this.#drop(shadow);
      table.create();
      this.#enter(shadow, generation, fingerprintOf(schema));
    });
    this.#live.set(shadow, { table });
    return { shadow };
  }

  override shadow<Doc extends object>(rebuild: Rebuild): Collection<Doc> {
    const table = this.#table(rebuild.shadow);
    return new SqliteCollection<Doc>(table.schema, { table });
  }

  override async indexRebuild(rebuild: Rebuild): Promise<void> {
    await this.#index(this.#table(rebuild.shadow));
  }

  async #index(table: DocumentTable): Promise<void> {
    for (const statement of table.indexStatements()) {
      this.#db.exec(statement);
      await nextTurn();
    }
  }

  override async abandonRebuild({ shadow }: Rebuild): Promise<void> {
    if (!this.#live.delete(shadow)) return;
    this.#removeLater(() => this.#unhook(shadow));
  }

  override async finishRebuild(schema: CollectionSchema, rebuild: Rebuild, keepSinceMs?: number): Promise<void> {
    const { name } = schema;
    const { shadow } = rebuild;
    const table = this.#table(shadow);
    const live = this.#liveTable(name);
    const old = live.table;
    this.#saveCheckpoints();
    // It has what the rebuild mends.
    dropSnapshot(this.path);
    await this.dropFormer(name);
    const kept =
      keepSinceMs === undefined ? [] : [{ name: formerName(name), from: name, table: old, sinceMs: keepSinceMs }];
    this.#rename(schema, [{ name, from: shadow, table }, ...kept], table.indexStatements());
    live.table = table;
    this.#live.delete(shadow);
    if (kept.length > 0) this.#live.set(formerName(name), { table: old });
    else this.#removal.add(old);
  }

  override async formers(schemas: readonly CollectionSchema[]): Promise<readonly FormerBuild[]> {
    const known = new Map(schemas.map((schema) => [schema.name, schema]));
    const found: FormerBuild[] = [];
    for (const [shadow, { generation, schema: text }] of [...this.#entries()]) {
      if (!isFormer(shadow)) continue;
      const name = nameBeside(shadow);
      const schema = known.get(name);
      if (schema === undefined) {
        await this.dropFormer(name);
        continue;
      }
      if (!this.#live.has(shadow)) this.#live.set(shadow, { table: tableOf(this.#db, schema, generation) });
      found.push({ name, shadow, sinceMs: (JSON.parse(text) as { readonly sinceMs: number }).sinceMs });
    }
    return found;
  }

  override async exchangeFormer(schema: CollectionSchema, sinceMs: number): Promise<void> {
    const [live, former] = [this.#liveTable(schema.name), this.#liveTable(formerName(schema.name))];
    this.#saveCheckpoints();
    // It has what the operator does not want.
    dropSnapshot(this.path);
    const { name } = schema;
    this.#rename(schema, [
      { name, from: formerName(name), table: former.table },
      { name: formerName(name), from: name, table: live.table, sinceMs },
    ]);
    [live.table, former.table] = [former.table, live.table];
  }

  override async dropFormer(name: string): Promise<void> {
    this.#removeLater(() => this.#forgetFormer(name));
  }

  override async leftOvers(names: ReadonlySet<string>): Promise<readonly LeftOver[]> {
    const found = [...this.#entries()].filter(([name]) => !names.has(nameBeside(name)));
    if (found.length === 0) return [];
    const sizes = await this.sizes();
    const documents = await tableCounts(
      this.path,
      found.map(([name, { generation }]) => tableNameOf(name, generation)),
    );
    return found.map(([name], index) => ({
      name,
      documents: documents[index] ?? 0,
      bytes: sizes.get(name) ?? 0,
    }));
  }

  override async dropLeftOver(name: string): Promise<void> {
    if (this.#live.has(name)) throw new Error(`The collection ${name} is in use.`);
    if (this.#entry(name) === undefined) return;
    this.#removeLater(() => this.#unhook(name));
    this.#swaps++;
  }

  override async product(): Promise<string> {
    return `SQLite ${String(this.#db.rows('SELECT sqlite_version()', [])[0]?.[0])}`;
  }

  override async sizes(): Promise<ReadonlyMap<string, number>> {
    this.#db.commit();
    const byTable = new Map(
      [...this.#entries()].map(([name, { generation }]) => [tableNameOf(name, generation), name]),
    );
    const sizes = new Map<string, number>();
    for (const [table, bytes] of await tableSizes(this.path)) {
      // Lists, words and indexes are named after the table of their collection.
      const [base, generation] = table.replace(/^sqlite_autoindex_/, '').split('__');
      const name = byTable.get(`${base}__${generation?.replace(/_.*/, '')}`);
      if (name !== undefined) sizes.set(name, (sizes.get(name) ?? 0) + bytes);
    }
    return sizes;
  }

  override async close(): Promise<void> {
    await this.#removal.close();
    await this.#db.close();
  }

  /** Gives tables, with the checkpoints of their present names, other names, in one step that begins with the statements. */
  #rename(schema: CollectionSchema, renamed: readonly Renamed[], statements: readonly string[] = []): void {
    const names = new Set(renamed.flatMap((one) => [one.name, one.from]));
    const reached: Record<string, SavedCheckpoint> = {};
    this.#changeCatalog(() => {
      for (const statement of statements) this.#db.exec(statement);
      const checkpoints = checkpointsOf(this.#db);
      for (const name of names) this.#leave(name);
      for (const { name, from, table, sinceMs } of renamed) {
        this.#enter(name, generationOf(table), fingerprintOf(schema, sinceMs));
        const saved = checkpoints.get(from);
        if (saved !== undefined) reached[name] = saved;
      }
      this.#save(reached);
    });
    // Not before: a step that fails leaves all of it as it was.
    for (const name of names) this.#positions.delete(name);
    for (const [name, { position }] of Object.entries(reached)) this.#positions.set(name, position);
    this.#swaps++;
  }

  /** @returns its table, which is left. Inside a transaction. */
  #forgetFormer(name: string): DocumentTable | undefined {
    const former = formerName(name);
    this.#live.delete(former);
    return this.#unhook(former);
  }

  /** Takes a collection out of the catalog. Its table is dropped in the background. */
  #removeLater(unhook: () => DocumentTable | undefined): void {
    let table: DocumentTable | undefined;
    this.#saveCheckpoints();
    this.#changeCatalog(() => {
      table = unhook();
    });
    if (table !== undefined) this.#removal.add(table);
  }

  #nextGeneration(name: string): number {
    const catalog = this.#entries();
    const known = [name, formerName(name)].map((one) => catalog.get(one)?.generation ?? 0);
    const leaving = this.#removal.tables.filter(({ schema }) => schema.name === name).map(generationOf);
    return Math.max(0, ...known, ...leaving) + 1;
  }

  /** Only those of the last step before the commit count, so the others are not written. */
  #save(checkpoints: NonNullable<Commit['checkpoints']>): void {
    const names = Object.keys(checkpoints);
    if (names.length === 0) return;
    const values = Array<string>(names.length).fill('(?, ?, ?, ?)').join(', ');
    this.#db.runLast(names.join(), `INSERT OR REPLACE INTO checkpoints VALUES ${values}`, () =>
      Object.entries(checkpoints).flatMap(([name, { checkpoint, position }]): Bind[] => {
        return [name, checkpoint, position, sumOf(name, checkpoint, position)];
      }),
    );
  }

  /** Drops a collection with its checkpoint. Inside a transaction. */
  #drop(name: string): void {
    this.#unhook(name)?.drop();
    this.#swaps++;
  }

  /** Writes the checkpoints so far, before their table is used. */
  #saveCheckpoints(): void {
    this.#db.commit();
  }

  #table(name: string): DocumentTable {
    return this.#liveTable(name).table;
  }

  #liveTable(name: string): LiveTable {
    const live = this.#live.get(name);
    if (live === undefined) throw new Error(`There is no collection ${name}.`);
    return live;
  }

  /** The table that all users of the collection share. */
  #follow(schema: CollectionSchema, moved: boolean): LiveTable {
    const known = this.#live.get(schema.name);
    if (known !== undefined && !moved) return known;
    const generation = this.#entry(schema.name)?.generation ?? 1;
    const table = tableOf(this.#db, schema, generation);
    if (known === undefined) {
      const live = { table };
      this.#live.set(schema.name, live);
      return live;
    }
    known.table = table;
    return known;
  }

  #entry(name: string): CatalogEntry | undefined {
    return this.#entries().get(name);
  }

  #entries(): Map<string, CatalogEntry> {
    return (this.#catalog ??= catalogOf(this.#db));
  }

  /** Runs a step that changes the catalog. */
  #changeCatalog(work: () => void): void {
    try {
      this.#db.transaction(work);
    } catch (error) {
      this.#catalog = undefined;
      throw error;
    }
  }

  #enter(name: string, generation: number, schema: string): void {
    this.#db.run('INSERT INTO catalog VALUES (?, ?, ?, ?)', [
      name,
      generation,
      schema,
      sumOf(name, generation, schema),
    ]);
    this.#entries().set(name, { generation, schema });
  }

  /** Inside a transaction. */
  #leave(name: string): void {
    forget(this.#db, name);
    this.#entries().delete(name);
  }

  /** Takes a collection, with its checkpoint, out of the catalog. @returns its table, which is left. Inside a transaction. */
  #unhook(name: string): DocumentTable | undefined {
    const entry = this.#entry(name);
    this.#positions.delete(name);
    if (entry === undefined) return undefined;
    this.#leave(name);
    return declaredTable(this.#db, entry);
  }
}

/** The table of a collection as declared when it was created. */
function declaredTable(db: SqliteDatabase, { generation, schema: text }: CatalogEntry): DocumentTable {
  const { schema } = JSON.parse(text) as { schema: CollectionSchema };
  return tableOf(db, schema, generation);
}

/** Inside a transaction. */
function forget(db: SqliteDatabase, name: string): void {
  db.run('DELETE FROM catalog WHERE name = ?', [name]);
  db.run('DELETE FROM checkpoints WHERE name = ?', [name]);
}

/**
 * Drops tables of rebuilds whose process ended, and tables that a swap had no time to drop.
 * @throws ReadStoreDamaged also where the catalog has lost a row, which no checksum of a row shows
 */
function dropUnfinished(db: SqliteDatabase): void {
  db.transaction(() => {
    const checkpoints = checkpointsOf(db);
    const catalog = catalogOf(db);
    for (const [name, entry] of catalog) {
      if (!isShadow(name)) continue;
      declaredTable(db, entry).drop();
      forget(db, name);
      catalog.delete(name);
    }
    const kept = [...catalog].map(([name, { generation }]) => tableNameOf(name, generation));
    const tables = db.rows(
      "SELECT CAST(name AS BLOB) FROM sqlite_schema WHERE type = 'table' AND name LIKE '%\\_\\_%' ESCAPE '\\'",
      [],
    );
    for (const [name] of tables) {
      const table = String(name);
      if (!TABLE_NAME.test(table)) throw db.damaged('a table has no name');
      const isKept = kept.some((one) => table === one || table.startsWith(`${one}__`));
      // An entry and its checkpoint come and go in one step. An empty collection in its place would be shown as one that is up to date.
      const [base = ''] = table.split('__');
      if (!catalog.has(base) && checkpoints.has(base)) throw db.damaged('its catalog has lost a collection');
      if (!isKept) db.exec(`DROP TABLE IF EXISTS "${table}"`);
    }
  });
}

/** Name of the table of a collection, a shadow or a former build. */
function tableNameOf(name: string, generation: number): string {
  return `${nameBeside(name)}__${generation}`;
}

function tableOf(db: SqliteDatabase, schema: CollectionSchema, generation: number): DocumentTable {
  // Two underscores separate a table's name from its generation and its list fields.
  if (schema.name.includes('__')) throw new Error(`Not a name for a collection: ${schema.name}`);
  return new DocumentTable(db, schema, `${checkedName(schema.name, 'collection')}__${generation}`);
}

function generationOf(table: DocumentTable): number {
  return Number(table.name.slice(table.name.lastIndexOf('__') + 2));
}
