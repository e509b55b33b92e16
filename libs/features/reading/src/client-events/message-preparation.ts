import type { EventStore } from '#event-store';
import type { FeedEntry, Presentable } from '#feed';
import { idsIn, memoized } from '#kernel';
import {
  type MessageDeleted,
  type MessageDocument,
  type MessageEdited,
  type MessagesDeleted,
  type MessagesExpired,
  type MessagesMoved,
  type MessagesReader,
  type ReactionAdded,
  type SentData,
  sentDocument,
  type SentMessages,
  type SubmessageAdded,
} from '#messages';
import { hasSharedHistory } from '#channels/model';
import type { Directory } from '#people';
import { HoldersOfAny, isConcerned, type Known, type Where } from './concerned.js';
import type { SentBody } from './message-entries.js';
import type { FlagLookup, FlagsReader } from '../flags/flags.reader.js';
import type { MessageHolders } from '../flags/message-holders.js';
import { loadRegained, type RegainedMessages, type RegainingBody, SEARCHED_MAX } from './regained-messages.js';
import { DeliveryAccess } from './delivery-access.js';
import type { SentWireMessage } from '../wire/wire-message.js';

/** The message as it was sent. */
export const documentOf: (data: SentData) => MessageDocument = memoized(sentDocument);

/** Data needed to present a batch of entries. */
export interface Prepared extends Known {
  /** Send events, for `message` entries, and without content for deleted messages. */
  readonly sent: ReadonlyMap<number, SentData>;
  /** Who has some of the messages of a move, by its position; absent when all recipients are subscribed. */
  readonly movedOf: ReadonlyMap<number, HoldersOfAny>;
  /** Recipients' flags of changed messages that concern them. */
  readonly flags: ReadonlyMap<number, FlagLookup>;
  /** Messages that moves make available to recipients who may not read the old place. */
  readonly regained: RegainedMessages;
  /** Messages in wire format, shared by all recipients that see them alike. */
  readonly wires: Map<string, SentWireMessage>;
}

/** Bodies of the entries about existing messages. */
export type Body =
  | { readonly edit: MessageEdited['data'] }
  | { readonly move: MessagesMoved['data'] }
  | { readonly deletion: MessageDeleted['data'] }
  | { readonly deletions: MessagesDeleted['data'] | MessagesExpired['data'] }
  | { readonly submessage: SubmessageAdded['data'] }
  | { readonly op: 'add' | 'remove'; readonly reaction: ReactionAdded['data'] };

/** Bodies of all entries about messages. */
export type MessageBody = SentBody | RegainingBody | Body;

/** A change that is sent to subscribers of its place, and to users who have the messages. */
interface Change extends Where {
  readonly ids: readonly number[];
  /** A move out of a channel with protected history: recipients may see only some of its messages, and are told the flags of one. */
  readonly parted?: MessagesMoved['data'] | undefined;
  /** Moved messages: a move is also sent to users who have others of them than the one that it names. */
  readonly moved?: readonly number[];
  /** Additional data to load: the flags of each recipient, or the send events of deleted messages. */
  readonly takes?: 'flags' | 'sent';
}

export interface PreparationParts {
  readonly directory: Directory;
  readonly messages: MessagesReader;
  readonly flags: FlagsReader;
  readonly holders: MessageHolders;
  readonly sent: SentMessages;
  readonly store: EventStore;
}

/**
 * Loads, once for a batch, the data needed to present entries about messages. Content and HTML are loaded of sent messages
 * alone, of which each entry has one; moves and deletions may concern thousands.
 */
