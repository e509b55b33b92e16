import {
  type Closing,
  Collection,
  type CollectionSchema,
  type Commit,
  type FieldsRow,
  type Filter,
  type Find,
  type FormerBuild,
  type Key,
  type LeftOver,
  type Opening,
  ReadStore,
  ReadStoreUnavailable,
  type Rebuild,
  type SavedCheckpoint,
  type Standing,
  type Stored,
} from './read-store.js';

/**
 * Read models of a process that stands by: what uses them is built before the process may write, and gets the writer when it may.
 * Until then a collection can be had, and every question is refused with `ReadStoreUnavailable`.
 */
export class StandbyReadStore extends ReadStore {
  #writer: ReadStore | undefined;

  /** From now on, everything is asked of it. */
  become(writer: ReadStore): void {
    this.#writer = writer;
  }

  override async collection<Doc extends object>(schema: CollectionSchema, opening?: Opening): Promise<Collection<Doc>> {
    if (this.#writer !== undefined) return this.#writer.collection<Doc>(schema, opening);
    return new StandbyCollection<Doc>(schema, () => this.#given.collection<Doc>(schema));
  }

  override async buildIndexes(): Promise<void> {
    await this.#given.buildIndexes();
  }

  override async commit(commit: Commit): Promise<void> {
    await this.#given.commit(commit);
  }

  override async checkpoint(name: string): Promise<SavedCheckpoint | undefined> {
    return this.#given.checkpoint(name);
  }

  override async standing(): Promise<Standing> {
    return this.#given.standing();
  }

  override async startRebuild(schema: CollectionSchema): Promise<Rebuild> {
    return this.#given.startRebuild(schema);
  }

  override shadow<Doc extends object>(rebuild: Rebuild): Collection<Doc> {
    return this.#given.shadow(rebuild);
  }

  override async indexRebuild(rebuild: Rebuild): Promise<void> {
    await this.#given.indexRebuild(rebuild);
  }

  override async abandonRebuild(rebuild: Rebuild): Promise<void> {
    await this.#given.abandonRebuild(rebuild);
  }

  override async finishRebuild(schema: CollectionSchema, rebuild: Rebuild, keepSinceMs?: number): Promise<void> {
    await this.#given.finishRebuild(schema, rebuild, keepSinceMs);
  }

  override async formers(schemas: readonly CollectionSchema[]): Promise<readonly FormerBuild[]> {
    return this.#given.formers(schemas);
  }

  override async exchangeFormer(schema: CollectionSchema, sinceMs: number): Promise<void> {
    await this.#given.exchangeFormer(schema, sinceMs);
  }

  override async dropFormer(name: string): Promise<void> {
    await this.#given.dropFormer(name);
  }

  override async leftOvers(names: ReadonlySet<string>): Promise<readonly LeftOver[]> {
    return this.#given.leftOvers(names);
  }

  override async dropLeftOver(name: string): Promise<void> {
    await this.#given.dropLeftOver(name);
  }

  override async product(): Promise<string> {
    return this.#given.product();
  }

  override async sizes(): Promise<ReadonlyMap<string, number>> {
    return this.#given.sizes();
  }

  override async close(closing?: Closing): Promise<void> {
    await this.#writer?.close(closing);
  }

  get #given(): ReadStore {
    if (this.#writer === undefined) throw new ReadStoreUnavailable('This process stands by, and does not write yet.');
    return this.#writer;
  }
}

/** A collection that is opened by the first question to it. */
class StandbyCollection<Doc extends object> extends Collection<Doc> {
  #opened: Promise<Collection<Doc>> | undefined;

  constructor(
    override readonly schema: CollectionSchema,
    private readonly open: () => Promise<Collection<Doc>>,
  ) {
    super();
  }

  override async get(key: Key): Promise<Doc | undefined> {
    return (await this.#collection()).get(key);
  }

  override async getMany(keys: readonly Key[]): Promise<Map<Key, Doc>> {
    return (await this.#collection()).getMany(keys);
  }

  override async find(find: Find): Promise<readonly Stored<Doc>[]> {
    return (await this.#collection()).find(find);
  }

  override async findFields(find: Find, fields: readonly string[]): Promise<readonly FieldsRow[]> {
    return (await this.#collection()).findFields(find, fields);
  }

  override async count(filter: Filter | undefined, atMost: number): Promise<number> {
    return (await this.#collection()).count(filter, atMost);
  }

  /** A failure is not kept: the next question opens it again. */
  async #collection(): Promise<Collection<Doc>> {
    this.#opened ??= this.open();
    try {
      return await this.#opened;
    } catch (error) {
      this.#opened = undefined;
      throw error;
    }
  }
}
