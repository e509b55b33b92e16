import { Injectable } from '@nestjs/common';
import { badRequest, Slices } from '#kernel';
import { type ContentEdit, type MessagesMoved, type Place, MessagesReader, placeOf, wordsOf } from '#messages';
import { Directory } from '#people';
import { where } from '#read-store';
import { MessageEvents } from '../messages/message-events.js';
import type { SentEvent } from '../messages/sends.js';
import { isEventUpTo, type Moment } from '../moment.js';
import { isRemoval } from '../places/named-subjects.js';
import { type LogEvent, type Row, rowOf } from '../rows.js';
import { editOf } from '../topics/topic-as-of.js';
import { wireContent, wirePlace, wireUser } from '../wire.js';
import { DeletionsReader } from './deletions.reader.js';
import { WordingsReader } from './wordings.reader.js';
import { wordsIn } from './wordings.projection.js';

const PAGE = 50;
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
@Injectable()
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
    const slices = new Slices();
    for await (const id of this.#current(words)) {
      const versions = await this.#versions(id, words);
      if (isFoundNow(versions)) yield* this.#told(versions, moment);
      if (slices.isOver) await slices.next();
    }
    for await (const { messageId, position } of this.wordings.with(words)) {
      const versions = await this.#versions(messageId, words);
      if (!isFoundNow(versions) && firstReplacement(versions) === position) yield* this.#told(versions, moment);
      if (slices.isOver) await slices.next();
    }
    for await (const ids of this.deletions.ids())
      for (const id of ids) {
        const versions = await this.#versions(id, words);
        const isLast = versions?.all.at(-1)?.hasWords === true;
        if (isLast && firstReplacement(versions) === undefined) yield* this.#told(versions, moment);
        if (slices.isOver) await slices.next();
      }
  }

  /** Messages that the index of current ones names; topics and senders are in it as well. */
  async *#current(words: readonly string[]): AsyncGenerator<number, void, void> {
    const all = words.map((word) => where.contains('words', word));
    for (let after = 0; ;) {
      const ids = await this.messages.findIds(where.and(...all, where.range('$key', { gt: after })), 'ascending', PAGE);
      yield* ids;
      const last = ids.at(-1);
      if (last === undefined || ids.length < PAGE) return;
      after = last;
    }
  }

  async #versions(messageId: number, words: readonly string[]): Promise<Versions | undefined> {
    const sent = await this.events.sent(messageId);
    if (sent === undefined) return undefined;
    let place = placeOf(sent.data);
    let deletion: LogEvent | undefined;
    const all: Version[] = [];
    const add = (event: LogEvent, content: Version['content']): void => {
      const found = wordsIn(content);
      all.push({ version: all.length + 1, event, content, place, hasWords: words.every((word) => found.has(word)) });
    };
    add(sent, sent.data);
    for await (const event of this.events.changes(messageId)) {
      if (event.type === 'messages.moved.v1') place = (event.data as MessagesMoved['data']).to;
      if (isRemoval(event.type)) deletion = event;
      const edit = editOf(event, messageId);
      if (edit !== undefined) add(event, edit);
    }
    return { messageId, senderId: sent.data.senderId, all, deletion };
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

/** The index of current messages names it. */
function isFoundNow(versions: Versions | undefined): boolean {
  return versions?.deletion === undefined && versions?.all.at(-1)?.hasWords === true;
}

/** Position of the edit that replaced the first wording with the words; undefined when only the last one has them. */
function firstReplacement(versions: Versions | undefined): number | undefined {
  const first = versions?.all.findIndex(({ hasWords }) => hasWords) ?? -1;
  return first < 0 ? undefined : versions?.all[first + 1]?.event.position;
}
