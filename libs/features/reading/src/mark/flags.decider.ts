import { rangesOf } from '#kernel';
import type { FlagsChanged } from '../flags/flags.events.js';

/** Maximum messages per event, so that it fits into one append even when their IDs are far apart. */
const FLAGGED_PER_FACT_MAX = 20_000;

export type SettableFlag = FlagsChanged['data']['flag'];
export type FlagOperation = FlagsChanged['data']['op'];

/** State of a message that a change of its flag depends on. */
export interface FlaggedMessage {
  readonly messageId: number;
  /** Whether the flag is set now. */
  readonly isSet: boolean;
  /** The message is not in the user's own history yet. */
  readonly isForeign?: boolean;
  /** Channel of the message, where nothing becomes unread again: the user has left it, or it is archived. */
  readonly keptReadIn?: number;
}

export interface ChangeFlags {
  readonly userId: number;
  readonly op: FlagOperation;
  readonly flag: SettableFlag;
  readonly messages: readonly FlaggedMessage[];
  /** Seconds since the epoch. */
  readonly at: number;
}

export interface FlagDecision {
  /** Only what changes. */
  readonly events: readonly FlagsChanged[];
  /** Channels whose messages stay read, because the user could never see them as unread; ascending. */
  readonly ignoredChannelIds: readonly number[];
}

/** Decides which messages change when a user sets or removes a flag (endpoints.md §4, POST /messages/flags). */
export function decideFlags({ userId, op, flag, messages, at }: ChangeFlags): FlagDecision {
  const ignored = new Set<number>();
  const ids: number[] = [];
  const foreign = new Set<number>();
  for (const { messageId, isSet, isForeign, keptReadIn } of messages) {
    if (op === 'remove' && flag === 'read' && keptReadIn !== undefined) ignored.add(keptReadIn);
    else if (isSet !== (op === 'add')) {
      ids.push(messageId);
      if (isForeign === true) foreign.add(messageId);
    }
  }
  ids.sort((a, b) => a - b);
  const events: FlagsChanged[] = [];
  for (let from = 0; from < ids.length; from += FLAGGED_PER_FACT_MAX) {
    const part = ids.slice(from, from + FLAGGED_PER_FACT_MAX);
    const historical = part.filter((id) => foreign.has(id));
    const data = { userId, op, flag, ids: rangesOf(part), at };
    events.push({
      type: 'flags.changed.v1',
      data: historical.length === 0 ? data : { ...data, historical: rangesOf(historical) },
    });
  }
  return { events, ignoredChannelIds: [...ignored].sort((a, b) => a - b) };
}
