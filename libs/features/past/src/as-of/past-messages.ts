import { Query } from '@nestjs/cqrs';
import { Moments } from '#audit';
import { query } from '#feature';
import { badRequest, Slices } from '#kernel';
import { located, mayReadMessage, type MessageRow } from '#messages';
import { Directory } from '#people';
import type { User } from '#users/model';
import { type MessageVersion, MessageVersionsReader, wireMessage, type WireOptions } from '#reading';
import { Candidates } from './candidates.js';
import { messageAt } from './message-at.js';
import type { PastPlace } from './past-place.js';
import { ReadingTimesReader } from './reading-times.js';

/** An answer ends before it has more than these, and says where the next one goes on. */
const EXAMINED_MAX = 2_000;
const BYTES_MAX = 2_000_000;
const VERSIONS_BYTES_MAX = 8_000_000;
const DURATION_MAX_MS = 1_000;
/** Each may have 256 kB of earlier versions. */
const AT_ONCE = 8;

export interface PastMessages {
  /** Each as JSON text, ascending. */
  readonly messages: readonly string[];
  readonly foundOldest: boolean;
  /** The next page ends before this message ID. */
  readonly before: number;
  readonly isCut: boolean;
}

/**
 * A conversation as it read at a time: what the viewer could read then and may read now, never deleted messages, and no more of
 * earlier wordings and places than their histories show (endpoints.md §3, GET /past/messages).
 */
export class PastMessagesQuery extends Query<PastMessages> {
  constructor(
    readonly viewer: User,
    readonly place: PastPlace,
    /** Seconds since the epoch. */
    readonly asOf: number,
    readonly page: { readonly before: number; readonly limit: number },
    readonly options: WireOptions,
  ) {
    super();
  }
}

export const pastMessages = query(
  PastMessagesQuery,
  {
    directory: Directory,
    candidates: Candidates,
    log: Moments,
    versions: MessageVersionsReader,
    times: ReadingTimesReader,
  },
  async (asked, { directory, candidates, log, versions, times }) => {
    const { viewer, place, asOf, page } = asked;
    assertShowsHistory(directory);
    if (!(await times.of(viewer, place)).includes(asOf)) return NOTHING;
    const lastId = await log.lastMessageId({ kind: 'time', seconds: asOf });
    const from = Math.min(page.before, lastId + 1);
    const left = await candidates.leftSince(place, asOf);
    const taking = new Taking(asked, directory, versions);
    let batch: MessageRow[] = [];
    for await (const row of candidates.below(place, left.ids, from)) {
      if (batch.push(row) < AT_ONCE) continue;
      await taking.take(batch);
      batch = [];
      if (taking.isOver) break;
    }
    if (!taking.isOver) await taking.take(batch);
    return taking.answer(left.isCut);
  },
);

const NOTHING: PastMessages = { messages: [], foundOldest: true, before: 0, isCut: false };

/** @throws Refusal BAD_REQUEST where nobody is shown how messages were */
export function assertShowsHistory({ settings }: Pick<Directory, 'settings'>): void {
  if (settings.message_edit_history_visibility_policy === 'none')
    throw badRequest('Message edit history is disabled in this organization');
}

/** Messages of one answer, within its bounds. */
class Taking {
  readonly #texts: string[] = [];
  readonly #slices = new Slices();
  readonly #endsMs = performance.now() + DURATION_MAX_MS;
  #examined = 0;
  #bytes = 0;
  #versionBytes = 0;
  #before = 0;
  isOver = false;

  constructor(
    private readonly asked: PastMessagesQuery,
    private readonly directory: Directory,
    private readonly versions: MessageVersionsReader,
  ) {}

  /** @param rows descending */
  async take(rows: readonly MessageRow[]): Promise<void> {
    const { asOf } = this.asked;
    const changed = rows.filter(({ doc }) => doc.edits?.some(({ at }) => at > asOf) === true);
    const versions = await this.versions.ofMany(
      this.directory,
      changed.filter((row) => this.#isReadable(row)),
    );
    for (const row of rows) {
      this.#take(row, versions.get(row.id) ?? []);
      if (this.isOver) return;
    }
    if (this.#slices.isOver) await this.#slices.next();
  }

  #isReadable({ id, doc }: MessageRow): boolean {
    return mayReadMessage(this.directory, this.asked.viewer, located(id, doc));
  }

  #take(row: MessageRow, versions: readonly MessageVersion[]): void {
    const { viewer, place, asOf, page, options } = this.asked;
    const then = this.#isReadable(row) ? messageAt(this.directory, viewer, row, versions, asOf) : undefined;
    if (then !== undefined && place.holds(then.doc)) {
      const message = wireMessage(this.directory, viewer, row.id, then.doc, undefined, options, versions);
      const text = JSON.stringify({ ...message, is_reworded: then.isReworded });
      this.#bytes += text.length;
      // The first always fits: an empty answer would make no progress.
      if (this.#texts.length > 0 && this.#bytes > BYTES_MAX) {
        this.isOver = true;
        return;
      }
      this.#texts.push(text);
    }
    this.#before = row.id;
    this.#versionBytes += versions.reduce((sum, one) => sum + one.content.length + (one.rendered?.length ?? 0), 0);
    this.isOver =
      this.#texts.length >= page.limit ||
      ++this.#examined >= EXAMINED_MAX ||
      this.#versionBytes > VERSIONS_BYTES_MAX ||
      performance.now() > this.#endsMs;
  }

  answer(isCut: boolean): PastMessages {
    const foundOldest = !this.isOver;
    return { messages: this.#texts.toReversed(), foundOldest, before: foundOldest ? 0 : this.#before, isCut };
  }
}
