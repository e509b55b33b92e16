import { setImmediate as nextTurn } from 'node:timers/promises';
import { Collection } from '../read-store.js';
import type { CollectionSchema, FieldsRow, Filter, Find, Key, Stored } from '../read-store.js';
import type { DocumentTable } from './document-table.js';
import { Search } from './search.js';

/** Current table of a collection. A rebuild's swap changes it for all its users. */
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
    return this.#search((search) => search.find<Doc>(find));
  }

  override async findFields(find: Find, fields: readonly string[]): Promise<readonly FieldsRow[]> {
    return this.#search((search) => search.findFields(find, fields));
  }

  override async count(filter: Filter | undefined, atMost: number): Promise<number> {
    return new Search(this.live.table).count(filter, atMost);
  }

  /** Yields between the slices of a search, and restarts when the table has been replaced meanwhile. */
  async #search<Found>(of: (search: Search) => Generator<void, Found, void>): Promise<Found> {
    for (;;) {
      const { table } = this.live;
      const slices = of(new Search(table));
      while (this.live.table === table) {
        const { done, value } = slices.next();
        if (done === true) return value;
        await nextTurn();
      }
    }
  }
}
