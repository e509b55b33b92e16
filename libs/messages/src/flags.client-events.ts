import { Injectable } from '@nestjs/common';
import type { Recorded } from '#event-store';
import { ClientEvents, type ClientEvent, type FeedEntry, type Presentable, type Recipient } from '#feed';
import { idsIn, type JsonObject, type Ranges } from '#kernel';
import { Directory, isTopicMuted } from '#organization';
import { located, mayReadMessage } from './message.access.js';
import type { FlagsChanged } from './messages.events.js';
import { parseConversation } from './place.js';
import type { MessageDocument } from './projections/message.document.js';
import { isMentioned, isWildcard } from './queries/message-flags.js';
import { MessagesReader } from './queries/messages.reader.js';
import { allowsEmptyTopic, wireTopic } from './wire-topic.js';

interface Body {
  readonly op: FlagsChanged['data']['op'];
  readonly flag: FlagsChanged['data']['flag'];
  readonly ids: Ranges;
  /** Everything became read. */
  readonly all: boolean;
}

/**
 * What a user is told whose request changed nothing: each flag update has its event (events.md §2), and clients wait for it.
 * There is no fact to tell of, so this is announced.
 */
export function unchangedEntry(userId: number, { op, flag, all }: Omit<Body, 'ids'>): FeedEntry {
  return entryOf(userId, { op, flag, ids: [], all });
}

function entryOf(userId: number, body: Body): FeedEntry {
  return { type: 'update_message_flags', audience: { to: 'users', ids: [userId] }, body: { ...body } };
}

type Documents = ReadonlyMap<number, MessageDocument>;

/** What a user's clients are told of the user's flags (events.md §2): `update_message_flags`. */
@Injectable()
export class FlagClientEvents extends ClientEvents {
  override readonly facts: ReadonlySet<string> = new Set(['flags.changed.v1']);
  override readonly types: ReadonlySet<string> = new Set(['update_message_flags']);

  constructor(
    private readonly directory: Directory,
    private readonly messages: MessagesReader,
  ) {
    super();
  }

  override derive(fact: Recorded<FlagsChanged['data']>): readonly FeedEntry[] {
    const { userId, op, flag, ids } = fact.data;
    return [entryOf(userId, { op, flag, ids, all: fact.metadata['all'] === true })];
  }

  /** What became unread is told with where it stands. */
  override prepare(entries: readonly Presentable[]): Promise<Documents> {
    const ids = entries.flatMap(({ entry }) => {
      const body = bodyOf(entry);
      return isUnreading(body) ? idsIn(body.ids) : [];
    });
    return this.messages.getMany([...new Set(ids)]);
  }

  override present({ entry }: Presentable, recipient: Recipient, prepared: unknown): readonly ClientEvent[] {
    const body = bodyOf(entry);
    if (body.ids.length === 0) return [eventOf(body, [], isUnreading(body) ? { message_details: {} } : {})];
    if (isUnreading(body)) return this.#unread(body, recipient, prepared as Documents);
    return [eventOf(body, body.all ? [] : idsIn(body.ids), {})];
  }

  #unread(body: Body, recipient: Recipient, docs: Documents): readonly ClientEvent[] {
    const details: Record<string, JsonObject> = {};
    const messageIds: number[] = [];
    for (const id of idsIn(body.ids)) {
      const doc = docs.get(id);
      if (doc === undefined || !mayReadMessage(this.directory, recipient.user, located(id, doc))) continue;
      messageIds.push(id);
      details[id] = this.#detailsOf(doc, recipient);
    }
    return messageIds.length === 0 ? [] : [eventOf(body, messageIds, { message_details: details })];
  }

  #detailsOf(doc: MessageDocument, { user, settings }: Recipient): JsonObject {
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

/** A body comes back as it was derived. */
function bodyOf({ body }: FeedEntry): Body {
  return body as unknown as Body;
}

function isUnreading({ op, flag }: Body): boolean {
  return op === 'remove' && flag === 'read';
}

function eventOf({ op, flag, all }: Body, messages: readonly number[], more: JsonObject): ClientEvent {
  // `operation` is what older clients read.
  return { type: 'update_message_flags', op, operation: op, flag, messages, all, ...more };
}
