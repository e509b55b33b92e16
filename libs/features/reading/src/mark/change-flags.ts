import { Injectable } from '@nestjs/common';
import { Command } from '@nestjs/cqrs';
import { CommandRunner, streams } from '#event-store';
import { command } from '#feature';
import { EphemeralEvents } from '#feed';
import { badRequest, Clock, excerpt, idsIn, originFrom } from '#kernel';
import { invalidMessage, MessagesReader, parseConversation } from '#messages';
import { Directory } from '#people';
import type { User } from '#users/model';
import { unchangedEntry } from './flags.client-events.js';
import { decideFlags, type FlaggedMessage, type FlagOperation, type SettableFlag } from './flags.decider.js';
import { isOwn, isRead } from '../flags/message-flags.js';
import { ViewerMessages, type ViewerMessage } from '../viewer/viewer-messages.js';

/** Flags that only the server sets (rules.md §7). */
const SERVER_FLAGS: ReadonlySet<string> = new Set([
  'mentioned',
  'stream_wildcard_mentioned',
  'topic_wildcard_mentioned',
  'wildcard_mentioned',
  'has_alert_word',
  'historical',
]);

const ECHOED_LENGTH_MAX = 60;

/** @throws Refusal BAD_REQUEST */
export function settableFlag(name: string): SettableFlag {
  if (name === 'read' || name === 'starred' || name === 'collapsed') return name;
  const shown = `'${excerpt(name, ECHOED_LENGTH_MAX)}'`;
  throw badRequest(SERVER_FLAGS.has(name) ? `Flag not editable: ${shown}` : `Invalid flag: ${shown}`);
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

/** Result of a change of flags. */
export interface ChangedFlags {
  /** Changed messages. */
  readonly ids: readonly number[];
  /** Channels that were skipped because the user is not subscribed; ascending. */
  readonly ignoredChannelIds: readonly number[];
}

/** Decides and records changes of flags. */
@Injectable()
export class FlagWriter {
  constructor(
    private readonly directory: Directory,
    private readonly runner: CommandRunner,
    private readonly clock: Clock,
    private readonly announcer: EphemeralEvents,
  ) {}

  /** Resolves when the change is durable and visible. The user's clients are told in any case. */
  async change(
    actor: User,
    messages: readonly ViewerMessage[],
    op: FlagOperation,
    flag: SettableFlag,
  ): Promise<ChangedFlags> {
    const { userId } = actor;
    const { events, ignoredChannelIds } = decideFlags({
      userId,
      op,
      flag,
      messages: messages.map((message) => this.#flagged(userId, message, flag)),
      at: this.clock.nowSeconds(),
    });
    if (events.length > 0) await this.runner.appendOnly(streams.flags(userId), events, originFrom(actor));
    else await this.announcer.announce(unchangedEntry(userId, { op, flag, all: false }), this.directory.position);
    return { ids: events.flatMap(({ data }) => idsIn(data.ids)), ignoredChannelIds };
  }

  #flagged(userId: number, message: ViewerMessage, flag: SettableFlag): FlaggedMessage {
    const place = parseConversation(message.doc.conversation);
    const isKeptRead =
      'channelId' in place &&
      (!this.directory.isSubscribed(userId, place.channelId) ||
        this.directory.channel(place.channelId)?.isArchived === true);
    return {
      messageId: message.id,
      isSet: flag === 'read' ? isRead(message.doc, message) : message.personal[flag],
      isForeign: !isOwn(message),
      ...(isKeptRead ? { keptReadIn: place.channelId } : {}),
    };
  }
}

export const changeFlags = command(
  ChangeFlagsCommand,
  { messages: MessagesReader, seen: ViewerMessages, writer: FlagWriter },
  async ({ actor, messageIds, op, flag }, { messages, seen: own, writer }) => {
    const asked = [...new Set(messageIds)];
    const docs = await messages.getManyLean(asked);
    const seen = await own.of(
      actor,
      Array.from(docs, ([id, doc]) => ({ id, doc })),
    );
    // All or nothing: a message that is missing or not readable prevents the whole change.
    if (seen.length < asked.length) throw invalidMessage();
    const { ids, ignoredChannelIds } = await writer.change(actor, seen, op, flag);
    const changed = new Set(ids);
    // In the requested order.
    return { ids: asked.filter((id) => changed.has(id)), ignoredChannelIds };
  },
);
