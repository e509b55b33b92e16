import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Directory, type User } from '#organization';
import { SideStore, where, type Filter } from '#read-store';
import { FlagsReader } from './flags.reader.js';
import { isOwn, isRead } from './message-flags.js';
import { MessagesReader, PAGE_MAX, type MessageRow } from './messages.reader.js';
import { OwnMessages } from './own-messages.js';
import { SeenMessages, type SeenMessage } from './seen-messages.js';

/** Of everything unread, the newest this many are listed (register.md §6). */
const UNREAD_MAX = 50_000;
/** How far back one look goes that finds little: whoever has read more than this since has old unread messages missing. */
const EXAMINED_MAX = 200_000;
/** IDs remembered for all users together: 8 bytes each. */
const REMEMBERED_MAX = 2_000_000;
/** Whoever received less than this share of all messages is better served by a search in their conversations. */
const WORTHWHILE_SHARE = 1 / 8;
/** What was found outlives a restart when it saves that many messages from being looked at again … */
const KEPT_EVERY = 5000;
/** … and is small. */
const KEPT_IDS_MAX = 2000;
const KEPT_KIND = 'unread-messages';

export interface UnreadLook {
  /** Ascending. */
  readonly unread: readonly SeenMessage[];
  /** There may be older ones. */
  readonly oldMissing: boolean;
  /** The newest message that was looked at. */
  readonly upTo: number;
}

interface Remembered {
  /** `upTo` of what is kept across restarts. */
  readonly kept: number;
  /** Every message up to this one has been looked at … */
  readonly upTo: number;
  /** … and of those from here on, only these may still be unread. Ascending. */
  readonly ids: readonly number[];
  /** Below this message there may be others; 1 when everything was looked at. */
  readonly from: number;
}

/**
 * Which messages a user has not read. Nothing says so message by message: it follows from what was received and what was
 * read. So that the cost follows the number of unread messages and not the history, what was found is remembered: a
 * message that was read stays so, unless the user says otherwise, and then it is in their `unread` set.
 */
@Injectable()
export class UnreadReader {
  readonly #remembered = new Map<number, Remembered>();
  #size = 0;

  constructor(
    private readonly messages: MessagesReader,
    private readonly own: OwnMessages,
    private readonly flags: FlagsReader,
    private readonly seen: SeenMessages,
    private readonly side: SideStore,
    private readonly directory: Directory,
  ) {}

  /**
   * The viewer's unread messages that they may read, ascending, those in channels that they left included; and whether there
   * may be older ones that are not among them.
   */
  async look(viewer: User): Promise<UnreadLook> {
    const { unread, ...rest } = await this.delivered(viewer.userId);
    return { unread: unread.filter(({ id, doc }) => this.seen.isReadable(viewer, id, doc)), ...rest };
  }

  /** The same, without asking whether the user may read them now: they may again some day. Not for showing. */
  async delivered(userId: number): Promise<UnreadLook> {
    // The read store may be ahead of the directory. What is sent to a channel whose new subscribers are not known here yet would
    // count as looked at, and never be found.
    const upTo = Math.min(await this.messages.newestId(), this.directory.lastMessageId);
    const known = this.#remembered.get(userId) ?? (await this.#found(userId, upTo));
    const fresh = await this.#since(userId, known.upTo, upTo);
    const marked = await this.flags.all(userId, 'unread');
    const others = new Set([...known.ids, ...marked]);
    for (const { id } of fresh.unread) others.delete(id);
    const old = await this.#stillUnread(userId, [...others]);
    const unread = [...old, ...fresh.unread].sort((a, b) => a.id - b.id);
    const newest = unread.slice(-UNREAD_MAX);
    const cut = unread.length > UNREAD_MAX ? (newest[0]?.id ?? 1) : 1;
    const from = await this.#firstLookedAt(userId, Math.max(cut, fresh.from, known.from));
    const found = { upTo: Math.max(upTo, known.upTo), ids: newest.map(({ id }) => id), from };
    this.#remember(userId, { ...found, kept: await this.#keep(userId, found, known.kept) });
    return { unread: newest, oldMissing: from > 1, upTo: found.upTo };
  }

