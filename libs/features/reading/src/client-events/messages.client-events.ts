import { Injectable } from '@nestjs/common';
import { EventStore, type RecordedEvent } from '#event-store';
import { ClientEvents, type Derivations, type Presentable, type Recipient } from '#feed';
import { idsIn, memoized } from '#kernel';
import {
  allowsEmptyTopic,
  located,
  mayReadMessage,
  type MessageDeleted,
  type MessageDocument,
  type MessageEdited,
  type MessagesDeleted,
  type MessagesExpired,
  type MessagesMoved,
  MessagesReader,
  parseConversation,
  type Place,
  placeOf,
  type SentData,
  SentMessages,
  type SubmessageAdded,
} from '#messages';
import { Directory, isLimitedViewer } from '#people';
import { Gravatar } from '#users/model';
import { ExtraEmojiType } from '#pictures/model';
import { messageEntries, type MessageDomainEvent, type SentBody } from './message-entries.js';
import { isConcerned, type Where } from './concerned.js';
import { DeliveryAccess } from './delivery-access.js';
import {
  deletionEvents,
  editEvent,
  moveEvent,
  reactionEvent,
  submessageEvent,
  toldMessage,
} from './message-wire-events.js';
import {
  documentOf,
  prepareMessages,
  type Body,
  type MessageBody,
  type PreparationParts,
  type Prepared,
} from './message-preparation.js';
import { FlagsReader } from '../flags/flags.reader.js';
import { flagsOf, freshFlags, hasReceived, isOwn, seenBy, UNTOUCHED } from '../flags/message-flags.js';
import { MessageHolders } from '../flags/message-holders.js';
import { passesNarrow } from './queue-narrow.js';
import { mayRegain, REGAINED_TOLD_MAX, type Regaining } from './regained-messages.js';
import { type SentWireMessage, wireMessage, type WireOptions } from '../wire/wire-message.js';
import type { WireMessageEvent } from './message-events.schema.js';

const NO_DOCS: ReadonlyMap<number, MessageDocument> = new Map();

type Arrivals = NonNullable<MessagesDeleted['data']['arrivals']>;
type Mentioned = NonNullable<MessageDeleted['data']['mentioned']>;

/** By message. One list for all recipients: hundreds of messages may each be compared with hundreds. */
const arrivalsByMessage = memoized(
  (arrivals: Arrivals) => new Map(arrivals.flatMap(({ ids, arrival }) => idsIn(ids).map((id) => [id, arrival]))),
);
const mentionedByMessage = memoized(
  (mentioned: Mentioned) => new Map(mentioned.map(({ id, userIds }) => [id, new Set(userIds)])),
);

/** Client events about messages (events.md §2): message, update_message, delete_message, reaction, submessage. */
@Injectable()
export class MessageClientEvents extends ClientEvents<WireMessageEvent> {
  override readonly on: Derivations<MessageDomainEvent> = messageEntries;
  override readonly types: ReadonlySet<string> = new Set([
    'message',
    'update_message',
    'delete_message',
    'reaction',
    'submessage',
  ]);
  readonly #access: DeliveryAccess;
  readonly #parts: PreparationParts;

  constructor(
    private readonly directory: Directory,
    messages: MessagesReader,
    flags: FlagsReader,
    holders: MessageHolders,
    private readonly sent: SentMessages,
    store: EventStore,
    private readonly extraEmojiType: ExtraEmojiType,
    private readonly gravatar: Gravatar,
  ) {
    super();
    this.#access = new DeliveryAccess(directory);
    this.#parts = { directory, messages, flags, holders, sent, store };
  }

  override recorded(event: RecordedEvent): void {
    this.sent.recorded(event);
  }

