import { Injectable } from '@nestjs/common';
import { CommandPath, type CommandResult, streams } from '#event-store';
import { Clock } from '#kernel';
import { Directory, type Channel, type User } from '#organization';
import { accessMessage, invalidMessage, located } from './message.access.js';
import type { MessageCommand } from './message.commands.js';
import { messageDecider } from './message.decider.js';
import type { MessageEvent, MessageSent, Place } from './messages.events.js';
import { MoveTurns } from './move-turns.js';
import { parseConversation } from './place.js';
import type { MessageDocument } from './projections/message.document.js';
import { MessagesReader } from './queries/messages.reader.js';
import { SentMessages } from './sent-messages.js';

/** A message that somebody may read, as it stands now. */
export interface OpenMessage {
  readonly messageId: number;
  readonly doc: MessageDocument;
  readonly sent: MessageSent['data'];
  readonly place: Place;
  /** Of a channel message. */
  readonly channel: Channel | undefined;
}

/** Where commands to messages that are there already come together: through the door, and on to the decider. */
@Injectable()
export class MessageDesk {
  constructor(
    private readonly directory: Directory,
    private readonly reader: MessagesReader,
    private readonly sent: SentMessages,
    private readonly path: CommandPath,
    private readonly clock: Clock,
    /** Whoever opens a message to change it does both within one turn. */
    readonly turns: MoveTurns,
  ) {}

  /** @throws Refusal BAD_REQUEST for messages that do not exist and for those that the viewer may not read alike */
  async open(viewer: User, messageId: number): Promise<OpenMessage> {
    const doc = await this.reader.get(messageId);
    if (doc === undefined) throw invalidMessage();
    accessMessage(this.directory, viewer, located(messageId, doc));
    const sent = await this.sent.get(messageId);
    if (sent === undefined) throw invalidMessage();
    const at = parseConversation(doc.conversation);
    if ('participants' in at) return { messageId, doc, sent, place: { to: [...at.participants] }, channel: undefined };
    const place = { channelId: at.channelId, topic: doc.topic ?? '' };
    return { messageId, doc, sent, place, channel: this.directory.channel(at.channelId) };
  }

  /** What every command to the message carries. */
  envelope(actor: User, { messageId, sent, place, channel }: OpenMessage) {
    return {
      messageId,
      sent,
      by: actor.userId,
      at: this.clock.nowSeconds(),
      place,
      isArchived: channel?.isArchived === true,
    };
  }

  /** Decides and records; resolves when it is durable and visible. */
  run(command: MessageCommand): Promise<CommandResult<MessageEvent>> {
    return this.path.run(messageDecider, streams.message(command.messageId), command);
  }
}
