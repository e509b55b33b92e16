import { Query } from '@nestjs/cqrs';
import { query } from '#feature';
import type { User } from '#users/model';
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

export const readStorage = query(ReadStorageQuery, { reader: StorageReader }, ({ viewer, keys }, { reader }) =>
  reader.read(viewer.userId, keys),
);
