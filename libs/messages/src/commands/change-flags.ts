import { Injectable } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandPath, streams } from '#event-store';
import { Announcer } from '#feed';
import { badRequest, Clock, idsIn } from '#kernel';
import { Directory, type User } from '#organization';
import { unchangedEntry } from '../flags.client-events.js';
import { decideFlags, type FlaggedMessage, type FlagOperation, type SettableFlag } from '../flags.decider.js';
import { invalidMessage } from '../message.access.js';
import { parseConversation } from '../place.js';
import { isOwn, isRead } from '../queries/message-flags.js';
import { MessagesReader } from '../queries/messages.reader.js';
import { SeenMessages, type SeenMessage } from '../queries/seen-messages.js';

/** Flags that only the server sets (specification, "Message flags"). */
const SERVER_FLAGS: ReadonlySet<string> = new Set([
  'mentioned',
  'stream_wildcard_mentioned',
  'topic_wildcard_mentioned',
  'wildcard_mentioned',
  'has_alert_word',
  'historical',
]);

/** @throws Refusal BAD_REQUEST */
export function settableFlag(name: string): SettableFlag {
  if (name === 'read' || name === 'starred' || name === 'collapsed') return name;
  throw badRequest(SERVER_FLAGS.has(name) ? 'This flag cannot be changed by users' : 'Invalid message flag');
}

/** Sets or removes a flag of the actor's messages. */
export class ChangeFlagsCommand extends Command<ChangedFlags> {
  constructor(
    readonly actor: User,
    readonly messageIds: readonly number[],
    readonly op: FlagOperation,
    readonly flag: SettableFlag,
  ) {
    super();
  }
}

/** What came of a change of flags. */
export interface ChangedFlags {
  /** Messages that changed. */
  readonly ids: readonly number[];
  /** Channels that were left out, for not being subscribed to; ascending. */
  readonly ignoredChannelIds: readonly number[];
}

/** Decides and records changes of flags. */
@Injectable()
export class FlagWriter {
  constructor(
    private readonly directory: Directory,
    private readonly path: CommandPath,
    private readonly clock: Clock,
    private readonly announcer: Announcer,
  ) {}

  /** Resolves when it is durable and visible. The user's clients are told in any case. */
  async change(
    { userId }: User,
    messages: readonly SeenMessage[],
    op: FlagOperation,
    flag: SettableFlag,
  ): Promise<ChangedFlags> {
    const { facts, ignoredChannelIds } = decideFlags({
      userId,
      op,
      flag,
      messages: messages.map((message) => this.#flagged(userId, message, flag)),
      at: this.clock.nowSeconds(),
    });
    if (facts.length > 0) await this.path.appendOnly(streams.flags(userId), facts);
    else await this.announcer.announce(unchangedEntry(userId, { op, flag, all: false }));
    return { ids: facts.flatMap(({ data }) => idsIn(data.ids)), ignoredChannelIds };
  }

  #flagged(userId: number, message: SeenMessage, flag: SettableFlag): FlaggedMessage {
    const place = parseConversation(message.doc.conversation);
    const isUnsubscribed = 'channelId' in place && !this.directory.isSubscribed(userId, place.channelId);
    return {
      messageId: message.id,
      isSet: flag === 'read' ? isRead(message.doc, message) : message.personal[flag],
      isForeign: !isOwn(message),
      ...(isUnsubscribed ? { unsubscribedChannelId: place.channelId } : {}),
    };
  }
}

@CommandHandler(ChangeFlagsCommand)
export class ChangeFlagsHandler implements ICommandHandler<ChangeFlagsCommand> {
  constructor(
    private readonly messages: MessagesReader,
    private readonly seen: SeenMessages,
    private readonly writer: FlagWriter,
  ) {}

  async execute({ actor, messageIds, op, flag }: ChangeFlagsCommand): Promise<ChangedFlags> {
    const asked = [...new Set(messageIds)];
    const docs = await this.messages.getMany(asked);
    const seen = await this.seen.of(
      actor,
      Array.from(docs, ([id, doc]) => ({ id, doc })),
    );
    // All or nothing: one that does not exist, or is not theirs to read, and nothing changes.
    if (seen.length < asked.length) throw invalidMessage();
    const { ids, ignoredChannelIds } = await this.writer.change(actor, seen, op, flag);
    const changed = new Set(ids);
    // In the order in which they were asked for.
    return { ids: asked.filter((id) => changed.has(id)), ignoredChannelIds };
  }
}
