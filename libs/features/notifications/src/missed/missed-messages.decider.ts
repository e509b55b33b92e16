import type { Decider } from '#kernel';
import type { MissedMessagesNoted } from './missed.events.js';

/** Users who missed a message, and when they are told. */
export interface Missed {
  readonly messageId: number;
  readonly users: readonly { readonly userId: number; readonly dueAt: number }[];
}

/** Some of the users; a message with many recipients has several parts. */
export interface MissedPart extends Missed {
  readonly part: number;
}

export interface NoteMissed {
  readonly type: 'note-missed';
  /** In the order of the log. */
  readonly parts: readonly MissedPart[];
  readonly at: number;
}

/** Last part that was noted. */
type Place = MissedMessagesNoted['data']['upTo'];

/** Each message is noted once, although every process considers all messages: the first one counts. */
export const missedMessagesDecider: Decider<Place, NoteMissed, MissedMessagesNoted> = {
  initial: () => ({ messageId: 0, part: 0 }),
  decide(upTo, { parts, at }) {
    const left = parts.filter((part) => isAfter(part, upTo));
    const last = left.at(-1);
    if (last === undefined) return [];
    const { messageId, part } = last;
    return [{ type: 'missed-messages.noted.v1', data: { missed: missedByUser(left), upTo: { messageId, part }, at } }];
  },
  evolve: (_upTo, { data }) => data.upTo,
};

function isAfter({ messageId, part }: Place, upTo: Place): boolean {
  return messageId > upTo.messageId || (messageId === upTo.messageId && part > upTo.part);
}

function missedByUser(parts: readonly MissedPart[]): MissedMessagesNoted['data']['missed'] {
  const missed = new Map<string, { userId: number; messageIds: number[]; dueAt: number }>();
  for (const { messageId, users } of parts) {
    for (const { userId, dueAt } of users) {
      const key = `${userId}:${dueAt}`;
      const one = missed.get(key) ?? { userId, messageIds: [], dueAt };
      one.messageIds.push(messageId);
      missed.set(key, one);
    }
  }
  return [...missed.values()];
}
