import { messageIdOf } from '#event-store';
import { badRequest, Slices } from '#kernel';
import type { MessagesReader } from '#messages';
import { type ContentEdit, type MessagesMoved, type Place, placeOf, topicAfterMove, wordsOf } from '#messages';
import type { Directory } from '#people';
import { where } from '#read-store';
import type { MessageEvents } from '../messages/message-events.js';
import type { Beginning } from '../messages/message-events.js';
import type { SentEvent } from '../messages/sends.js';
import { isEventUpTo, type Moment } from '../moment.js';
import { isRemoval } from '../places/named-subjects.js';
import { type LogEvent, type Row, rowOf } from '../rows.js';
import { editOf } from '../topics/topic-as-of.js';
import { wireContent, wirePlace, wireUser } from '../wire.js';
import type { DeletionsReader } from './deletions.reader.js';
import type { WordingsReader } from './wordings.reader.js';
import { wordsIn } from './wordings.projection.js';

/** Messages that are looked at together: few at first, so that the first line comes soon. */
const FIRST_BATCH = 16;
const BATCH = 128;
/** Messages that a word of a former wording names, looked at together: each with all of its versions. */
const EDITED_BATCH = 16;
/** Each is a look into the index. */
const WORDS_MAX = 30;

interface Version {
  readonly version: number;
  /** The send or the edit that made it. */
  readonly event: LogEvent;
  readonly content: SentEvent['data'] | ContentEdit;
  readonly place: Place;
  readonly hasWords: boolean;
}

interface Versions {
  readonly messageId: number;
  readonly senderId: number;
  /** Oldest first. */
  readonly all: readonly Version[];
  readonly deletion: LogEvent | undefined;
}

/**
 * Searches all wordings that messages ever had: the current ones and the replaced ones by their indexes, the last ones of deleted
 * messages in the log. Each message is told once, with all of its wordings that have the words.
 */
export class Search {
  constructor(
    private readonly directory: Directory,
    private readonly messages: MessagesReader,
    private readonly events: MessageEvents,
    private readonly wordings: WordingsReader,
    private readonly deletions: DeletionsReader,
  ) {}

  /** @throws Refusal BAD_REQUEST when the text has no words that are searched, or too many */
  rows(text: string, moment: Moment): AsyncGenerator<Row, void, void> {
    const words = [...wordsOf(text)].filter((word) => word !== '');
    if (words.length === 0)
      throw badRequest('There is no word to search for: the most frequent ones are not searched.');
    if (words.length > WORDS_MAX) throw badRequest(`Search for at most ${WORDS_MAX} words.`);
    return this.#rows(words, moment);
  }

