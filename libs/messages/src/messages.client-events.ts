import { Injectable } from '@nestjs/common';
import type { Recorded } from '#event-store';
import { ClientEvents, type ClientEvent, type FeedEntry, type Presentable, type Recipient } from '#feed';
import { idsIn, type JsonObject } from '#kernel';
import { Directory, hasSharedHistory } from '#organization';
import { entriesOf, MESSAGE_FACTS, type SentBody } from './message-entries.js';
import { MessageSight } from './message-sight.js';
import { deletionEvents, editEvent, moveEvent, reactionEvent } from './message-wire-events.js';
import type { MessageDeleted, MessageEdited, MessagesMoved, MessageSent, ReactionAdded } from './messages.events.js';
import type { MessageDocument } from './projections/message.document.js';
import { messagesProjection } from './projections/messages.projection.js';
import { FlagsReader, type FlagLookup } from './queries/flags.reader.js';
import { flagsOf, freshFlags, hasReceived, seenBy, UNTOUCHED } from './queries/message-flags.js';
import { MessagesReader } from './queries/messages.reader.js';
import { passesNarrow } from './queue-narrow.js';
import { SentMessages, type SentData } from './sent-messages.js';
import { isZulipClient, wireMessage, type WireOptions } from './wire-message.js';

/** What presenting a batch of entries needs. */
interface Prepared {
  /** The facts that messages were sent, for `message` entries. */
  readonly sent: ReadonlyMap<number, SentData>;
  /** Messages as they stand now. */
  readonly docs: ReadonlyMap<number, MessageDocument>;
  /** What recipients made of the flags of changed messages. */
  readonly flags: ReadonlyMap<number, FlagLookup>;
  /** Messages on the wire, shared by all recipients that see them alike. */
  readonly wires: Map<string, JsonObject>;
}

type Body =
  | { readonly edit: MessageEdited['data'] }
  | { readonly move: MessagesMoved['data'] }
  | { readonly deletion: MessageDeleted['data'] }
  | { readonly op: 'add' | 'remove'; readonly reaction: ReactionAdded['data'] };

/** What clients are told about messages (events.md §2): message, update_message, delete_message, reaction. */
@Injectable()
export class MessageClientEvents extends ClientEvents {
  override readonly facts = MESSAGE_FACTS;
  override readonly types: ReadonlySet<string> = new Set(['message', 'update_message', 'delete_message', 'reaction']);
  readonly #sight: MessageSight;

  constructor(
    private readonly directory: Directory,
    private readonly messages: MessagesReader,
    private readonly flags: FlagsReader,
    private readonly sent: SentMessages,
  ) {
    super();
    this.#sight = new MessageSight(directory);
  }

  override derive(fact: Recorded, directory: Directory): readonly FeedEntry[] {
    if (fact.type === 'message.sent.v1') this.sent.remember(fact as Recorded<SentData>);
    return entriesOf(fact, directory);
  }

  override async prepare(entries: readonly Presentable[], userIds: ReadonlySet<number>): Promise<Prepared> {
    const sentIds: number[] = [];
    const changedIds: number[] = [];
    const docIds = new Set<number>();
    for (const { entry } of entries) {
      if (entry.type === 'message') {
        const { messageId } = entry.body as unknown as SentBody;
        sentIds.push(messageId);
        docIds.add(messageId);
        continue;
      }
      const body = entry.body as unknown as Body;
      if ('reaction' in body) docIds.add(body.reaction.messageId);
      if ('edit' in body) changedIds.push(body.edit.messageId);
      if ('move' in body) {
        if (entry.type === 'update_message') changedIds.push(body.move.targetId);
        if (this.#isProtected(body.move.from.channelId)) for (const id of idsIn(body.move.ids)) docIds.add(id);
      }
    }
    for (const id of changedIds) docIds.add(id);
    const [sent, docs, flags] = await Promise.all([
      this.sent.getMany(sentIds),
      this.messages.getMany([...docIds]),
      this.#loadFlags(changedIds, userIds),
    ]);
    return { sent, docs, flags, wires: new Map() };
  }

  override present({ entry, position }: Presentable, recipient: Recipient, prepared: unknown): readonly ClientEvent[] {
    const loaded = prepared as Prepared;
    if (entry.type === 'message') return this.#message(entry.body as unknown as SentBody, recipient, loaded);
    const body = entry.body as unknown as Body;
    if ('edit' in body) return this.#edit(body.edit, recipient, loaded);
    if ('move' in body) return this.#move(entry.type, body.move, position, recipient, loaded);
    if ('deletion' in body) return this.#deletion(body.deletion, recipient);
    return this.#reaction(body, recipient, loaded);
  }

  #message(body: SentBody, recipient: Recipient, { sent, docs, wires }: Prepared): readonly ClientEvent[] {
    const { messageId } = body;
    const { user, settings, queueId } = recipient;
    const data = sent.get(messageId);
    if (data === undefined) throw new Error(`The fact that message ${messageId} was sent is not in the log.`);
    if (!this.#sight.mayReadSince(user, messageId, placeOf(data), docs.get(messageId))) return [];
    // Later edits come with events of their own, so this one shows the message as it was sent.
    const doc = documentOf(messageId, data);
    const isTheirs = hasReceived(this.directory, user.userId, messageId, doc) || singlesOut(data, user.userId);
    const flags = isTheirs ? freshFlags(this.directory, user.userId, messageId, doc) : [];
    if (!passesNarrow(this.directory, settings.narrow, { data, flags })) return [];
    const message = this.#wire(messageId, doc, recipient, wires);
    const { localId } = body;
    const isEchoed = data.senderId === user.userId && body.queueId === queueId;
    if (localId === undefined || !isEchoed) return [{ type: 'message', message, flags }];
    return [{ type: 'message', message, flags, local_message_id: localId, local_id: localId }];
  }

  #wire(messageId: number, doc: MessageDocument, recipient: Recipient, wires: Map<string, JsonObject>): JsonObject {
    const options = wireOptionsOf(recipient);
    const { applyMarkdown, clientGravatar, allowEmptyTopicName, clientIsZulip } = options;
    const key = `${messageId}${[applyMarkdown, clientGravatar, allowEmptyTopicName, clientIsZulip].join()}`;
    let wire = wires.get(key);
    if (wire === undefined) {
      wire = wireMessage(this.directory, recipient.user, messageId, doc, undefined, options);
      wires.set(key, wire);
    }
    return wire;
  }

