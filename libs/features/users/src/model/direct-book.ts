import type { Handlers } from '#directory';

/** A direct conversation in a snapshot: its participants, ascending, and the position of its first message. */
export type DirectRecord = readonly [participants: readonly number[], since: number];

/** What the book reads of a sent message. */
interface Sent {
  readonly type: 'message.sent.v1';
  readonly data: {
    /** All participants including the sender, ascending; absent for a channel message. */
    readonly to?: readonly number[];
  };
}

interface Numbered {
  /** Counted from 1 in the order of the log, so it never changes, and every fold of the log has the same (ADR 35). */
  readonly number: number;
  readonly record: DirectRecord;
}

/** Who has ever been in a direct conversation with whom; a part of the directory. */
export class DirectBook {
  /** By participants, in the order in which they began. */
  readonly #conversations = new Map<string, Numbered>();
  readonly #byUser = new Map<number, DirectRecord[]>();

  readonly on: Handlers<Sent> = {
    'message.sent.v1': ({ data: { to } }, { position }) => {
      if (to !== undefined && to.length > 1) this.#add([to, position]);
    },
  };

  /** Position of the first message among exactly these participants. */
  since(participants: readonly number[]): number | undefined {
    return this.#conversations.get(keyOf(participants))?.record[1];
  }

  /** Number of the conversation among exactly these participants. */
  numberOf(participants: readonly number[]): number | undefined {
    return this.#conversations.get(keyOf(participants))?.number;
  }

  /** Whether both have been in a conversation. @param before only those that began before this position */
  haveMet(userId: number, otherId: number, before = Infinity): boolean {
    const conversations = this.#byUser.get(userId) ?? [];
    return conversations.some(([participants, since]) => since < before && participants.includes(otherId));
  }

  /** The user's conversations, in the order in which they began. */
  of(userId: number): readonly DirectRecord[] {
    return this.#byUser.get(userId) ?? [];
  }

  snapshot(): readonly DirectRecord[] {
    return Array.from(this.#conversations.values(), ({ record }) => record);
  }

  /** Fills an empty book. */
  restore(records: readonly DirectRecord[] = []): void {
    for (const record of records) this.#add(record);
  }

  #add(record: DirectRecord): void {
    const [participants] = record;
    const key = keyOf(participants);
    if (this.#conversations.has(key)) return;
    this.#conversations.set(key, { number: this.#conversations.size + 1, record });
    for (const userId of participants) {
      const known = this.#byUser.get(userId);
      if (known === undefined) this.#byUser.set(userId, [record]);
      else known.push(record);
    }
  }
}

function keyOf(participants: readonly number[]): string {
  return participants.join();
}