  override prepare(entries: readonly Presentable<MessageBody>[], userIds: ReadonlySet<number>): Promise<Prepared> {
    return prepareMessages(this.#parts, entries, userIds);
  }

  override present(
    { entry, position }: Presentable<MessageBody>,
    recipient: Recipient,
    loaded: Prepared,
  ): readonly WireMessageEvent[] {
    const { body } = entry;
    if ('regaining' in body) return this.#regained(entry.type, body.regaining, position, recipient, loaded);
    if ('messageId' in body) return this.#message(body, recipient, loaded);
    if ('edit' in body) return this.#edit(body.edit, position, recipient, loaded);
    if ('move' in body) return this.#move(entry.type, body.move, position, recipient, loaded);
    if ('deletion' in body) return this.#deletion(body.deletion, position, recipient, loaded);
    if ('deletions' in body) return this.#deletions(body.deletions, position, recipient, loaded);
    if ('submessage' in body) return this.#submessage(body.submessage, position, recipient, loaded);
    return this.#reaction(body, position, recipient, loaded);
  }

  #message(body: SentBody, recipient: Recipient, { sent, docs, wires }: Prepared): readonly WireMessageEvent[] {
    const { messageId } = body;
    const { user, settings, queueId } = recipient;
    const data = sent.get(messageId);
    if (data === undefined) throw new Error(`The log has no send event of message ${messageId}.`);
    if (!this.#access.mayReadSince(user, messageId, placeOf(data), docs.get(messageId))) return [];
    // Later edits have their own client events, so this one shows the message as it was sent.
    const doc = documentOf(data);
    const isTheirs = hasReceived(this.directory, user.userId, messageId, doc) || singlesOut(data, user.userId);
    const flags = isTheirs ? freshFlags(this.directory, user.userId, messageId, doc) : [];
    if (!passesNarrow(this.directory, settings.narrow, { data, flags })) return [];
    const message = this.#wire(messageId, doc, recipient, wires);
    const { localId } = body;
    const isEchoed = data.senderId === user.userId && body.queueId === queueId;
    if (localId === undefined || !isEchoed) return [{ type: 'message', message, flags }];
    return [{ type: 'message', message, flags, local_message_id: localId, local_id: localId }];
  }

  #wire(messageId: number, doc: MessageDocument, recipient: Recipient, wires: Prepared['wires']): SentWireMessage {
    const options = this.#wireOptionsOf(recipient);
    const { applyMarkdown, clientGravatar, allowEmptyTopicName } = options;
    // What limited guests see depends on whom they know.
    const whose = isLimitedViewer(this.directory, recipient.user) ? recipient.user.userId : '';
    const key = `${messageId}:${whose}:${[applyMarkdown, clientGravatar, allowEmptyTopicName].join()}`;
    let wire = wires.get(key);
    if (wire === undefined) {
      wire = wireMessage(this.directory, recipient.user, messageId, doc, undefined, options);
      wires.set(key, wire);
    }
    return wire;
  }

