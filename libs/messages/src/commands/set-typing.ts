import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Announcer, type FeedEntry } from '#feed';
import { badRequest } from '#kernel';
import { Directory, type User } from '#organization';
import type { Addressee } from '../addressee.js';
import { located } from '../message.access.js';
import { MessageDesk } from '../message-desk.js';
import { SendAnswers } from '../send-answers.js';
import { decidePlace } from '../send.decider.js';
import { editTypingEntry, typingEntry, type TypingOp } from '../typing.client-events.js';

/** Tells those whom a message would be for that the sender writes one, or stopped. */
export class SetTypingCommand extends Command<void> {
  constructor(
    readonly sender: User,
    readonly op: TypingOp,
    readonly addressee: Addressee,
    /** Of a channel message, in whatever spelling. */
    readonly topic: string,
  ) {
    super();
  }
}

/** Tells those who can read a message that its sender is changing it, or stopped. */
export class SetEditTypingCommand extends Command<void> {
  constructor(
    readonly sender: User,
    readonly op: TypingOp,
    readonly messageId: number,
  ) {
    super();
  }
}

/** @throws Refusal BAD_REQUEST for what the sender may not send, or does not want to tell (endpoints.md §5) */
@CommandHandler(SetTypingCommand)
export class SetTypingHandler implements ICommandHandler<SetTypingCommand> {
  constructor(
    private readonly directory: Directory,
    private readonly answers: SendAnswers,
    private readonly announcer: Announcer,
  ) {}

  async execute({ sender, op, addressee, topic }: SetTypingCommand): Promise<void> {
    assertTells(this.directory, sender, addressee.kind === 'channel');
    const destination = await this.answers.destination(sender, addressee, topic);
    if (destination.to === 'channel' && destination.channel?.isKnown !== true) throw badRequest('Invalid channel ID');
    const place = decidePlace(sender.userId, destination);
    await announce(this.announcer, typingEntry(this.directory, { op, senderId: sender.userId, place }));
  }
}

/** @throws Refusal BAD_REQUEST for messages of others, and for what the sender does not want to tell */
@CommandHandler(SetEditTypingCommand)
export class SetEditTypingHandler implements ICommandHandler<SetEditTypingCommand> {
  constructor(
    private readonly directory: Directory,
    private readonly desk: MessageDesk,
    private readonly announcer: Announcer,
  ) {}

  async execute({ sender, op, messageId }: SetEditTypingCommand): Promise<void> {
    const { doc, place } = await this.desk.open(sender, messageId);
    if (doc.senderId !== sender.userId) throw badRequest("You don't have permission to edit this message");
    assertTells(this.directory, sender, 'channelId' in place);
    // Of all the ways it went, the last one alone decides who can read it.
    const message = located(messageId, { ...doc, arrivals: doc.arrivals?.slice(-1) });
    await announce(this.announcer, editTypingEntry(this.directory, { op, senderId: sender.userId, place, message }));
  }
}

function assertTells({ preferences }: Directory, { userId }: User, isInChannel: boolean): void {
  const name = isInChannel ? 'send_stream_typing_notifications' : 'send_private_typing_notifications';
  if (preferences.setting(userId, name)) return;
  throw badRequest(`You have disabled typing notifications for ${isInChannel ? 'channel' : 'direct'} messages.`);
}

async function announce(announcer: Announcer, entry: FeedEntry | undefined): Promise<void> {
  if (entry !== undefined) await announcer.announce(entry);
}
