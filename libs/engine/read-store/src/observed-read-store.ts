import type { CallProbe, JsonObject } from '#kernel';
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
  KeyValueStore,
  type LeftOver,
  type Opening,
  ReadStore,
  type Rebuild,
  type SavedCheckpoint,
  type Standing,
  type Stored,
} from './read-store.js';

/** Read models whose calls pass a probe, by the name of the method. */
export class ObservedReadStore extends ReadStore {
  constructor(
    private readonly inner: ReadStore,
    private readonly probe: CallProbe,
  ) {
    super();
  }

  override async collection<Doc extends object>(schema: CollectionSchema, opening?: Opening): Promise<Collection<Doc>> {
    const collection = await this.probe('collection', () => this.inner.collection<Doc>(schema, opening));
    return new ObservedCollection(collection, this.probe);
  }

  override buildIndexes(): Promise<void> {
    return this.probe('buildIndexes', () => this.inner.buildIndexes());
  }

  override commit(commit: Commit): Promise<void> {
    return this.probe('commit', () => this.inner.commit(commit));
  }

  override checkpoint(name: string): Promise<SavedCheckpoint | undefined> {
    return this.probe('checkpoint', () => this.inner.checkpoint(name));
  }

  override standing(): Promise<Standing> {
    return this.probe('standing', () => this.inner.standing());
  }

  override startRebuild(schema: CollectionSchema): Promise<Rebuild> {
    return this.probe('startRebuild', () => this.inner.startRebuild(schema));
  }

  override shadow<Doc extends object>(rebuild: Rebuild): Collection<Doc> {
    return new ObservedCollection(this.inner.shadow<Doc>(rebuild), this.probe);
  }

  override indexRebuild(rebuild: Rebuild): Promise<void> {
    return this.probe('indexRebuild', () => this.inner.indexRebuild(rebuild));
  }

  override abandonRebuild(rebuild: Rebuild): Promise<void> {
    return this.probe('abandonRebuild', () => this.inner.abandonRebuild(rebuild));
  }

  override finishRebuild(schema: CollectionSchema, rebuild: Rebuild, keepSinceMs?: number): Promise<void> {
    return this.probe('finishRebuild', () => this.inner.finishRebuild(schema, rebuild, keepSinceMs));
  }

  override formers(schemas: readonly CollectionSchema[]): Promise<readonly FormerBuild[]> {
    return this.probe('formers', () => this.inner.formers(schemas));
  }

  override exchangeFormer(schema: CollectionSchema, sinceMs: number): Promise<void> {
    return this.probe('exchangeFormer', () => this.inner.exchangeFormer(schema, sinceMs));
  }

  override dropFormer(name: string): Promise<void> {
    return this.probe('dropFormer', () => this.inner.dropFormer(name));
  }

  override leftOvers(names: ReadonlySet<string>): Promise<readonly LeftOver[]> {
    return this.probe('leftOvers', () => this.inner.leftOvers(names));
  }

  override dropLeftOver(name: string): Promise<void> {
    return this.probe('dropLeftOver', () => this.inner.dropLeftOver(name));
  }

  override product(): Promise<string> {
    return this.inner.product();
  }

  override sizes(): Promise<ReadonlyMap<string, number>> {
    return this.probe('sizes', () => this.inner.sizes());
  }

  override close(closing?: Closing): Promise<void> {
    return this.inner.close(closing);
  }
}

export class ObservedCollection<Doc extends object> extends Collection<Doc> {
  constructor(
    private readonly inner: Collection<Doc>,
    private readonly probe: CallProbe,
  ) {
    super();
  }

  override get schema(): CollectionSchema {
    return this.inner.schema;
  }

  override get(key: Key): Promise<Doc | undefined> {
    return this.probe('get', () => this.inner.get(key));
  }

  override getMany(keys: readonly Key[]): Promise<Map<Key, Doc>> {
    return this.probe('getMany', () => this.inner.getMany(keys));
  }

  override find(find: Find): Promise<readonly Stored<Doc>[]> {
    return this.probe('find', () => this.inner.find(find));
  }

  override findFields(find: Find, fields: readonly string[]): Promise<readonly FieldsRow[]> {
    return this.probe('findFields', () => this.inner.findFields(find, fields));
  }

  override count(filter: Filter | undefined, atMost: number): Promise<number> {
    return this.probe('count', () => this.inner.count(filter, atMost));
  }
}

/** A key-value store whose calls pass a probe, by the name of the method. */
export class ObservedKeyValueStore extends KeyValueStore {
  constructor(
    private readonly inner: KeyValueStore,
    private readonly probe: CallProbe,
  ) {
    super();
  }

  override put(kind: string, id: string, value: JsonObject): Promise<void> {
    return this.probe('put', () => this.inner.put(kind, id, value));
  }

  override get(kind: string, id: string): Promise<JsonObject | undefined> {
    return this.probe('get', () => this.inner.get(kind, id));
  }

  override list(kind: string): Promise<readonly { readonly id: string; readonly value: JsonObject }[]> {
    return this.probe('list', () => this.inner.list(kind));
  }

  override remove(kind: string, id: string): Promise<void> {
    return this.probe('remove', () => this.inner.remove(kind, id));
  }

  override close(): Promise<void> {
    return this.inner.close();
  }
}
