import type { EventStore, RecordedEvent } from '#event-store';
import { streams } from '#event-store';
import type { Presentable } from '#feed';
import { idsIn } from '#kernel';
import {
  located,
  mayReadMessage,
  type MessageDocument,
  type MessageEvent,
  type MessagesMoved,
  type MessagesReader,
  type ReactionEntry,
} from '#messages';
import { mayReadChannel } from '#channels/model';
import type { Directory } from '#people';
import type { User } from '#users/model';
import type { FlagsReader } from '../flags/flags.reader.js';
import { flagsOf, isOwn, seenBy } from '../flags/message-flags.js';

/** A user who regains more than this fetches the state again, which costs both sides less. */
export const REGAINED_TOLD_MAX = 250;
/** Limit per event. Events of older logs may name more messages, which are not searched for those that a user has. */
export const SEARCHED_MAX = 2_000;
const ADDITIONS_PER_PAGE = 500;

/** Body of the entries for users who may read the new place of moved messages, but not the old one. */
export type Regaining = Pick<MessagesMoved['data'], 'ids' | 'from' | 'to'>;

/** Body of the entries by which users regain messages. */
export interface RegainingBody {
  readonly regaining: Regaining;
}

export interface RegainedMessage {
  readonly messageId: number;
  /** The current message, without reactions and submessages that have their own client events after the move. */
  readonly doc: MessageDocument;
  readonly flags: readonly string[];
}

/** By the move's position and user ID. Users for whom nothing was looked up are absent. */
export type RegainedMessages = ReadonlyMap<number, ReadonlyMap<number, readonly RegainedMessage[] | 'too many'>>;

interface Parts {
  readonly directory: Directory;
  readonly messages: MessagesReader;
  readonly flags: FlagsReader;
  readonly store: EventStore;
}

/**
 * Whether the user was subscribed to the channel that messages left, may not read it now, and may read their new place.
 * No `update_message` can tell this user of the move, since it names the old place.
 */
export function mayRegain(directory: Directory, user: User, { from, to }: Regaining): boolean {
  if (directory.subscription(user.userId, from.channelId) === undefined) return false;
  return !mayRead(directory, user, from.channelId) && mayRead(directory, user, to.channelId);
}

function mayRead(directory: Directory, user: User, channelId: number): boolean {
  const channel = directory.channel(channelId);
  return channel !== undefined && mayReadChannel(directory, user, channel);
}

/**
 * Loads the messages that moves make available to these users: of the moved messages, those in the user's history that
 * they may read now.
 */
export async function loadRegained(
  parts: Parts,
  entries: readonly Presentable<RegainingBody | object>[],
  userIds: ReadonlySet<number>,
): Promise<RegainedMessages> {
  const found = new Map<number, ReadonlyMap<number, readonly RegainedMessage[] | 'too many'>>();
  const counts = new Map<number, number>();
  for (const { position, entry } of entries) {
    if (!('regaining' in entry.body) || found.has(position)) continue;
    const { regaining } = entry.body;
    const users = [...userIds].flatMap((userId) => {
      const user = parts.directory.user(userId);
      return user !== undefined && mayRegain(parts.directory, user, regaining) ? [user] : [];
    });
    if (users.length > 0) found.set(position, await loadMove(parts, idsIn(regaining.ids), position, users, counts));
  }
  return found;
}

async function loadMove(
  parts: Parts,
  ids: readonly number[],
  position: number,
  users: readonly User[],
  /** Number of messages presented to each user so far. */
  counts: Map<number, number>,
): Promise<Map<number, readonly RegainedMessage[] | 'too many'>> {
  const found = new Map<number, readonly RegainedMessage[] | 'too many'>();
  const docs = ids.length > SEARCHED_MAX ? undefined : await parts.messages.getManyLean(ids);
  const pasts = new Map<number, MessageDocument>();
  for (const user of users) {
    const own = docs === undefined ? undefined : await ownAmong(parts, user, docs);
    const count = (counts.get(user.userId) ?? 0) + (own?.length ?? 0);
    counts.set(user.userId, count);
    if (own === undefined || count > REGAINED_TOLD_MAX) {
      found.set(user.userId, 'too many');
      continue;
    }
    const missing = own.map(({ messageId }) => messageId).filter((messageId) => !pasts.has(messageId));
    for (const [messageId, doc] of await parts.messages.getMany(missing))
      pasts.set(messageId, await withoutLaterAdditions(parts.store, messageId, doc, position));
    const told = own.flatMap((message) => {
      const doc = pasts.get(message.messageId);
      return doc === undefined ? [] : [{ ...message, doc }];
    });
    found.set(user.userId, told);
  }
  return found;
}

async function ownAmong(
  { directory, flags }: Parts,
  user: User,
  docs: ReadonlyMap<number, MessageDocument>,
): Promise<readonly RegainedMessage[]> {
  const readable = [...docs].filter(([id, doc]) => mayReadMessage(directory, user, located(id, doc)));
  const lookup = await flags.load(
    user.userId,
    readable.map(([id]) => id),
  );
  return readable
    .map(([messageId, doc]) => ({
      messageId,
      doc,
      seen: seenBy(directory, user.userId, messageId, doc, lookup.of(messageId)),
    }))
    .filter(({ seen }) => isOwn(seen))
    .map(({ messageId, doc, seen }) => ({ messageId, doc, flags: flagsOf(doc, seen) }))
    .sort((a, b) => a.messageId - b.messageId);
}

/**
 * A reaction that is both in the message and in an event is counted twice by clients. Most messages have none, and need
 * no look-up.
 */
async function withoutLaterAdditions(
  store: EventStore,
  messageId: number,
  doc: MessageDocument,
  position: number,
): Promise<MessageDocument> {
  if (doc.reactions === undefined && doc.submessages === undefined) return doc;
  const reactions = new Set<string>();
  const submessages = new Set<number>();
  for await (const recorded of newestFirst(store, messageId)) {
    if (recorded.position <= position) break;
    const { type, data } = recorded as unknown as MessageEvent;
    if (type === 'reaction.added.v1') reactions.add(reactionKey(data));
    else if (type === 'submessage.added.v1') submessages.add(data.submessageId);
  }
  return {
    ...doc,
    reactions: (doc.reactions ?? []).filter((reaction) => !reactions.has(reactionKey(reaction))),
    submessages: (doc.submessages ?? []).filter(({ id }) => !submessages.has(id)),
  };
}

function reactionKey({ userId, reactionType, emojiCode }: Omit<ReactionEntry, 'emojiName'>): string {
  return `${userId}:${reactionType}:${emojiCode}`;
}

async function* newestFirst(store: EventStore, messageId: number): AsyncGenerator<RecordedEvent, void, void> {
  let from: number | undefined;
  for (;;) {
    const page = await store.readStream(streams.message(messageId), {
      direction: 'backwards',
      limit: ADDITIONS_PER_PAGE,
      ...(from === undefined ? undefined : { from }),
    });
    yield* page;
    const oldest = page.at(-1);
    if (oldest === undefined || oldest.revision === 0) return;
    from = oldest.revision - 1;
  }
}
