import { Collection } from '../read-store.js';
import type { CollectionSchema, Filter, Find, Key, Stored } from '../read-store.js';
import type { DocumentTable } from './document-table.js';
import { Search } from './search.js';

/** Where a collection's documents are now. A rebuild's swap changes it under all who hold it. */
export interface LiveTable {
  table: DocumentTable;
}

export class SqliteCollection<Doc extends object> extends Collection<Doc> {
  constructor(
    readonly schema: CollectionSchema,
    private readonly live: LiveTable,
  ) {
    super();
  }

  override async get(key: Key): Promise<Doc | undefined> {
    return this.live.table.get(key) as Doc | undefined;
  }

  override async getMany(keys: readonly Key[]): Promise<Map<Key, Doc>> {
    return this.live.table.getMany<Doc>(keys);
  }

  override async find(find: Find): Promise<readonly Stored<Doc>[]> {
    return new Search(this.live.table).find<Doc>(find);
  }

  override async count(filter: Filter | undefined, atMost: number): Promise<number> {
    return new Search(this.live.table).count(filter, atMost);
  }
}
