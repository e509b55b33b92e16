import { Type } from 'typebox';
import { json, Param, Shape } from '#http';
import { STORAGE_KEYS_MAX } from '../storage/storage.decider.js';

const Keys = Shape(Type.Array(Type.String(), { maxItems: STORAGE_KEYS_MAX }));
const Values = Shape(Type.Record(Type.String(), Type.String()));

export class StorageKeysParams {
  @Param(json(), { optional: true, description: 'All keys when absent.' })
  @Keys
  keys?: string[];
}

export class SetStorageParams {
  @Param(json())
  @Values
  storage!: Record<string, string>;
}
