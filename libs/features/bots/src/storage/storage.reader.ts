import { badRequest } from '#kernel';
import { type Collection, where } from '#read-store';
import { STORAGE_KEYS_MAX } from './storage.decider.js';
import { storageKey, type StoredValue } from './storage.projection.js';

/** An answer has at most 16 MB: in JSON a character takes up to 6 bytes. */
const ANSWER_LENGTH_MAX = 2_600_000;

/** What bots keep on the server. */
export class StorageReader {
  constructor(private readonly stored: Collection<StoredValue>) {}

  /**
   * Values by key.
   * @param keys undefined for all
   * @throws Refusal BAD_REQUEST for an unknown key, and when the values are too large for one answer
   */
  async read(userId: number, keys: readonly string[] | undefined): Promise<Readonly<Record<string, string>>> {
    const wanted =
      keys === undefined
        ? where.eq('userId', userId)
        : where.in(
            '$key',
            [...new Set(keys)].map((key) => storageKey(userId, key)),
          );
    const find = { where: wanted, limit: STORAGE_KEYS_MAX };
    let length = 0;
    for (const row of await this.stored.findFields(find, ['length'])) length += row.fields.length ?? 0;
    if (length > ANSWER_LENGTH_MAX)
      throw badRequest(
        `The values are too large for one answer (limit: ${ANSWER_LENGTH_MAX} characters). Ask for fewer keys.`,
      );
    const found = await this.stored.find(find);
    const values = new Map(found.map(({ doc }) => [doc.key, doc.value]));
    if (keys?.some((key) => !values.has(key)) === true) throw badRequest('Key does not exist.');
    return Object.fromEntries(values);
  }
}
