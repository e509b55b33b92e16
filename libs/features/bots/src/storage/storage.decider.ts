import { badRequest, type Decider, unreachable } from '#kernel';
import type { StorageEvent } from './storage.events.js';

/** Total length of a bot's keys and values, in characters (endpoints.md §9). */
export const STORAGE_LENGTH_MAX = 10_000_000;
/** Keys of a bot, whose lengths commands keep in memory. */
export const STORAGE_KEYS_MAX = 1000;
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
  /** Characters of the value, by key. */
  readonly lengths: Map<string, number>;
}

/** Decides changes of a bot's storage, in its `bot-storage-{id}` stream. */
export const storageDecider: Decider<Storage, StorageCommand, StorageEvent> = {
  initial: () => ({ total: 0, lengths: new Map() }),
  decide,
  evolve,
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
      const keys = [...new Set(command.keys ?? storage.lengths.keys())];
      if (keys.some((key) => !storage.lengths.has(key))) throw badRequest('Key does not exist.');
      return keys.length === 0 ? [] : [{ type: 'bot-storage.removed.v1', data: { keys, userId, at } }];
    }
    default:
      return unreachable(command);
  }
}

function assertRoom({ total, lengths }: Storage, values: Readonly<Record<string, string>>): void {
  let count = lengths.size;
  for (const [key, value] of Object.entries(values)) {
    if (key.length > KEY_LENGTH_MAX) throw badRequest(`A key is too long (limit: ${KEY_LENGTH_MAX} characters).`);
    if (key.includes('\0') || value.includes('\0')) throw badRequest('storage must not contain null bytes');
    const known = lengths.get(key);
    if (known === undefined) count++;
    total += value.length - (known ?? -key.length);
  }
  if (total > STORAGE_LENGTH_MAX)
    throw badRequest(`Cannot perform storage operation: the limit is ${STORAGE_LENGTH_MAX} characters.`);
  if (count > STORAGE_KEYS_MAX)
    throw badRequest(`Cannot perform storage operation: the limit is ${STORAGE_KEYS_MAX} keys.`);
}

function evolve(storage: Storage, { type, data }: StorageEvent): Storage {
  const { lengths } = storage;
  const keys = type === 'bot-storage.set.v1' ? Object.keys(data.values) : data.keys;
  for (const key of keys) {
    const known = lengths.get(key);
    if (known !== undefined) storage.total -= key.length + known;
    lengths.delete(key);
  }
  if (type === 'bot-storage.set.v1')
    for (const [key, value] of Object.entries(data.values)) {
      lengths.set(key, value.length);
      storage.total += key.length + value.length;
    }
  return storage;
}
