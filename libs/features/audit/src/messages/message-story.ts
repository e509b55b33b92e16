import { messageIdOf } from '#event-store';
import {
  type ContentEdit,
  type FileReference,
  type MessageDeleted,
  type MessageEdited,
  type MessagesDeleted,
  type MessagesExpired,
  type MessagesMoved,
  type Place,
  placeOf,
  type ReactionAdded,
  type SubmessageAdded,
  topicAfterMove,
  topicKeyOf,
} from '#messages';
import type { Directory } from '#people';
import { preferencesPart } from '#preferences/model';
import { type Change, changesBetween, type FlagsChanged } from '#reading';
import { isEventUpTo, type Moment } from '../moment.js';
import { type Row, rowOf } from '../rows.js';
import { wireContent, wirePlace, wireUser } from '../wire.js';
import type { MessageEvents } from './message-events.js';
import type { StoryEvent } from './message-events.js';
import type { SentEvent } from './sends.js';

interface Progress {
  readonly messageId: number;
  readonly senderId: number;
  version: number;
  /** Where the message stands, as it spells the topic. */
  place: Place;
  readonly fileIds: Set<number>;
}

/**
 * Everything about one message: it was sent, to whom it came, its versions, places, reactions, flags and deletion, in the order of
 * the log; then who was notified, and its files.
 */
export class MessageStory {
  constructor(
    private readonly directory: Directory,
    private readonly events: MessageEvents,
  ) {}

  async *rows(messageId: number, moment: Moment): AsyncGenerator<Row, void, void> {
    const sent = await this.events.sent(messageId);
    if (sent === undefined || !isEventUpTo(moment, sent)) return;
    const progress = progressOf(sent);
    yield this.#sent(sent, progress);
    yield* this.#deliveries(sent, placeOf(sent.data), progress);
    for await (const event of this.events.after(messageId))
      if (isEventUpTo(moment, event)) yield* this.#told(event, progress);
    for await (const event of this.events.notices(messageId))
      if (isEventUpTo(moment, event)) yield this.#notified(event, messageId);
    yield* this.#files(progress, moment);
  }

  /**
   * What the message itself was: versions, places, reactions, submessages, deletion, and its files.
   * @param changes of the message, in the order of the log
   */
  async *itself(sent: SentEvent, changes: AsyncIterable<StoryEvent>, moment: Moment): AsyncGenerator<Row, void, void> {
    const progress = progressOf(sent);
    yield this.#sent(sent, progress);
    for await (const event of changes)
      if (isEventUpTo(moment, event))
        for (const row of this.#told(event, progress)) if (row.type !== 'delivered') yield row;
    yield* this.#files(progress, moment);
  }

  #sent(sent: SentEvent, { messageId }: Progress): Row {
    const { senderId, client, readBySender } = sent.data;
    return rowOf(this.directory, sent, 'sent', {
      message_id: messageId,
      version: 1,
      sender: wireUser(this.directory, senderId),
      place: wirePlace(this.directory, placeOf(sent.data)),
      ...wireContent(sent.data),
      client,
      read_by_sender: readBySender,
    });
  }

