import { Injectable } from '@nestjs/common';
import { firstAtLeast, nextSlice } from '#kernel';
import { lean, type MessageRow, MessagesReader, PAGE_MAX } from '#messages';
import { Directory } from '#people';
import type { User } from '#users/model';
import { KeyValueStore, where, type Filter } from '#read-store';
import { FlagsReader } from '../flags/flags.reader.js';
import { isOwn, isRead } from '../flags/message-flags.js';
import { DeliveredFilter } from '../viewer/delivered-filter.js';
import { ViewerMessages, type ViewerMessage } from '../viewer/viewer-messages.js';

/** Maximum unread messages listed: the newest ones (register.md §6). */
const UNREAD_MAX = 50_000;
/**
 * Maximum messages examined by one scan that finds little: a user with more messages since their last read lacks old
 * unread ones.
 */
const EXAMINED_MAX = 200_000;
/** A few milliseconds of work. */
const CHECKED_PER_TURN = 2_000;
/** IDs cached for all users together: 8 bytes each. */
const REMEMBERED_MAX = 2_000_000;
/** A user who received less than this share of all messages is served better by a search in their conversations. */
const WORTHWHILE_SHARE = 1 / 8;
/** The cache is stored for the next start when it saves examining that many messages … */
const KEPT_EVERY = 5000;
/** … and is small. */
const KEPT_IDS_MAX = 2000;
const KEPT_KIND = 'unread-messages';

export interface UnreadLook {
  /** Ascending and without text: there may be very many, and few callers need it. */
  readonly unread: readonly ViewerMessage[];
  /** There may be older ones. */
  readonly oldMissing: boolean;
  /** The newest message examined. */
  readonly upTo: number;
}

/** Result of one scan. */
export interface FoundUnread {
  /** Including those that the user cannot read now. */
  readonly delivered: UnreadLook;
  readonly look: UnreadLook;
}

/** The differences are in the order in which they apply. */
export interface UpdatedUnread extends FoundUnread {
  /** Messages of the earlier look that were changed, as they were in it. */
  readonly removed: readonly ViewerMessage[];
  readonly added: readonly ViewerMessage[];
  /** The oldest ones, beyond what is listed. */
  readonly cut: readonly ViewerMessage[];
}

interface Remembered {
  /** `upTo` of what is stored for the next start. */
  readonly kept: number;
  /** Every message up to this one has been examined … */
  readonly upTo: number;
  /** … and of those from here on, only these may still be unread. Ascending. */
  readonly ids: readonly number[];
  /** There may be others below this message; 1 when everything was examined. */
  readonly from: number;
}

/**
 * Finds the unread messages of a user. They are not stored per message but derived from what was received and what was
 * read. So that the cost grows with unread messages and not with the history, results are cached: a message that was
 * read stays read, unless the user marks it as unread, which puts it into their `unread` set.
 */
@Injectable()
export class UnreadReader {
  readonly #remembered = new Map<number, Remembered>();
  #size = 0;

  constructor(
    private readonly messages: MessagesReader,
    private readonly own: DeliveredFilter,
    private readonly flags: FlagsReader,
    private readonly seen: ViewerMessages,
    private readonly side: KeyValueStore,
    private readonly directory: Directory,
  ) {}

  /**
   * The viewer's unread messages that they may read, ascending, including those in channels that they left; and whether
   * there may be older ones.
   */
  async look(viewer: User): Promise<UnreadLook> {
    return (await this.find(viewer)).look;
  }

