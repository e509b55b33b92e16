import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { User } from '#organization';
import { StorageReader } from './storage.reader.js';

/** Reads the viewer's storage: values by key. */
export class ReadStorageQuery extends Query<Readonly<Record<string, string>>> {
  constructor(
    readonly viewer: User,
    /** All of them when undefined. */
    readonly keys: readonly string[] | undefined,
  ) {
    super();
  }
}

@QueryHandler(ReadStorageQuery)
export class ReadStorageHandler implements IQueryHandler<ReadStorageQuery> {
  constructor(private readonly reader: StorageReader) {}

  execute({ viewer, keys }: ReadStorageQuery): Promise<Readonly<Record<string, string>>> {
    return this.reader.read(viewer.userId, keys);
  }
}
