import { streams } from '#event-store';
import { type LookedUp, renderContent, renderWorldOf, resolveEmoji, withMentioned } from '#messages';
import type { User } from '#users/model';
import { customEmojiPart } from '#pictures/model';
import type { EventSequence, PlacelessEvent } from './event-sequence.js';
import { linkTo, piecesOf } from './message-text.js';
import type { Notes } from './notes.js';
import type { KeptFile, TranslatedMessage } from './translated.js';

/** Sends are appended together, then what happened to them: long runs in one stream are quick to write. */
const SENDS_AT_ONCE = 500;
/** Ranges of message IDs in one event. */
const RANGES_MAX = 10_000;
const CLIENT = 'Import';
/** Addresses of this server are relative in what was written elsewhere: there are none. */
const NO_ADDRESS = 'https://imported.invalid';

type Content = ReturnType<typeof withMentioned>;

interface Send {
  readonly event: PlacelessEvent;
  readonly at: number;
  readonly changes: readonly PlacelessEvent[];
}

/** Makes messages of another system's, with their reactions and marks. */
export class TranslatedMessages {
  #sends: Send[] = [];
  #count = 0;
  readonly #starred = new Map<number, number[]>();

  /** @param isDraft only checks: HTML, which takes most of the time, is not made */
  constructor(
    private readonly sequence: EventSequence,
    private readonly notes: Notes,
    private readonly isDraft: boolean,
  ) {}

  get count(): number {
    return this.#count;
  }

  /** Returns the ID of the first of the messages that stand for it; undefined when nothing is left of it. */
  add(message: TranslatedMessage): number | undefined {
    const { senderId, place, at, files } = message;
    const author = this.sequence.directory.user(senderId);
    if (author === undefined) throw new Error(`There is no user ${senderId}.`);
    let first: number | undefined;
    for (const piece of piecesOf(contentOf(message))) {
      const content = this.rendered(author, piece, files);
      const messageId = ++this.#count;
      const where = 'to' in place ? { to: [...place.to] } : place;
      const changes = first === undefined ? this.#changes(messageId, message, content, where) : [];
      first ??= messageId;
      this.#sends.push({
        event: { type: 'message.sent.v1', data: { senderId, ...where, ...content, client: CLIENT, at } },
        at,
        changes,
      });
    }
    if (first !== undefined) this.#star(first, message.starredBy);
    if (this.#sends.length >= SENDS_AT_ONCE) this.flush();
    return first;
  }

  /** Content with the results of rendering, as its author would have sent it. */
  rendered(author: User, content: string, files: readonly KeptFile[] = []): Content {
    if (this.isDraft) return { content };
    const { directory } = this.sequence;
    const found: LookedUp =
      files.length === 0 ? {} : { files: new Map(files.map(({ pathId, file }) => [pathId, file])) };
    const world = () => renderWorldOf(directory, NO_ADDRESS, author, found);
    return withMentioned(directory, renderContent(directory, author, content, world, found));
  }

  flush(): void {
    const sends = this.#sends;
    this.#sends = [];
    const firstId = this.sequence.directory.lastMessageId + 1;
    for (const { event, at } of sends) this.sequence.add(streams.messages, event, at);
    for (const [index, { changes, at }] of sends.entries())
      if (changes.length > 0) this.sequence.addAll(streams.message(firstId + index), changes, at);
  }

  /** The last events: everything counts as read, and some are starred. */
  end(at: number): void {
    this.flush();
    if (this.#count === 0) return;
    for (const { userId, botType } of [...this.sequence.directory.users()]) {
      if (botType !== null) continue;
      const starred = this.#starred.get(userId)?.map((id): [number, number] => [id, id]) ?? [];
      const flags = [{ flag: 'read', ids: [[1, this.#count]] }];
      for (let from = 0; from < starred.length; from += RANGES_MAX)
        flags.push({ flag: 'starred', ids: starred.slice(from, from + RANGES_MAX) });
      const events = flags.map((flag) => ({ type: 'flags.changed.v1', data: { userId, op: 'add', ...flag, at } }));
      this.sequence.addAll(streams.flags(userId), events, at);
    }
  }

  /** What happened to a message after it was sent. */
  #changes(messageId: number, message: TranslatedMessage, content: Content, place: object): PlacelessEvent[] {
    const { edited, at } = message;
    const changes = message.reactions.length === 0 ? [] : this.#reactions(messageId, message, place);
    if (edited === undefined) return changes;
    this.notes.add('messages were edited; what they said before is not in the archive');
    const { content: prevContent, rendered: prevRendered } = content;
    const before = { prevContent, prevRendered };
    const data = { messageId, ...content, ...before, place, by: edited.by, at: Math.max(edited.at, at) };
    return [{ type: 'message.edited.v1', data }, ...changes];
  }

  #reactions(messageId: number, { reactions, at }: TranslatedMessage, place: object): PlacelessEvent[] {
    const customEmoji = this.sequence.directory.of(customEmojiPart);
    const added = new Map<string, PlacelessEvent>();
    for (const { emoji: name, userId, at: reactedAt = at } of reactions) {
      const { emoji, problem } = resolveEmoji({ name, code: undefined, type: undefined }, customEmoji);
      if (emoji === undefined || problem !== undefined) {
        this.notes.add('reactions are of an emoji that this server does not have');
        continue;
      }
      const key = `${userId} ${emoji.reactionType} ${emoji.emojiCode}`;
      // Skin tones of one emoji are one emoji here.
      if (added.has(key)) continue;
      const data = { messageId, userId, ...emoji, place, at: Math.max(reactedAt, at) };
      added.set(key, { type: 'reaction.added.v1', data });
    }
    return [...added.values()];
  }

  #star(messageId: number, userIds: readonly number[] = []): void {
    for (const userId of new Set(userIds)) {
      const known = this.#starred.get(userId);
      if (known === undefined) this.#starred.set(userId, [messageId]);
      else known.push(messageId);
    }
  }
}

function contentOf({ content, files = [] }: TranslatedMessage): string {
  if (files.length === 0) return content;
  const links = files.map(({ pathId, name }) => linkTo(name, `/user_uploads/${pathId}`));
  return [content, ...links].filter((part) => part !== '').join('\n');
}