  /** A result that `update` can continue from. */
  async find(viewer: User): Promise<FoundUnread> {
    const delivered = await this.delivered(viewer.userId);
    return { delivered, look: { ...delivered, unread: await this.#readable(viewer, delivered.unread) } };
  }

  /**
   * Updates an earlier result: these messages have changed since it was found, and others were sent. Neither flags nor
   * access may have changed. Quick when the changes are few.
   */
  async update(viewer: User, { delivered, look }: FoundUnread, changed: ReadonlySet<number>): Promise<UpdatedUnread> {
    const { userId } = viewer;
    const upTo = Math.max(delivered.upTo, Math.min(await this.messages.newestId(), this.directory.lastMessageId));
    const again = amongst(delivered.unread, changed).map(({ id }) => id);
    const fresh = await this.#since(userId, delivered.upTo, upTo);
    const arrived = fresh.unread.toReversed();
    const added = await this.#readable(viewer, [...(await this.#stillUnread(userId, again)), ...arrived]);
    const removed = amongst(look.unread, changed);
    const kept = removed.length === 0 ? look.unread : look.unread.filter(({ id }) => !changed.has(id));
    const all = [...kept, ...added];
    if (again.length > 0) all.sort((a, b) => a.id - b.id);
    const cut = all.slice(0, Math.max(0, all.length - UNREAD_MAX));
    const oldMissing = look.oldMissing || fresh.from > 1 || cut.length > 0;
    return {
      // What was unread once is looked at with each update, since a message that is moved away may come back.
      delivered: { unread: [...delivered.unread, ...arrived], upTo, oldMissing },
      look: { unread: all.slice(cut.length), upTo, oldMissing },
      removed,
      added,
      cut,
    };
  }

  async #readable(viewer: User, messages: readonly ViewerMessage[]): Promise<ViewerMessage[]> {
    const readable: ViewerMessage[] = [];
    for (const [index, message] of messages.entries()) {
      if (index > 0 && index % CHECKED_PER_TURN === 0) await nextSlice();
      if (this.seen.isReadable(viewer, message.id, message.doc)) readable.push(message);
    }
    return readable;
  }

  /** Unread messages without an access check, since the user may regain access later. Not for display. */
  async delivered(userId: number): Promise<UnreadLook> {
    // The read store may be ahead of the directory. Messages in a channel whose new subscribers are not known here yet
    // would count as examined, and never be found.
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

  /** Unread messages that the user received in a range of IDs, newest first. */
  async #since(userId: number, after: number, upTo: number): Promise<{ unread: ViewerMessage[]; from: number }> {
    const unread: ViewerMessage[] = [];
    let isSearching = false;
    let ownFilter: Filter | undefined;
    for (let below = upTo + 1, examined = 0; below > after + 1;) {
      const range = where.range('$key', { gt: after, lt: below });
      if (isSearching) ownFilter ??= await this.own.everywhere(userId);
      const filter = ownFilter === undefined ? range : where.and(ownFilter, range);
      const { rows, isLast, reached } = await this.messages.page(filter, 'descending', PAGE_MAX);
      const delivered = (await this.seen.unchecked(userId, rows)).filter(isOwn);
      for (const message of delivered)
        if (!isRead(message.doc, message)) unread.push({ ...message, doc: lean(message.doc) });
      if (isLast || reached === undefined) break;
      examined += rows.length;
      if (unread.length > UNREAD_MAX || examined >= EXAMINED_MAX) return { unread, from: reached };
      below = reached;
      isSearching ||= delivered.length < rows.length * WORTHWHILE_SHARE;
      await nextSlice();
    }
    return { unread, from: 1 };
  }

  /** Messages that were never examined do not matter once the user has marked everything there as read. */
  async #firstLookedAt(userId: number, from: number): Promise<number> {
    return from > 1 && (await this.flags.readThrough(userId)) >= from - 1 ? 1 : from;
  }

  async #stillUnread(userId: number, ids: readonly number[]): Promise<ViewerMessage[]> {
    const unread: ViewerMessage[] = [];
    for (let from = 0; from < ids.length; from += PAGE_MAX) {
      const page = ids.slice(from, from + PAGE_MAX);
      const docs = await this.messages.getManyLean(page);
      const rows = page.flatMap((id): MessageRow[] => {
        const doc = docs.get(id);
        return doc === undefined ? [] : [{ id, doc }];
      });
      const seen = await this.seen.unchecked(userId, rows);
      for (const message of seen) if (isOwn(message) && !isRead(message.doc, message)) unread.push(message);
      if (from + PAGE_MAX < ids.length) await nextSlice();
    }
    return unread;
  }

  /**
   * Start value for a user who is not cached. Messages up to where they marked all as read need no scan: those that are
   * unread again are in their `unread` set.
   */
  async #found(userId: number, newest: number): Promise<Remembered> {
    const kept = await this.#kept(userId, newest);
    const through = Math.min(await this.flags.readThrough(userId), newest);
    return through <= kept.upTo ? kept : { ...kept, upTo: through };
  }

  /** The result stored before a restart; nothing when the log has been replaced by an older one since. */
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
    // A map keeps insertion order, so the first entries are the oldest.
    for (const [oldest, { ids }] of this.#remembered) {
      if (this.#size <= REMEMBERED_MAX || oldest === userId) break;
      this.#remembered.delete(oldest);
      this.#size -= ids.length;
    }
  }
}

/** Messages with one of these IDs. @param messages ascending */
function amongst(messages: readonly ViewerMessage[], ids: ReadonlySet<number>): ViewerMessage[] {
  return [...ids]
    .sort((a, b) => a - b)
    .flatMap((id) => {
      const message = messages[firstAtLeast(messages, id, (one) => one.id)];
      return message?.id === id ? [message] : [];
    });
}