  #edit(
    edit: MessageEdited['data'],
    position: number,
    recipient: Recipient,
    prepared: Prepared,
  ): readonly WireMessageEvent[] {
    const { messageId, place, by, unmentioned } = edit;
    const { user } = recipient;
    if (!this.#access.mayReadSince(user, messageId, place, prepared.docs.get(messageId))) return [];
    const isNamed = by === user.userId || unmentioned?.includes(user.userId) === true;
    if (!isNamed && !isConcerned(this.directory, prepared, user.userId, messageId, { place, position })) return [];
    return [editEvent(this.directory, edit, this.#flagsFor(edit.messageId, recipient, prepared))];
  }

  #move(
    type: string,
    move: MessagesMoved['data'],
    position: number,
    recipient: Recipient,
    prepared: Prepared,
  ): readonly WireMessageEvent[] {
    const { user, settings } = recipient;
    const { edit, ...moved } = move;
    const { targetId, from, by, continues } = moved;
    const { kept, lost } = this.#access.partMoved(user, move, idsIn(move.ids), position, prepared.docs);
    if (type === 'delete_message') return deletionEvents(lost, from, settings);
    if (kept.length === 0) return [];
    // Recipients of the first event of a move receive all of them: by then the target has arrived.
    const where = { place: from, position, ...(continues === undefined ? undefined : { arrived: move.to }) };
    const isNamed = by === user.userId || edit?.unmentioned?.includes(user.userId) === true;
    const { userId } = user;
    const hasTarget = isNamed || isConcerned(this.directory, prepared, userId, targetId, where);
    if (!hasTarget && prepared.movedOf.get(position)?.has(userId) !== true) return [];
    const tellsEdit =
      edit !== undefined && this.#access.mayReadSince(user, targetId, from, prepared.docs.get(targetId));
    const told = tellsEdit ? move : moved;
    const flags = this.#flagsFor(toldMessage(move, kept), recipient, prepared);
    return [moveEvent(this.directory, told, kept, flags, settings)];
  }

  /**
   * Messages that a recipient has, and that a move brought out of a channel that they may not read: presented as
   * deleted there, without an event, and sent at their new place.
   */
  #regained(
    type: string,
    regaining: Regaining,
    position: number,
    recipient: Recipient,
    prepared: Prepared,
  ): readonly WireMessageEvent[] {
    const { user, settings } = recipient;
    if (!mayRegain(this.directory, user, regaining)) return [];
    const found = prepared.regained.get(position)?.get(user.userId);
    if (found === undefined || found === 'too many')
      throw new Error(`Moves give more than ${REGAINED_TOLD_MAX} messages back to user ${user.userId} at once.`);
    const readable = found.filter(({ messageId, doc }) =>
      mayReadMessage(this.directory, user, located(messageId, doc)),
    );
    if (type === 'delete_message') {
      const ids = readable.map(({ messageId }) => messageId);
      return deletionEvents(ids, regaining.to, settings);
    }
    return readable.flatMap(({ messageId, doc, flags }) => {
      const place = parseConversation(doc.conversation);
      if (!('channelId' in place)) return [];
      const data = { senderId: doc.senderId, channelId: place.channelId, topic: doc.topic ?? '' };
      if (!passesNarrow(this.directory, settings.narrow, { data, flags })) return [];
      const message = wireMessage(this.directory, user, messageId, doc, undefined, this.#wireOptionsOf(recipient));
      return [{ type: 'message', message, flags }];
    });
  }

  #deletion(
    deletion: MessageDeleted['data'],
    position: number,
    recipient: Recipient,
    prepared: Prepared,
  ): readonly WireMessageEvent[] {
    const { messageId, place, by, mentioned } = deletion;
    const { user, settings } = recipient;
    if (!this.#access.mayHaveRead(user, deletion)) return [];
    const where = { place, position };
    if (by !== user.userId && !this.#concernedGone(user.userId, messageId, where, prepared, mentioned)) return [];
    return deletionEvents([messageId], place, settings);
  }

  #deletions(
    { ids, place, arrivals, mentioned, ...data }: MessagesDeleted['data'] | MessagesExpired['data'],
    position: number,
    { user, settings }: Recipient,
    prepared: Prepared,
  ): readonly WireMessageEvent[] {
    const by = 'by' in data ? data.by : undefined;
    const cameBy = arrivals === undefined ? undefined : arrivalsByMessage(arrivals);
    const seen = idsIn(ids).filter((messageId) => {
      const arrival = cameBy?.get(messageId);
      const deletion = { messageId, place, arrival };
      if (!this.#access.mayHaveRead(user, deletion)) return false;
      return (
        by === user.userId || this.#concernedGone(user.userId, messageId, { place, position }, prepared, mentioned)
      );
    });
    return deletionEvents(seen, place, settings);
  }

  /** Whether the deletion of a message concerns the user, judged by the send event and by whom edits mentioned. */
  #concernedGone(
    userId: number,
    messageId: number,
    where: Where,
    { sent, holders }: Prepared,
    mentioned: MessageDeleted['data']['mentioned'],
  ): boolean {
    const data = sent.get(messageId);
    if (data === undefined) return isConcerned(this.directory, { docs: NO_DOCS, holders }, userId, messageId, where);
    const doc = documentOf(data);
    const isMentioned = mentioned !== undefined && mentionedByMessage(mentioned).get(messageId)?.has(userId) === true;
    const docs = new Map([[messageId, isMentioned ? { ...doc, mentions: [userId] } : doc]]);
    return isConcerned(this.directory, { docs, holders }, userId, messageId, where);
  }

  #reaction(
    { op, reaction }: Extract<Body, { reaction: object }>,
    position: number,
    recipient: Recipient,
    prepared: Prepared,
  ): readonly WireMessageEvent[] {
    if (!this.#isToldOfAddition(reaction, reaction.userId, position, recipient.user, prepared)) return [];
    return [reactionEvent(this.directory, op, reaction, recipient.user, this.extraEmojiType)];
  }

  #submessage(
    submessage: SubmessageAdded['data'],
    position: number,
    { user }: Recipient,
    prepared: Prepared,
  ): readonly WireMessageEvent[] {
    if (!this.#isToldOfAddition(submessage, submessage.senderId, position, user, prepared)) return [];
    return [submessageEvent(submessage)];
  }

  /** Whether an addition to a message concerns the user (events.md §2, reaction and submessage). */
  #isToldOfAddition(
    { messageId, place }: { readonly messageId: number; readonly place: Place },
    by: number,
    position: number,
    user: Recipient['user'],
    prepared: Prepared,
  ): boolean {
    if (!this.#access.mayReadSince(user, messageId, place, prepared.docs.get(messageId))) return false;
    return by === user.userId || isConcerned(this.directory, prepared, user.userId, messageId, { place, position });
  }

  /** Receivers who do not have the message in their own history are told that it is read, and nothing else (events.md §2). */
  #flagsFor(messageId: number, { user }: Recipient, { docs, flags }: Prepared): readonly string[] {
    const doc = docs.get(messageId);
    if (doc === undefined) return [];
    const { userId } = user;
    const personal = flags.get(userId)?.of(messageId) ?? UNTOUCHED;
    const seen = seenBy(this.directory, userId, messageId, doc, personal);
    return flagsOf(doc, seen).filter((flag) => flag !== 'historical' || isOwn(seen));
  }

  #wireOptionsOf({ settings }: Recipient): WireOptions {
    return {
      applyMarkdown: settings.applyMarkdown,
      clientGravatar: this.gravatar.isComputed(settings.clientGravatar),
      allowEmptyTopicName: allowsEmptyTopic(settings),
      extraEmojiType: this.extraEmojiType,
    };
  }
}

/** Whether the message is addressed to the user; queues may also receive messages that are not. */
function singlesOut({ senderId, mentions }: SentData, userId: number): boolean {
  return senderId === userId || mentions?.includes(userId) === true;
}
