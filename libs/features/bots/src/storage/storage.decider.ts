import { keptEarlier } from '#event-store';
import { badRequest, type Decider, unreachable } from '#kernel';
import type { StorageEvent } from './storage.events.js';

/** Total length of a bot's keys and values, in characters (endpoints.md §9). */
export const STORAGE_LENGTH_MAX = 10_000_000;
/** Keys of a bot, whose lengths commands keep in memory. */
export const STORAGE_KEYS_MAX = 1000;
/** Values up to this length are kept in memory for the record of what there was; of longer ones, size and hash. */
const KEPT_LENGTH_MAX = 1000;
/** All keys fit into one event. */
const KEY_LENGTH_MAX = 300;

interface OnStorage {
  readonly userId: number;
  /** Seconds since the epoch. */
  readonly at: number;
}

export interface SetStorage extends OnStorage {
  readonly type: 'set-storage';
  readonly values: Readonly<Record<string, string>>;
}

export interface RemoveStorage extends OnStorage {
  readonly type: 'remove-storage';
  /** All of them when undefined. */
  readonly keys: readonly string[] | undefined;
}

export type StorageCommand = SetStorage | RemoveStorage;

interface Storage {
  /** Characters of all keys and values. */
  total: number;
  /** Values by key. */
  readonly values: Map<string, Known>;
}

interface Known {
  /** Characters. */
  readonly length: number;
  readonly kept: unknown;
}

/** Decides changes of a bot's storage, in its `bot-storage-{id}` stream. */
export const storageDecider: Decider<Storage, StorageCommand, StorageEvent> = {
  initial: () => ({ total: 0, values: new Map() }),
  decide,
  evolve,
  earlier,
};

/** @throws Refusal BAD_REQUEST */
function decide(storage: Storage, command: StorageCommand): readonly StorageEvent[] {
  const { userId, at } = command;
  switch (command.type) {
    case 'set-storage': {
      assertRoom(storage, command.values);
      if (Object.keys(command.values).length === 0) return [];
      return [{ type: 'bot-storage.set.v1', data: { values: { ...command.values }, userId, at } }];
    }
    case 'remove-storage': {
      const keys = [...new Set(command.keys ?? storage.values.keys())];
      if (keys.some((key) => !storage.values.has(key))) throw badRequest('Key does not exist.');
      return keys.length === 0 ? [] : [{ type: 'bot-storage.removed.v1', data: { keys, userId, at } }];
    }
    default:
      return unreachable(command);
  }
}

function assertRoom(storage: Storage, values: Readonly<Record<string, string>>): void {
  let [total, count] = [storage.total, storage.values.size];
  for (const [key, value] of Object.entries(values)) {
    if (key.length > KEY_LENGTH_MAX) throw badRequest(`A key is too long (limit: ${KEY_LENGTH_MAX} characters).`);
    if (key.includes('\0') || value.includes('\0')) throw badRequest('storage must not contain null bytes');
    const known = storage.values.get(key)?.length;
    if (known === undefined) count++;
    total += value.length - (known ?? -key.length);
  }
  if (total > STORAGE_LENGTH_MAX)
    throw badRequest(`Cannot perform storage operation: the limit is ${STORAGE_LENGTH_MAX} characters.`);
  if (count > STORAGE_KEYS_MAX)
    throw badRequest(`Cannot perform storage operation: the limit is ${STORAGE_KEYS_MAX} keys.`);
}

function evolve(storage: Storage, { type, data }: StorageEvent): Storage {
  const { values } = storage;
  const keys = type === 'bot-storage.set.v1' ? Object.keys(data.values) : data.keys;
  for (const key of keys) {
    const known = values.get(key);
    if (known !== undefined) storage.total -= key.length + known.length;
    values.delete(key);
  }
  if (type === 'bot-storage.set.v1')
    for (const [key, value] of Object.entries(data.values)) {
      values.set(key, { length: value.length, kept: keptEarlier(value, KEPT_LENGTH_MAX) });
      storage.total += key.length + value.length;
    }
  return storage;
}

/** Values of the keys that change; null for new ones. */
function earlier({ values }: Storage, { type, data }: StorageEvent): object {
  const keys = type === 'bot-storage.set.v1' ? Object.keys(data.values) : data.keys;
  return { values: Object.fromEntries(keys.map((key) => [key, values.get(key)?.kept ?? null])) };
}