  #edit(edit: MessageEdited['data'], recipient: Recipient, prepared: Prepared): readonly ClientEvent[] {
    const doc = prepared.docs.get(edit.messageId);
    if (!this.#sight.mayReadSince(recipient.user, edit.messageId, edit.place, doc)) return [];
    return [editEvent(this.directory, edit, this.#flagsFor(edit.messageId, recipient, prepared))];
  }

  #move(
    type: string,
    move: MessagesMoved['data'],
    position: number,
    recipient: Recipient,
    prepared: Prepared,
  ): readonly ClientEvent[] {
    const { kept, lost } = this.#sight.partMoved(recipient.user, move, idsIn(move.ids), position, prepared.docs);
    const { settings } = recipient;
    if (type === 'delete_message') return deletionEvents(lost, move.from, settings);
    if (kept.length === 0) return [];
    return [moveEvent(this.directory, move, kept, this.#flagsFor(move.targetId, recipient, prepared), settings)];
  }

  #deletion(deletion: MessageDeleted['data'], { user, settings }: Recipient): readonly ClientEvent[] {
    if (!this.#sight.mayHaveRead(user, deletion)) return [];
    return deletionEvents([deletion.messageId], deletion.place, settings);
  }

  #reaction(
    { op, reaction }: Extract<Body, { reaction: object }>,
    { user, settings }: Recipient,
    { docs }: Prepared,
  ): readonly ClientEvent[] {
    const { messageId, place } = reaction;
    if (!this.#sight.mayReadSince(user, messageId, place, docs.get(messageId))) return [];
    return [reactionEvent(this.directory, op, reaction, settings)];
  }

  #flagsFor(messageId: number, { user }: Recipient, { docs, flags }: Prepared): readonly string[] {
    const doc = docs.get(messageId);
    if (doc === undefined) return [];
    const { userId } = user;
    const personal = flags.get(userId)?.of(messageId) ?? UNTOUCHED;
    return flagsOf(doc, seenBy(this.directory, userId, messageId, doc, personal));
  }

  async #loadFlags(messageIds: readonly number[], userIds: ReadonlySet<number>): Promise<Map<number, FlagLookup>> {
    const lookups = new Map<number, FlagLookup>();
    if (messageIds.length === 0) return lookups;
    for (const userId of userIds) lookups.set(userId, await this.flags.load(userId, messageIds));
    return lookups;
  }

  #isProtected(channelId: number): boolean {
    const channel = this.directory.channel(channelId);
    return channel !== undefined && !hasSharedHistory(channel);
  }
}

function placeOf({ channelId, topic, to }: SentData): MessageEdited['data']['place'] {
  return channelId === undefined ? { to: to ?? [] } : { channelId, topic: topic ?? '' };
}

/** Queues may hear of messages that are not for their user; these are. */
function singlesOut({ senderId, mentions }: SentData, userId: number): boolean {
  return senderId === userId || mentions?.includes(userId) === true;
}

const documents = new WeakMap<SentData, MessageDocument>();

/** The message as it was sent. */
function documentOf(messageId: number, data: SentData): MessageDocument {
  let doc = documents.get(data);
  if (doc !== undefined) return doc;
  const fact = { type: 'message.sent.v1', data, revision: messageId - 1 } satisfies MessageSent & { revision: number };
  doc = messagesProjection.evolve(undefined, fact as unknown as Recorded, messageId);
  if (doc === undefined) throw new Error('A message that was sent is a message.');
  documents.set(data, doc);
  return doc;
}

function wireOptionsOf({ settings }: Recipient): WireOptions {
  return {
    applyMarkdown: settings.applyMarkdown,
    clientGravatar: settings.clientGravatar,
    allowEmptyTopicName: settings.capabilities.includes('empty_topic_name'),
    clientIsZulip: isZulipClient(settings.clientName),
  };
}
