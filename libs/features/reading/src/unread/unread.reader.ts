import { Injectable } from '@nestjs/common';
import { nextSlice } from '#kernel';
import { lean, type MessageRow, MessagesReader, PAGE_MAX } from '#messages';
import { Directory } from '#people';
import type { User } from '#users/model';
import { KeyValueStore, where, type Filter } from '#read-store';
import { FlagsReader } from '../flags/flags.reader.js';
import { isOwn, isRead } from '../flags/message-flags.js';
import { RecentMessages } from '../recent/recent-messages.js';
import { DeliveredFilter } from '../viewer/delivered-filter.js';
import { ViewerMessages, type ViewerMessage } from '../viewer/viewer-messages.js';
import { type RecentFlags, RowScan } from '../recent/row-scan.js';
import { SeenRows } from '../recent/seen-rows.js';

/** Maximum unread messages listed: the newest ones (register.md §6). */
const UNREAD_MAX = 50_000;
/**
 * Maximum messages examined by one search of older messages that finds little: a user with more messages since their last read
 * lacks old unread ones.
 */
const EXAMINED_MAX = 200_000;
/** IDs cached for all users together: 8 bytes each. */
const REMEMBERED_MAX = 2_000_000;
/** A user who received less than this share of all messages is served better by a search in their conversations. */
const WORTHWHILE_SHARE = 1 / 8;
/** The cache is stored for the next start when it saves examining that many messages … */
const KEPT_EVERY = 5000;
/** … and is small. */
const KEPT_IDS_MAX = 2000;
const KEPT_KIND = 'unread-messages';
/** Grows when messages are found to be unread otherwise. */
const KEPT_VERSION = 2;

export interface UnreadLook {
  /** Ascending. */
  readonly unread: SeenRows;
  /** There may be older ones. */
  readonly oldMissing: boolean;
  /** The newest message examined. */
  readonly upTo: number;
}

/** What of a look takes reads. It holds while neither the user's flags nor these older messages change. */
export interface UnreadBasis {
  readonly flags: RecentFlags;
  /** Older messages that were unread, ascending: one that is moved away may come back. */
  readonly olderIds: readonly number[];
  /** Those that are. */
  readonly older: readonly MessageRow[];
  /** `UnreadLook.oldMissing` because of older messages. */
  readonly oldMissing: boolean;
  /** The first message that is not among the older ones. */
  readonly from: number;
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
 * Finds the unread messages of a user. Nothing is written for each recipient of a message: what is unread follows from what was
 * received and what was read, and is found among the recent messages in memory. Of older messages, results are cached: one that was
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
    private readonly recent: RecentMessages,
  ) {}

  /**
   * The viewer's unread messages that they may read, ascending, including those in channels that they left; and whether
   * there may be older ones.
   */
  async look(viewer: User): Promise<UnreadLook> {
    return this.lookFrom(viewer, await this.basis(viewer.userId));
  }

  /** `look` as of now, without reads unless the basis does not fit any more. */
  async lookFrom(viewer: User, basis: UnreadBasis): Promise<UnreadLook> {
    const scan = new RowScan(this.directory, viewer);
    const { unread, ...look } = await this.#find(scan, viewer.userId, basis);
    return { ...look, unread: scan.readable(unread) };
  }

  /** Unread messages without an access check, since the user may regain access later. Not for display. */
  async delivered(userId: number): Promise<UnreadLook> {
    const user = this.directory.user(userId);
    if (user === undefined) return { unread: new SeenRows([]), oldMissing: false, upTo: this.directory.lastMessageId };
    return this.#find(new RowScan(this.directory, user), userId, await this.basis(userId));
  }

  async basis(userId: number): Promise<UnreadBasis> {
    const { from } = await this.recent.all();
    const older = await this.#older(userId, from - 1);
    const [read, unread] = await Promise.all([
      this.flags.chunksFrom(userId, 'read', from),
      this.flags.chunksFrom(userId, 'unread', from),
    ]);
    const olderIds = older.unread.map(({ id }) => id);
    return { flags: { read, unread }, olderIds, older: older.unread, oldMissing: older.from > 1, from };
  }

  /** The basis after these messages have changed. */
  async updated(userId: number, basis: UnreadBasis, changed: ReadonlySet<number>): Promise<UnreadBasis> {
    if (!basis.olderIds.some((id) => changed.has(id))) return basis;
    return { ...basis, older: await this.#stillUnread(userId, basis.olderIds) };
  }

  async #find(scan: RowScan, userId: number, basis: UnreadBasis): Promise<UnreadLook> {
    const rows = await this.recent.all();
    // The oldest of the recent messages have made room for newer ones.
    if (rows.from > basis.from) return this.#find(scan, userId, await this.basis(userId));
    const unread = scan.unread(rows, basis.flags, UNREAD_MAX + 1);
    const isCut = unread.length + basis.older.length > UNREAD_MAX;
    const room = Math.max(0, UNREAD_MAX - unread.length);
    for (const row of basis.older.slice(Math.max(0, basis.older.length - room)).reverse())
      unread.addRow(scan.viewed(row));
    unread.cutAt(UNREAD_MAX);
    unread.reverse();
    return { unread, upTo: rows.next - 1, oldMissing: basis.oldMissing || isCut };
  }

  /** Unread messages up to this one, ascending. */
  async #older(
    userId: number,
    newest: number,
  ): Promise<{ readonly unread: readonly ViewerMessage[]; readonly from: number }> {
    if (newest === 0) return { unread: [], from: 1 };
    const known = this.#remembered.get(userId) ?? (await this.#found(userId, newest));
    const fresh = await this.#since(userId, known.upTo, newest);
    const marked = (await this.flags.all(userId, 'unread')).filter((id) => id <= newest);
    const others = new Set([...known.ids, ...marked]);
    for (const { id } of fresh.unread) others.delete(id);
    const old = await this.#stillUnread(userId, [...others]);
    const unread = [...old, ...fresh.unread].sort((a, b) => a.id - b.id);
    const listed = unread.slice(-UNREAD_MAX);
    const cut = unread.length > UNREAD_MAX ? (listed[0]?.id ?? 1) : 1;
    const from = await this.#firstLookedAt(userId, Math.max(cut, fresh.from, known.from));
    const found = { upTo: Math.max(newest, known.upTo), ids: listed.map(({ id }) => id), from };
    this.#remember(userId, { ...found, kept: await this.#keep(userId, found, known.kept) });
    return { unread: listed, from };
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

  /** The result stored before a restart; nothing when another release found it, or the log has been replaced by an older one since. */
  async #kept(userId: number, newest: number): Promise<Remembered> {
    const kept = await this.side.get(KEPT_KIND, String(userId));
    if (kept?.['version'] !== KEPT_VERSION || (kept['upTo'] as number) > newest)
      return { kept: 0, upTo: 0, ids: [], from: 1 };
    const { upTo, ids, from } = kept as unknown as Remembered;
    return { kept: upTo, upTo, ids, from };
  }

  async #keep(userId: number, { upTo, ids, from }: Omit<Remembered, 'kept'>, kept: number): Promise<number> {
    if (upTo < kept + KEPT_EVERY || ids.length > KEPT_IDS_MAX) return kept;
    await this.side.put(KEPT_KIND, String(userId), { version: KEPT_VERSION, upTo, ids, from });
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
