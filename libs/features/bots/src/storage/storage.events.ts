import { Type } from 'typebox';
import { eventType, exactly, type EventOf } from '#event-store';

/** Bot that owns the storage, and time in seconds since the epoch. */
const Done = { userId: Type.Integer({ minimum: 1 }), at: Type.Integer() };

/** Values by key; other keys stay as they are. */
export const botStorageSet = eventType(
  'bot-storage.set.v1',
  exactly({ values: Type.Record(Type.String(), Type.String()), ...Done }),
);

export const botStorageRemoved = eventType(
  'bot-storage.removed.v1',
  exactly({ keys: Type.Array(Type.String()), ...Done }),
);

export const botStorageEventTypes = [botStorageSet, botStorageRemoved] as const;

export type StorageEvent = EventOf<(typeof botStorageEventTypes)[number]>;
