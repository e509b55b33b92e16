import { Injectable } from '@nestjs/common';
import { CommandRunner, type CommandResult, streams } from '#event-store';
import { Clock, type Decider, type Origin } from '#kernel';
import { Directory } from '#people';
import type { Channel } from '#channels/model';
import type { User } from '#users/model';
import { accessMessage, invalidMessage, located } from '../model/message.access.js';
import type { ToMessage } from '../model/message.commands.js';
import type { MessageEvent, MessageSent, Place } from '../model/messages.events.js';
import { MoveLock } from './move-lock.js';
import { parseConversation } from '../model/place.js';
import type { MessageDocument } from '../projections/message.document.js';
import { MessagesReader } from './messages.reader.js';
import { SentMessages } from './sent-messages.js';

/** A readable message in its current state. */
export interface LoadedMessage {
  readonly messageId: number;
  readonly doc: MessageDocument;
  readonly sent: MessageSent['data'];
  readonly place: Place;
  /** Set for a channel message. */
  readonly channel: Channel | undefined;
}

/** Loads an existing message, checks access, and runs a command on its stream. */
@Injectable()
export class MessageCommands {
  constructor(
    private readonly directory: Directory,
    private readonly reader: MessagesReader,
    private readonly sent: SentMessages,
    private readonly runner: CommandRunner,
    private readonly clock: Clock,
    /** Callers that load a message to change it must do both under one lock. */
    readonly moveLock: MoveLock,
  ) {}

  /** @throws Refusal BAD_REQUEST, alike for messages that do not exist and those that the viewer may not read */
  async load(viewer: User, messageId: number): Promise<LoadedMessage> {
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

  /** Fields that every command to the message has. */
  context(actor: User, { messageId, sent, place, channel }: LoadedMessage): ToMessage {
    return {
      messageId,
      sent,
      by: actor.userId,
      at: this.clock.nowSeconds(),
      place,
      isArchived: channel?.isArchived === true,
    };
  }

  /**
   * Decides and records the command; resolves when it is durable and visible.
   * @throws Refusal SERVER_NOT_READY when it belongs to a move that is not alone any more
   */
  run<State, Command extends { readonly messageId: number }>(
    decider: Decider<State, Command, MessageEvent>,
    command: Command,
    origin: Origin,
  ): Promise<CommandResult<MessageEvent>> {
    // Asked right before the append: reading the stream takes a while.
    const whileHeld = (): Command => {
      this.moveLock.assertHeld();
      return command;
    };
    return this.runner.run(decider, streams.message(command.messageId), whileHeld, origin);
  }
}
