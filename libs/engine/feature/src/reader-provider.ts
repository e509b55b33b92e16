import type { FactoryProvider, Type } from '@nestjs/common';
import { type Collection, type CollectionSchema, ReadStore } from '#read-store';

/** Provider of a reader of one collection, for the module of a feature. */
export function readerProvider<Doc extends object, Reader>(
  type: Type<Reader> & (new (collection: Collection<Doc>) => Reader),
  schema: CollectionSchema,
): FactoryProvider<Reader> {
  return {
    provide: type,
    inject: [ReadStore],
    useFactory: async (store: ReadStore) => new type(await store.collection<Doc>(schema)),
  };
}