  /** What the user received after one message up to another and has not read, newest first. */
  async #since(userId: number, after: number, upTo: number): Promise<{ unread: SeenMessage[]; from: number }> {
    const unread: SeenMessage[] = [];
    let isSearching = false;
    let ownFilter: Filter | undefined;
    for (let below = upTo + 1, examined = 0; below > after + 1;) {
      const range = where.range('$key', { gt: after, lt: below });
      if (isSearching) ownFilter ??= await this.own.everywhere(userId);
      const filter = ownFilter === undefined ? range : where.and(ownFilter, range);
      const page = await this.messages.find(filter, 'descending', PAGE_MAX);
      const delivered = (await this.seen.unchecked(userId, page)).filter(isOwn);
      for (const message of delivered) if (!isRead(message.doc, message)) unread.push(message);
      const oldest = page.at(-1);
      if (oldest === undefined || page.length < PAGE_MAX) break;
      examined += page.length;
      if (unread.length > UNREAD_MAX || examined >= EXAMINED_MAX) return { unread, from: oldest.id };
      below = oldest.id;
      isSearching ||= delivered.length < page.length * WORTHWHILE_SHARE;
      await nextTurn();
    }
    return { unread, from: 1 };
  }

  /** What was never looked at matters no more once everything down there has been marked as read. */
  async #firstLookedAt(userId: number, from: number): Promise<number> {
    return from > 1 && (await this.flags.readThrough(userId)) >= from - 1 ? 1 : from;
  }

  async #stillUnread(userId: number, ids: readonly number[]): Promise<SeenMessage[]> {
    const unread: SeenMessage[] = [];
    for (let from = 0; from < ids.length; from += PAGE_MAX) {
      const page = ids.slice(from, from + PAGE_MAX);
      const docs = await this.messages.getMany(page);
      const rows = page.flatMap((id): MessageRow[] => {
        const doc = docs.get(id);
        return doc === undefined ? [] : [{ id, doc }];
      });
      const seen = await this.seen.unchecked(userId, rows);
      for (const message of seen) if (isOwn(message) && !isRead(message.doc, message)) unread.push(message);
      if (from + PAGE_MAX < ids.length) await nextTurn();
    }
    return unread;
  }

  /**
   * What is known of a user that nobody looked at yet. Nothing up to where they marked every message as read needs a look:
   * what of it is unread again is in their `unread` set.
   */
  async #found(userId: number, newest: number): Promise<Remembered> {
    const kept = await this.#kept(userId, newest);
    const through = Math.min(await this.flags.readThrough(userId), newest);
    return through <= kept.upTo ? kept : { ...kept, upTo: through };
  }

  /** What was found before a restart; nothing when the log has been replaced by an older one since. */
  async #kept(userId: number, newest: number): Promise<Remembered> {
    const kept = await this.side.get(KEPT_KIND, String(userId));
    if (kept === undefined || (kept['upTo'] as number) > newest) return { kept: 0, upTo: 0, ids: [], from: 1 };
    const { upTo, ids, from } = kept as unknown as Remembered;
    return { kept: upTo, upTo, ids, from };
  }

  async #keep(userId: number, { upTo, ids, from }: Omit<Remembered, 'kept'>, kept: number): Promise<number> {
    if (upTo < kept + KEPT_EVERY || ids.length > KEPT_IDS_MAX) return kept;
    await this.side.put(KEPT_KIND, String(userId), { upTo, ids, from });
    return upTo;
  }

  #remember(userId: number, found: Remembered): void {
    this.#size -= this.#remembered.get(userId)?.ids.length ?? 0;
    this.#remembered.delete(userId);
    this.#remembered.set(userId, found);
    this.#size += found.ids.length;
    // The first in a map were set longest ago.
    for (const [oldest, { ids }] of this.#remembered) {
      if (this.#size <= REMEMBERED_MAX || oldest === userId) break;
      this.#remembered.delete(oldest);
      this.#size -= ids.length;
    }
  }
}
