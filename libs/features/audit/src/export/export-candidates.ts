import { streams } from '#event-store';
import { badRequest, idsIn, type Ranges, Refusal, Slices } from '#kernel';
import type { MessagesReader } from '#messages';
import { channelConversation } from '#messages';
import { type Filter, where } from '#read-store';
import type { AnswerLog } from '../log/answer-log.js';
import { isEventUpTo, type Moment } from '../moment.js';
import type { PlacesReader } from '../places/places.reader.js';
import type { LogEvent } from '../rows.js';
import type { DeletionsReader } from '../search/deletions.reader.js';
import type { WordingsReader } from '../search/wordings.reader.js';
import type { Selection } from './export-selection.js';

/** Clocks that are set back, and processes whose clocks differ, do so by less. */
const CLOCKS_DIFFER_BY_MS = 86_400_000;
const FILES_PREFIX = `${streams.files.replace(/files$/, 'file')}-`;
const PLACE = /^(\d\.(?:messages|message-\d{1,15}|file-\d{1,15}))@(\d{1,15})$/;

/** What has happened to messages and their files since a place in the log. */
export interface ChangedSince {
  /** Sent or changed, ascending. */
  readonly messageIds: readonly number[];
  /** Files that were removed. */
  readonly removals: readonly LogEvent[];
}

/** Finds messages that an export may have by the indexes: all that it has are among them. */
export class ExportCandidates {
  constructor(
    private readonly store: AnswerLog,
    /** For lookups whose damage is none of the answer. */
    private readonly unnamed: AnswerLog,
    private readonly messages: MessagesReader,
    private readonly places: PlacesReader,
    private readonly wordings: WordingsReader,
    private readonly deletions: DeletionsReader,
  ) {}

  /** IDs beyond `afterId`, up to `lastId`, ascending. */
  async *ids(selection: Selection, afterId: number, lastId: number): AsyncGenerator<number, void, void> {
    const first = Math.max(afterId + 1, await this.#firstSent(selection.after));
    const filter = filterOf(selection);
    if (filter === undefined) {
      for (let id = first; id <= lastId; id++) yield id;
      return;
    }
    const range = where.range('$key', { gte: first, lte: lastId });
    const further = await this.#further(selection);
    const found = merged(
      flat(this.messages.scanIds(where.and(filter, range))),
      merged(flat(this.deletions.ids()), oneByOne(further)),
    );
    for await (const id of found) if (first <= id && id <= lastId) yield id;
  }

  /** IDs of messages that are not deleted, and that the index of current messages does not name any more. */
  async #further({ channelId, words }: Selection): Promise<readonly number[]> {
    const ids = new Set<number>();
    if (words.length > 0) for await (const { messageId } of this.wordings.with(words)) ids.add(messageId);
    else if (channelId !== undefined)
      for await (const { messageId = 0 } of this.places.leftChannel(channelId)) ids.add(messageId);
    return [...ids].sort((a, b) => a - b);
  }

  /** The first message that was recorded at a second or later: none that was sent then is older, however late it was imported. */
  async #firstSent(seconds: number | undefined): Promise<number> {
    if (seconds === undefined) return 1;
    const fromMs = seconds * 1000 - CLOCKS_DIFFER_BY_MS;
    const [last] = await this.unnamed.readStream(streams.messages, { direction: 'backwards', limit: 1 });
    let [older, younger] = [-1, last === undefined ? 0 : last.revision + 1];
    while (younger - older > 1) {
      const middle = Math.floor((older + younger) / 2);
      // Unlike a read of one event, that of two passes over damage.
      const [event] = await this.unnamed.readStream(streams.messages, { from: middle, limit: 2, through: younger - 1 });
      if (event !== undefined && event.revision < younger && event.recordedAtMs < fromMs) older = event.revision;
      else younger = middle;
    }
    return younger + 1;
  }

  /**
   * Reads on in the log, in the streams of messages and files alone.
   * @param place stream and revision
   * @throws Refusal EXPECTATION_MISMATCH when the record there is damaged; BAD_REQUEST when there is none, or it is later than the moment
   */
  async since(place: string, moment: Moment, untilPosition: number): Promise<ChangedSince> {
    const [, stream, revision] = PLACE.exec(place) ?? [];
    const [event] =
      stream === undefined
        ? []
        : ((await this.store.readStream(stream, { from: Number(revision), limit: 1 })) as readonly LogEvent[]);
    if (stream !== undefined && this.store.isDamaged(stream, Number(revision)))
      throw new Refusal('EXPECTATION_MISMATCH', 'The record at since is damaged. Export everything, without since.', {
        field_name: 'since',
      });
    if (event === undefined) throw badRequest('since must be the place of an event of a message or a file in the log.');
    if (!isEventUpTo(moment, event)) throw badRequest('as_of is earlier than since.');
    const [ids, removals] = [new Set<number>(), new Map<number, LogEvent>()];
    const streamPrefixes = [streams.allMessageChanges, streams.messages, FILES_PREFIX];
    const slices = new Slices();
    for await (const page of this.store.readAll({ after: this.store.checkpointAfter(event), streamPrefixes }))
      for (const later of page as readonly LogEvent[]) {
        if (later.position > untilPosition) break;
        if (later.type === 'file.removed.v1') removals.set(later.position, later);
        for (const id of messagesIn(later)) ids.add(id);
        if (slices.isOver) await slices.next();
      }
    return { messageIds: [...ids].sort((a, b) => a - b), removals: [...removals.values()] };
  }
}

function filterOf({ channelId, senderId, words }: Selection): Filter | undefined {
  if (words.length > 0) return where.and(...words.map((word) => where.contains('words', word)));
  if (senderId !== undefined) return where.eq('senderId', senderId);
  if (channelId !== undefined) return where.eq('conversation', channelConversation(channelId));
  return undefined;
}

function messagesIn({ stream, revision, data }: LogEvent): readonly number[] {
  const { ids, messageId } = data as { readonly ids?: Ranges; readonly messageId?: number };
  if (stream === streams.messages) return [revision + 1];
  if (ids !== undefined) return idsIn(ids);
  return messageId === undefined ? [] : [messageId];
}

async function* flat(pages: AsyncIterable<readonly number[]>): AsyncGenerator<number, void, void> {
  for await (const page of pages) yield* page;
}

async function* oneByOne(ids: readonly number[]): AsyncGenerator<number, void, void> {
  await Promise.resolve();
  yield* ids;
}

/** The numbers of two ascending sequences, each once, ascending. */
async function* merged(one: AsyncIterator<number>, other: AsyncIterator<number>): AsyncGenerator<number, void, void> {
  let [a, b] = [await one.next(), await other.next()];
  while (a.done !== true || b.done !== true) {
    const next = Math.min(a.done === true ? Infinity : a.value, b.done === true ? Infinity : b.value);
    yield next;
    if (a.done !== true && a.value === next) a = await one.next();
    if (b.done !== true && b.value === next) b = await other.next();
  }
}