  async *#files({ messageId, fileIds }: Progress, moment: Moment): AsyncGenerator<Row, void, void> {
    for (const fileId of fileIds)
      for await (const event of this.events.file(fileId))
        if (isEventUpTo(moment, event)) yield this.#file(event, messageId, fileId);
  }

  /** Whom the message came to with this event: those in the conversation then, and whom it addresses beside them. */
  *#deliveries(event: StoryEvent, place: Place, { messageId, senderId }: Progress): Generator<Row, void, void> {
    const isSend = event.type === 'message.sent.v1';
    const inside = 'to' in place ? place.to : this.directory.subscriberIdsAt(place.channelId, event.position);
    const how = new Map<number, string>(inside.map((userId) => [userId, 'to' in place ? 'participant' : 'subscribed']));
    const { mentions = [], unreadFor, readBy } = event.data as SentEvent['data'];
    if (isSend) {
      for (const userId of mentions) if (!how.has(userId)) how.set(userId, 'mentioned');
      if (!how.has(senderId)) how.set(senderId, 'sender');
    }
    const muting = this.directory.of(preferencesPart);
    for (const [userId, reason] of how) {
      const isReadFor = unreadFor?.includes(userId) === false || readBy?.includes(userId) === true;
      const arrivedRead = isSend && (isReadFor || muting.wasMutingAt(userId, senderId, messageId));
      yield rowOf(this.directory, event, 'delivered', {
        message_id: messageId,
        user: wireUser(this.directory, userId),
        how: reason,
        ...(arrivedRead ? { arrived_read: true } : {}),
      });
    }
  }

  *#told(event: StoryEvent, progress: Progress): Generator<Row, void, void> {
    const { directory } = this;
    const row = (type: string, more: object): Row =>
      rowOf(directory, event, type, { message_id: progress.messageId, ...more });
    switch (event.type) {
      case 'message.edited.v1': {
        const { place, ...edit } = event.data as MessageEdited['data'];
        yield row('edited', { place: wirePlace(directory, place), ...edited(edit, progress) });
        return;
      }
      case 'messages.moved.v1': {
        const { edit, propagateMode, targetId, ...move } = event.data as MessagesMoved['data'];
        const from = spelled(move.from, progress);
        const to = { ...move.to, topic: topicAfterMove('topic' in from ? from.topic : '', move) };
        progress.place = to;
        yield row('moved', {
          from: wirePlace(directory, from),
          to: wirePlace(directory, to),
          propagate_mode: propagateMode,
          target_id: targetId,
        });
        if (move.from.channelId !== to.channelId) yield* this.#deliveries(event, to, progress);
        if (edit !== undefined && targetId === progress.messageId)
          yield row('edited', { place: wirePlace(directory, to), ...edited(edit, progress) });
        return;
      }
      case 'message.deleted.v1':
        yield row('deleted', {
          deleted_with: 'itself',
          place: wirePlace(directory, (event.data as MessageDeleted['data']).place),
        });
        return;
      case 'messages.deleted.v1':
        yield row('deleted', {
          deleted_with: 'topic',
          place: wirePlace(directory, spelled((event.data as MessagesDeleted['data']).place, progress)),
        });
        return;
      case 'messages.expired.v1': {
        const { place, policy } = event.data as MessagesExpired['data'];
        yield row('deleted', {
          deleted_with: 'retention',
          place: wirePlace(directory, spelled(place, progress)),
          policy,
        });
        return;
      }
      case 'reaction.added.v1':
      case 'reaction.removed.v1': {
        const { emojiName, emojiCode, reactionType } = event.data as ReactionAdded['data'];
        const type = event.type === 'reaction.added.v1' ? 'reacted' : 'unreacted';
        yield row(type, { emoji_name: emojiName, emoji_code: emojiCode, reaction_type: reactionType });
        return;
      }
      case 'submessage.added.v1':
        yield row('submessage', { content: (event.data as SubmessageAdded['data']).content });
        return;
      case 'flags.changed.v1': {
        const { userId, op, flag } = event.data as FlagsChanged['data'];
        yield row('flag', { user: wireUser(directory, userId), flag, op });
        return;
      }
      default:
        yield row('notified', notice(event, progress.messageId));
    }
  }

  #notified(event: StoryEvent, messageId: number): Row {
    return rowOf(this.directory, event, 'notified', { message_id: messageId, ...notice(event, messageId) });
  }

  #file(event: StoryEvent, messageId: number, fileId: number): Row {
    const { name, size, hash, contentType, reason } = event.data as Record<string, unknown>;
    const isUpload = event.type === 'file.uploaded.v1';
    const type = isUpload ? 'file_uploaded' : 'file_removed';
    const more = isUpload ? { name, size, sha256: hash, content_type: contentType } : { reason };
    return rowOf(this.directory, event, type, { message_id: messageId, file_id: fileId, ...more });
  }
}

function progressOf({ revision, data }: SentEvent): Progress {
  const { senderId, files } = data;
  const place = placeOf(data);
  const progress = { messageId: messageIdOf(revision), senderId, version: 1, place, fileIds: new Set<number>() };
  note(progress, files);
  return progress;
}

/** The place that an event about several messages names, as this message spells its topic. Damage may hide how it came there. */
function spelled(named: Place, { place }: Progress): Place {
  const isThere = 'topic' in named && 'topic' in place && topicKeyOf(named.topic) === topicKeyOf(place.topic);
  return isThere ? { ...named, topic: place.topic } : named;
}

function note({ fileIds }: Progress, files: readonly FileReference[] = []): void {
  for (const { fileId } of files) fileIds.add(fileId);
}

function edited(edit: ContentEdit, progress: Progress): object {
  note(progress, edit.files);
  return {
    version: ++progress.version,
    ...wireContent(edit),
    diff: wordDiff(edit.prevContent, edit.content),
  };
}

/** What changed, by words: kept text, and deleted text with what came in its place. */
export function wordDiff(before: string, after: string): readonly Change[] {
  return changesBetween(before, after).filter((change) =>
    'kept' in change ? change.kept !== '' : change.deleted !== '' || change.inserted !== '',
  );
}

/** Who is or was to be told of the message, as the event says. */
function notice({ type, data }: StoryEvent, messageId: number): object {
  const { kind, push, mail, told, until, missed, userId, dueAt } = data as Record<string, unknown>;
  const missedBy = (missed as { userId: number; messageIds: number[]; dueAt: number }[] | undefined)
    ?.filter(({ messageIds }) => messageIds.includes(messageId))
    .map((one) => ({ user_id: one.userId, due_at: one.dueAt }));
  return {
    step: type.replace(/\.v\d+$/, ''),
    kind,
    push: told === undefined ? wireTold(push) : undefined,
    mail: wireTold(mail) ?? missedBy,
    told,
    until,
    user_id: userId,
    due_at: dueAt,
  };
}

function wireTold(list: unknown): object[] | undefined {
  return (list as { userId: number; trigger: string }[] | undefined)?.map(({ userId, trigger }) => ({
    user_id: userId,
    trigger,
  }));
}