  async *#rows(words: readonly string[], moment: Moment): AsyncGenerator<Row, void, void> {
    for await (const ids of batches(this.#current(words), FIRST_BATCH, BATCH))
      for await (const versions of this.#versions(ids, words, 'current'))
        if (isFoundNow(versions)) yield* this.#told(versions, moment);
    for await (const found of batches(this.wordings.with(words), EDITED_BATCH, EDITED_BATCH)) {
      const ids = [...new Set(found.map(({ messageId }) => messageId))].sort((a, b) => a - b);
      const known = new Map<number, Versions>();
      for await (const versions of this.#versions(ids, words, 'edited')) known.set(versions.messageId, versions);
      for (const { messageId, position } of found) {
        const versions = known.get(messageId);
        if (!isFoundNow(versions) && firstReplacement(versions) === position) yield* this.#told(versions, moment);
      }
    }
    for await (const deleted of this.deletions.ids())
      for (let from = 0; from < deleted.length; from += BATCH)
        for await (const versions of this.#versions(deleted.slice(from, from + BATCH), words, 'deleted')) {
          const isLast = versions.all.at(-1)?.hasWords === true;
          if (isLast && firstReplacement(versions) === undefined) yield* this.#told(versions, moment);
        }
  }

  /** Messages that the index of current ones names; topics and senders are in it as well. Ascending. */
  async *#current(words: readonly string[]): AsyncGenerator<number, void, void> {
    const all = words.map((word) => where.contains('words', word));
    for await (const ids of this.messages.scanIds(where.and(...all))) yield* ids;
  }

  /**
   * Versions of messages, in the order of the IDs, in slices. Streams of messages are read only where there is something to find: most
   * messages have the one wording with which they were sent.
   * @param ids ascending
   * @param among which messages they are
   */
  async *#versions(
    ids: readonly number[],
    words: readonly string[],
    among: 'current' | 'edited' | 'deleted',
  ): AsyncGenerator<Versions, void, void> {
    const slices = new Slices();
    const sends = await this.events.sends(ids);
    const edited = among === 'edited' ? new Set(ids) : await this.wordings.edited(ids);
    const all: Versions[] = [];
    for (const sent of sends.values()) {
      all.push(asSent(sent, words));
      if (slices.isOver) await slices.next();
    }
    // Of a deleted message that was never edited and has not the words, nobody asks when it was deleted.
    const isChanged = ({ messageId, all: [first] }: Versions): boolean =>
      edited.has(messageId) || (among === 'deleted' && first?.hasWords === true);
    const streams = this.events.beginnings(all.filter(isChanged).map(({ messageId }) => messageId));
    let read: ReadonlyMap<number, Beginning> = new Map();
    for (const sent of all) {
      const { messageId } = sent;
      if (isChanged(sent) && !read.has(messageId)) read = (await streams.next()).value ?? read;
      yield isChanged(sent) ? await this.#changed(sent, read.get(messageId), words) : sent;
      if (slices.isOver) await slices.next();
    }
  }

  async #changed(sent: Versions, beginning: Beginning | undefined, words: readonly string[]): Promise<Versions> {
    const { messageId } = sent;
    const all = [...sent.all];
    let [place, deletion] = [all[0]?.place, sent.deletion];
    for await (const event of this.events.changes(messageId, undefined, beginning)) {
      if (event.type === 'messages.moved.v1' && place !== undefined)
        place = placeAfter(place, event.data as MessagesMoved['data']);
      if (isRemoval(event.type)) deletion = event;
      const edit = editOf(event, messageId);
      if (edit !== undefined && place !== undefined) all.push(version(all.length + 1, event, edit, place, words));
    }
    return { ...sent, all, deletion };
  }

  *#told(versions: Versions | undefined, moment: Moment): Generator<Row, void, void> {
    if (versions === undefined) return;
    const { messageId, senderId, deletion } = versions;
    const then = versions.all.filter(({ event }) => isEventUpTo(moment, event));
    const isDeleted = deletion !== undefined && isEventUpTo(moment, deletion);
    for (const { version, event, content, place, hasWords } of then) {
      if (!hasWords) continue;
      const isLast = version === then.length;
      yield rowOf(this.directory, event, 'found', {
        message_id: messageId,
        version,
        state: isDeleted ? 'deleted' : isLast ? 'current' : 'replaced',
        sender: wireUser(this.directory, senderId),
        place: wirePlace(this.directory, place),
        ...wireContent(content),
      });
    }
  }
}

function asSent(sent: SentEvent, words: readonly string[]): Versions {
  const { data, revision } = sent;
  const all = [version(1, sent, data, placeOf(data), words)];
  return { messageId: messageIdOf(revision), senderId: data.senderId, all, deletion: undefined };
}

function version(
  number: number,
  event: LogEvent,
  content: Version['content'],
  place: Place,
  words: readonly string[],
): Version {
  const found = wordsIn(content);
  return { version: number, event, content, place, hasWords: words.every((word) => found.has(word)) };
}

function placeAfter(place: Place, move: MessagesMoved['data']): Place {
  return { ...move.to, topic: topicAfterMove('topic' in place ? place.topic : '', move) };
}

/** Items in batches, each twice as long as the one before, up to a length. */
async function* batches<Item>(
  items: AsyncIterable<Item>,
  first: number,
  most: number,
): AsyncGenerator<readonly Item[], void, void> {
  let [batch, size]: [Item[], number] = [[], first];
  for await (const item of items) {
    if (batch.push(item) < size) continue;
    yield batch;
    [batch, size] = [[], Math.min(2 * size, most)];
  }
  if (batch.length > 0) yield batch;
}

/** The index of current messages names it. */
function isFoundNow(versions: Versions | undefined): boolean {
  return versions?.deletion === undefined && versions?.all.at(-1)?.hasWords === true;
}

/** Position of the edit that replaced the first wording with the words; undefined when only the last one has them. */
function firstReplacement(versions: Versions | undefined): number | undefined {
  const first = versions?.all.findIndex(({ hasWords }) => hasWords) ?? -1;
  return first < 0 ? undefined : versions?.all[first + 1]?.event.position;
}
