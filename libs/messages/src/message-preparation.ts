import type { FeedEntry, Presentable } from '#feed';
import { idsIn, type JsonObject } from '#kernel';
import { hasSharedHistory, type Directory } from '#organization';
import type { SentBody } from './message-entries.js';
import type {
  MessageDeleted,
  MessageEdited,
  MessagesDeleted,
  MessagesMoved,
  Place,
  ReactionAdded,
  SubmessageAdded,
} from './messages.events.js';
import { conversationOf } from './place.js';
import type { MessageDocument } from './projections/message.document.js';
import type { FlagLookup, FlagsReader } from './queries/flags.reader.js';
import { hasReceived } from './queries/message-flags.js';
import type { MessageHolders } from './queries/message-holders.js';
import type { MessagesReader } from './queries/messages.reader.js';
import type { SentData, SentMessages } from './sent-messages.js';

/** What presenting a batch of entries needs. */
export interface Prepared {
  /** The facts that messages were sent: for `message` entries, and for messages that are gone. */
  readonly sent: ReadonlyMap<number, SentData>;
  /** Messages as they stand now. */
  readonly docs: ReadonlyMap<number, MessageDocument>;
  /** Who put changed messages into their history. */
  readonly holders: ReadonlyMap<number, ReadonlySet<number>>;
  /** What recipients made of the flags of changed messages that concern them. */
  readonly flags: ReadonlyMap<number, FlagLookup>;
  /** Messages on the wire, shared by all recipients that see them alike. */
  readonly wires: Map<string, JsonObject>;
}

/** Bodies of the entries about messages that are there already. */
export type Body =
  | { readonly edit: MessageEdited['data'] }
  | { readonly move: MessagesMoved['data'] }
  | { readonly deletion: MessageDeleted['data'] }
  | { readonly deletions: MessagesDeleted['data'] }
  | { readonly submessage: SubmessageAdded['data'] }
  | { readonly op: 'add' | 'remove'; readonly reaction: ReactionAdded['data'] };

/** A change that is told to those subscribed where it happened, and to whoever has the messages. */
interface Change {
  readonly ids: readonly number[];
  readonly place: Place;
  readonly position: number;
  /** What telling of it takes besides: the flags of each recipient, or the messages that are gone. */
  readonly takes?: 'flags' | 'sent';
}

export interface PreparationParts {
  readonly directory: Directory;
  readonly messages: MessagesReader;
  readonly flags: FlagsReader;
  readonly holders: MessageHolders;
  readonly sent: SentMessages;
}

/** Loads, once for a batch, what presenting entries about messages needs. */
export async function prepareMessages(
  parts: PreparationParts,
  entries: readonly Presentable[],
  userIds: ReadonlySet<number>,
): Promise<Prepared> {
  const { directory, messages } = parts;
  const sentIds = new Set<number>();
  const docIds = new Set<number>();
  const changes: Change[] = [];
  const heldIds = new Set<number>();
  for (const { entry, position } of entries) {
    for (const id of idsToLoad(directory, entry)) docIds.add(id);
    if (entry.type === 'message') sentIds.add((entry.body as unknown as SentBody).messageId);
    const change = changeOf(entry, position);
    if (change === undefined) continue;
    changes.push(change);
    if (!hasOutsiders(directory, change, userIds)) continue;
    for (const id of change.ids) heldIds.add(id);
    if (change.takes === 'sent') for (const id of change.ids) sentIds.add(id);
  }
  const [sent, docs, holders] = await Promise.all([
    parts.sent.getMany([...sentIds]),
    messages.getMany([...docIds]),
    heldIds.size === 0 ? new Map<number, Set<number>>() : parts.holders.of([...heldIds]),
  ]);
  const flags = await loadFlags(parts, changes, { docs, holders }, userIds);
  return { sent, docs, holders, flags, wires: new Map() };
}

/** Whether a change to the message is for the user: they were subscribed where it stood, or have it in their history. */
export function isConcerned(
  directory: Directory,
  { docs, holders }: Pick<Prepared, 'docs' | 'holders'>,
  userId: number,
  messageId: number,
  { place, position }: Pick<Change, 'place' | 'position'>,
): boolean {
  if ('to' in place) return true;
  if (directory.wasSubscribedAt(userId, place.channelId, position)) return true;
  if (holders.get(messageId)?.has(userId) === true) return true;
  const doc = docs.get(messageId);
  return doc !== undefined && hasReceived(directory, userId, messageId, asOf(doc, place, position));
}

/** The message as it stood at this place, before the fact at this position. */
function asOf(doc: MessageDocument, place: Place, position: number): MessageDocument {
  const { arrivals } = doc;
  if (arrivals === undefined) return doc;
  return {
    ...doc,
    conversation: conversationOf(place),
    arrivals: arrivals.filter((arrival) => arrival.position < position),
  };
}

function idsToLoad(directory: Directory, entry: FeedEntry): readonly number[] {
  if (entry.type === 'message') return [(entry.body as unknown as SentBody).messageId];
  const body = entry.body as unknown as Body;
  if ('reaction' in body) return [body.reaction.messageId];
  if ('submessage' in body) return [body.submessage.messageId];
  if ('edit' in body) return [body.edit.messageId];
  if (!('move' in body)) return [];
  const { from, targetId, ids } = body.move;
  const channel = directory.channel(from.channelId);
  const isProtected = channel !== undefined && !hasSharedHistory(channel);
  return isProtected ? [targetId, ...idsIn(ids)] : [targetId];
}

function changeOf(entry: FeedEntry, position: number): Change | undefined {
  if (entry.type === 'message') return undefined;
  const body = entry.body as unknown as Body;
  if ('edit' in body) {
    return { ids: [body.edit.messageId], place: body.edit.place, position, takes: 'flags' };
  }
  if ('move' in body) {
    // Where a move takes messages out of sight, everybody who could see them is told.
    if (entry.type === 'delete_message') return undefined;
    return { ids: [body.move.targetId], place: body.move.from, position, takes: 'flags' };
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

async function loadFlags(
  { directory, flags }: PreparationParts,
  changes: readonly Change[],
  known: Pick<Prepared, 'docs' | 'holders'>,
  userIds: ReadonlySet<number>,
): Promise<Map<number, FlagLookup>> {
  const lookups = new Map<number, FlagLookup>();
  const flagged = changes.filter(({ takes }) => takes === 'flags');
  for (const userId of flagged.length === 0 ? [] : userIds) {
    const ids = flagged.flatMap((change) =>
      change.ids.filter((id) => isConcerned(directory, known, userId, id, change)),
    );
    if (ids.length > 0) lookups.set(userId, await flags.load(userId, ids));
  }
  return lookups;
}
