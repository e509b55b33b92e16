import { Injectable } from '@nestjs/common';
import { CommandRunner, streams } from '#event-store';
import { Clock, type Origin } from '#kernel';
import { channelConversation, type MessageRow, MessagesReader } from '#messages';
import { Directory } from '#people';
import { type Filter, where } from '#read-store';
import { ViewerMessages } from '../viewer/viewer-messages.js';
import { decideFlags, type FlaggedMessage } from './flags.decider.js';
import { isOwn } from '../flags/message-flags.js';

/** Maximum messages that a new user begins with, their age, and how many of them are unread (rules.md §12). */
const MESSAGES_MAX = 1_000;
const AGE_MAX_SECONDS = 12 * 7 * 86_400;
const UNREAD_MAX = 20;
/** Messages whose flags are looked up at a time; their documents are not kept. */
const LOOKED_UP_AT_ONCE = 100;

/** Adds recent messages of public channels to the history of a new user: the newest ones as unread, the others as read. */
@Injectable()
export class NewcomerHistory {
  constructor(
    private readonly messages: MessagesReader,
    private readonly seen: ViewerMessages,
    private readonly directory: Directory,
    private readonly runner: CommandRunner,
    private readonly clock: Clock,
  ) {}

  /** May be repeated: what is in the user's history stays as it is. */
  async give(userId: number, origin: Origin): Promise<void> {
    const at = this.clock.nowSeconds();
    const [unread, read] = await this.#recent(userId, at);
    const events = [
      ...decideFlags({ userId, op: 'remove', flag: 'read', messages: foreign(unread, true), at }).events,
      ...decideFlags({ userId, op: 'add', flag: 'read', messages: foreign(read, false), at }).events,
    ];
    if (events.length > 0) await this.runner.appendOnly(streams.flags(userId), events, origin);
  }

  /** IDs of messages to be unread, and of those to be read. */
  async #recent(userId: number, at: number): Promise<readonly [readonly number[], readonly number[]]> {
    const ids: number[] = [];
    let page: MessageRow[] = [];
    let count = 0;
    const take = async (): Promise<void> => {
      for (const one of await this.seen.unchecked(userId, page)) if (!isOwn(one)) ids.push(one.id);
      page = [];
    };
    for await (const row of this.messages.walk(this.#filter(userId), 'descending')) {
      if (row.doc.at < at - AGE_MAX_SECONDS || ++count > MESSAGES_MAX) break;
      page.push(row);
      if (page.length === LOOKED_UP_AT_ONCE) await take();
    }
    await take();
    return [ids.slice(0, UNREAD_MAX), ids.slice(UNREAD_MAX)];
  }

  #filter(userId: number): Filter {
    const conversations: string[] = [];
    for (const { channelId, active } of this.directory.subscriptionsOf(userId)) {
      const channel = this.directory.channel(channelId);
      if (active && channel?.inviteOnly === false && !channel.isArchived)
        conversations.push(channelConversation(channelId));
    }
    return where.in('conversation', conversations);
  }
}

/** Messages that were never delivered to the user. */
function foreign(ids: readonly number[], isSet: boolean): readonly FlaggedMessage[] {
  return ids.map((messageId) => ({ messageId, isSet, isForeign: true }));
}