export async function prepareMessages(
  parts: PreparationParts,
  entries: readonly Presentable<MessageBody>[],
  userIds: ReadonlySet<number>,
): Promise<Prepared> {
  const { directory, messages } = parts;
  const sentIds = new Set<number>();
  const goneIds = new Set<number>();
  const docIds = new Set<number>();
  const changes: Change[] = [];
  const moves: Change[] = [];
  const heldIds = new Set<number>();
  for (const { entry, position } of entries) {
    for (const id of idsToLoad(directory, entry)) docIds.add(id);
    if ('messageId' in entry.body) {
      const { messageId } = entry.body;
      sentIds.add(messageId);
      if (!parts.sent.isAsSent(messageId)) docIds.add(messageId);
    }
    const change = changeOf(directory, entry, position);
    if (change === undefined) continue;
    changes.push(change);
    if (!hasOutsiders(directory, change, userIds)) continue;
    if (change.moved !== undefined) moves.push(change);
    for (const id of [...change.ids, ...(change.moved ?? [])]) heldIds.add(id);
    for (const id of change.moved ?? []) docIds.add(id);
    if (change.takes === 'sent') for (const id of change.ids) goneIds.add(id);
  }
  const [sent, gone, docs, holders] = await Promise.all([
    parts.sent.getMany([...sentIds]),
    parts.sent.getManyLean([...goneIds].filter((id) => !sentIds.has(id))),
    messages.getManyLean([...docIds]),
    heldIds.size === 0 ? new Map<number, Set<number>>() : parts.holders.of([...heldIds]),
  ]);
  // Messages that nothing has changed since are as they were sent: the newest ones need no read.
  for (const [id, data] of sent) if (!docIds.has(id)) docs.set(id, documentOf(data));
  const flags = await loadFlags(parts, changes, { docs, holders }, userIds);
  const movedOf = new Map(
    moves.map((move) => [move.position, new HoldersOfAny(directory, { docs, holders }, move.moved ?? [], move)]),
  );
  const regained = await loadRegained(parts, entries, userIds);
  for (const [id, data] of gone) sent.set(id, data);
  return { sent, docs, holders, movedOf, flags, regained, wires: new Map() };
}

function idsToLoad(directory: Directory, { body }: FeedEntry<MessageBody>): readonly number[] {
  if ('regaining' in body || 'messageId' in body) return [];
  if ('reaction' in body) return [body.reaction.messageId];
  if ('submessage' in body) return [body.submessage.messageId];
  if ('edit' in body) return [body.edit.messageId];
  if (!('move' in body)) return [];
  const { targetId, firstId, ids } = body.move;
  return isParted(directory, body.move) ? [targetId, ...idsIn(ids)] : [targetId, firstId];
}

/** Whether recipients may see only some of the moved messages. */
function isParted(directory: Directory, { from }: MessagesMoved['data']): boolean {
  const channel = directory.channel(from.channelId);
  return channel !== undefined && !hasSharedHistory(channel);
}

function changeOf(directory: Directory, { type, body }: FeedEntry<MessageBody>, position: number): Change | undefined {
  if ('regaining' in body || 'messageId' in body) return undefined;
  if ('edit' in body) {
    return { ids: [body.edit.messageId], place: body.edit.place, position, takes: 'flags' };
  }
  if ('move' in body) {
    // When a move takes messages out of sight, all users who could see them are told.
    if (type === 'delete_message') return undefined;
    const { targetId, firstId, continues, from } = body.move;
    const ids = continues === undefined ? [targetId] : [targetId, firstId];
    const parted = isParted(directory, body.move) ? body.move : undefined;
    const moved = idsIn(body.move.ids).slice(0, SEARCHED_MAX);
    return { ids, parted, moved, place: from, position, takes: 'flags' };
  }
  if ('deletion' in body) {
    return { ids: [body.deletion.messageId], place: body.deletion.place, position, takes: 'sent' };
  }
  if ('deletions' in body) {
    return { ids: idsIn(body.deletions.ids), place: body.deletions.place, position, takes: 'sent' };
  }
  const { messageId, place } = 'submessage' in body ? body.submessage : body.reaction;
  return { ids: [messageId], place, position };
}

function hasOutsiders(directory: Directory, { place, position }: Change, userIds: ReadonlySet<number>): boolean {
  if ('to' in place) return false;
  for (const userId of userIds) if (!directory.wasSubscribedAt(userId, place.channelId, position)) return true;
  return false;
}

/** The message that a move names to a user who may not see its target; none for other changes. */
function firstSeen(
  directory: Directory,
  { parted, position }: Change,
  { docs }: Known,
  userId: number,
): readonly number[] {
  const user = directory.user(userId);
  if (parted === undefined || user === undefined) return [];
  const { kept } = new DeliveryAccess(directory).partMoved(user, parted, idsIn(parted.ids), position, docs);
  return kept.includes(parted.targetId) ? [] : kept.slice(0, 1);
}

async function loadFlags(
  { directory, flags }: PreparationParts,
  changes: readonly Change[],
  known: Known,
  userIds: ReadonlySet<number>,
): Promise<Map<number, FlagLookup>> {
  const lookups = new Map<number, FlagLookup>();
  const flagged = changes.filter(({ takes }) => takes === 'flags');
  for (const userId of flagged.length === 0 ? [] : userIds) {
    const ids = flagged.flatMap((change) =>
      [...change.ids, ...firstSeen(directory, change, known, userId)].filter((id) =>
        isConcerned(directory, known, userId, id, change),
      ),
    );
    if (ids.length > 0) lookups.set(userId, await flags.load(userId, ids));
  }
  return lookups;
}
