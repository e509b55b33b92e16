import { Injectable } from '@nestjs/common';
import type { RecordedOf } from '#event-store';
import { ClientEvents, type Derivations, type FeedEntry, type Presentable, type Recipient } from '#feed';
import { idsIn, type Ranges } from '#kernel';
import {
  allowsEmptyTopic,
  located,
  mayReadMessage,
  type MessageDocument,
  MessagesReader,
  parseConversation,
  wireTopic,
} from '#messages';
import { Directory } from '#people';
import { isTopicMuted } from '#preferences/model';
import type { FlagsChanged } from '../flags/flags.events.js';
import { isMentioned, isOwn, isRead, isWildcard } from '../flags/message-flags.js';
import { ViewerMessages } from '../viewer/viewer-messages.js';
import type { WireMessageEvent } from '../client-events/message-events.schema.js';

/** Where messages are that became unread, by ID. */
type Details = NonNullable<
  Extract<WireMessageEvent, { readonly type: 'update_message_flags'; readonly op: 'remove' }>['message_details']
>;

interface Body {
  readonly op: FlagsChanged['data']['op'];
  readonly flag: FlagsChanged['data']['flag'];
  readonly ids: Ranges;
  /** All messages were marked as read. */
  readonly all: boolean;
  /** Only those that are unread at delivery. */
  readonly onlyUnread?: true;
}

/**
 * Client event for a request that changed nothing: each flag update has its event (events.md §2), and clients wait for
 * it. The log has no event for it, so it is sent as an ephemeral event.
 */
export function unchangedEntry(userId: number, { op, flag, all }: Omit<Body, 'ids'>): FeedEntry<Body> {
  return entryOf(userId, { op, flag, ids: [], all });
}

function entryOf(userId: number, body: Body): FeedEntry<Body> {
  return { type: 'update_message_flags', audience: { to: 'users', ids: [userId] }, body };
}

function changed(
  { data, metadata }: RecordedOf<FlagsChanged>,
  { lastMessageId }: Directory,
): readonly FeedEntry<Body>[] {
  const { userId, op, flag, ids } = data;
  const all = metadata['all'] === true;
  const entry = entryOf(userId, { op, flag, ids, all });
  const upTo = ids.at(-1)?.[1] ?? 0;
  if (!all || lastMessageId <= upTo) return [entry];
  // Clients take "all" for everything before the event. Messages sent during the request are not part of it.
  const arrived = { op: 'remove', flag, ids: [[upTo + 1, lastMessageId]], all: false, onlyUnread: true } as const;
  return [entry, entryOf(userId, arrived)];
}

interface Prepared {
  readonly docs: ReadonlyMap<number, MessageDocument>;
  /** Unread messages by user, for entries that apply only to unread ones. */
  readonly unread: ReadonlyMap<number, ReadonlySet<number>>;
}

/** Ephemeral events are presented without preparation. */
const NOTHING_PREPARED: Prepared = { docs: new Map(), unread: new Map() };

/** Client events about a user's flags (events.md §2): `update_message_flags`. */
@Injectable()
export class FlagClientEvents extends ClientEvents<WireMessageEvent> {
  override readonly on: Derivations<FlagsChanged> = { 'flags.changed.v1': changed };
  override readonly types: ReadonlySet<string> = new Set(['update_message_flags']);

  constructor(
    private readonly directory: Directory,
    private readonly messages: MessagesReader,
    private readonly seen: ViewerMessages,
  ) {
    super();
  }

  /** Messages that became or stayed unread are sent with their places. */
  override async prepare(entries: readonly Presentable<Body>[]): Promise<Prepared> {
    const bodies = entries.map(({ entry }) => entry.body);
    const ids = bodies.flatMap((body) => (isUnreading(body) ? idsIn(body.ids) : []));
    const docs = await this.messages.getManyLean([...new Set(ids)]);
    const unread = new Map<number, Set<number>>();
    for (const { entry } of entries) {
      const { body } = entry;
      const [userId] = entry.audience.to === 'users' ? entry.audience.ids : [];
      if (body.onlyUnread !== true || userId === undefined) continue;
      const known = unread.get(userId) ?? new Set();
      unread.set(userId, known);
      for (const id of await this.#unreadAmong(userId, idsIn(body.ids), docs)) known.add(id);
    }
    return { docs, unread };
  }

  async #unreadAmong(userId: number, ids: readonly number[], docs: Prepared['docs']): Promise<readonly number[]> {
    const rows = ids.flatMap((id) => {
      const doc = docs.get(id);
      return doc === undefined ? [] : [{ id, doc }];
    });
    const seen = await this.seen.unchecked(userId, rows);
    return seen.filter((message) => isOwn(message) && !isRead(message.doc, message)).map(({ id }) => id);
  }

  override present(
    { entry: { body } }: Presentable<Body>,
    recipient: Recipient,
    prepared: Prepared | undefined,
  ): readonly WireMessageEvent[] {
    if (body.ids.length === 0) return [eventOf(body, [], isUnreading(body) ? {} : undefined)];
    if (isUnreading(body)) return this.#unread(body, recipient, prepared ?? NOTHING_PREPARED);
    return [eventOf(body, body.all ? [] : idsIn(body.ids))];
  }

  #unread(body: Body, recipient: Recipient, { docs, unread }: Prepared): readonly WireMessageEvent[] {
    const details: Record<string, Details[string]> = {};
    const messageIds: number[] = [];
    for (const id of idsIn(body.ids)) {
      const doc = docs.get(id);
      if (doc === undefined || !mayReadMessage(this.directory, recipient.user, located(id, doc))) continue;
      if (body.onlyUnread === true && unread.get(recipient.user.userId)?.has(id) !== true) continue;
      messageIds.push(id);
      details[id] = this.#detailsOf(doc, recipient);
    }
    return messageIds.length === 0 ? [] : [eventOf(body, messageIds, details)];
  }

  #detailsOf(doc: MessageDocument, { user, settings }: Recipient): Details[string] {
    const place = parseConversation(doc.conversation);
    if ('participants' in place) {
      return {
        type: 'private',
        ...(isMentioned(doc, user.userId) || isWildcard(doc, user.userId) ? { mentioned: true } : {}),
        user_ids: place.participants.filter((userId) => userId !== user.userId),
      };
    }
    const isUnmuted = !isTopicMuted(this.directory, user.userId, place.channelId, doc.topic ?? '');
    return {
      type: 'stream',
      ...(isMentioned(doc, user.userId) || (isWildcard(doc, user.userId) && isUnmuted) ? { mentioned: true } : {}),
      stream_id: place.channelId,
      topic: wireTopic(doc.topic ?? '', allowsEmptyTopic(settings)),
      unmuted_stream_msg: isUnmuted,
    };
  }
}

function isUnreading({ op, flag }: Body): boolean {
  return op === 'remove' && flag === 'read';
}

function eventOf({ op, flag, all }: Body, messages: readonly number[], details?: Details): WireMessageEvent {
  const told = { type: 'update_message_flags', flag, messages, all } as const;
  // Older clients read `operation`.
  if (op === 'add') return { ...told, op, operation: op };
  return { ...told, op, operation: op, ...(details === undefined ? {} : { message_details: details }) };
}
