import type { ArchiveReader } from '#archive';
import { entryNamed } from '../translated/archive-files.js';
import type { TranslatableArchive } from '../translated/import-translated.js';
import { type Card, textOfCard } from '../translated/message-text.js';
import { visible } from '../translated/names.js';
import { ThreadTopics } from '../translated/thread-topics.js';
import type { KeptFile, TranslatedMessage } from '../translated/translated.js';
import type { Translation } from '../translated/translation.js';
import { markdownOfMattermost, type MattermostNames } from './mattermost-markup.js';
import { addChannels } from './mattermost-channels.js';
import type { MattermostMessage } from './mattermost-documents.js';
import { MATTERMOST_FOLDERS, MattermostPeople } from './mattermost-people.js';
import { channelKey, type MattermostContent, type MattermostRecord, readContent } from './mattermost-records.js';

/** Topic of what is in no thread. */
const NO_THREAD = 'imported from Mattermost';
const DOCUMENT = /^[^/]+\.jsonl$/;
/** Types of posts that Mattermost writes by itself begin so. */
const MATTERMOSTS_OWN = 'system_';
/** Messages that are translated before the events are taken. */
const MESSAGES_AT_ONCE = 250;

/** The entry with the documents of a Mattermost export: the only one of its kind; undefined when it is another archive. */
export function mattermostDocument(archive: ArchiveReader): string | undefined {
  if (archive.has('import.jsonl')) return 'import.jsonl';
  const [document, ...more] = archive.entries().filter(({ name }) => DOCUMENT.test(name));
  return more.length === 0 ? document?.name : undefined;
}

/**
 * An export of Mattermost: teams, channels, users, and posts in any order, with their replies. Threads become topics; messages
 * are translated in the order of their times.
 * @param onLines called now and then with the number of lines that were read; what it throws ends the reading
 */
export async function mattermostArchive(
  archive: ArchiveReader,
  entry: string,
  onLines: (lines: number) => void,
): Promise<TranslatableArchive> {
  const content = await readContent(archive, entry, onLines);
  return {
    translate: (to) => new MattermostTranslation(archive, entry, content, to).run(),
    close: () => content.records.remove(),
  };
}

class MattermostTranslation {
  /** By channel. */
  readonly #topics = new Map<number, ThreadTopics>();
  /** Custom emoji whose name is another one here. */
  readonly #emojiNames = new Map<string, string>();
  readonly #people: MattermostPeople;

  constructor(
    private readonly archive: ArchiveReader,
    entry: string,
    private readonly content: MattermostContent,
    private readonly to: Translation,
  ) {
    this.#people = new MattermostPeople(archive, entry, content, to);
  }

  async *run(): AsyncGenerator<unknown, void, void> {
    const { content, to } = this;
    for (const [kind, count] of content.leftOut)
      to.notes.add(`lines of the kind "${visible(kind, 50)}" have no place here`, count);
    await this.#people.begin();
    addChannels(content, to);
    await this.#addEmoji();
    yield;
    for await (const page of content.records.inOrder()) {
      for (const [index, record] of page.entries()) {
        const { attachments } = record.message;
        const files = attachments === undefined || attachments === null ? [] : await this.#filesOf(record);
        this.#add(record, files);
        if (index % MESSAGES_AT_ONCE === MESSAGES_AT_ONCE - 1) yield;
      }
      yield;
    }
  }

  async #addEmoji(): Promise<void> {
    for (const { name, image } of this.content.emoji) {
      const entry = entryNamed(this.archive, image ?? '', MATTERMOST_FOLDERS);
      if (entry === undefined) this.to.notes.add('custom emoji are not in the archive');
      const added = entry === undefined ? undefined : await this.to.addEmoji(name, entry);
      if (added !== undefined && added !== name) this.#emojiNames.set(name, added);
    }
  }

  async #filesOf({ message }: MattermostRecord): Promise<KeptFile[]> {
    const kept: KeptFile[] = [];
    for (const { path } of message.attachments ?? []) {
      const entry = entryNamed(this.archive, path, MATTERMOST_FOLDERS);
      if (entry === undefined) this.to.notes.add('files are not in the archive');
      else kept.push(await this.to.addFile(entry, this.#people.idOf(message.user), message.create_at));
    }
    return kept;
  }

  #add(record: MattermostRecord, files: readonly KeptFile[]): void {
    const { message } = record;
    const { notes } = this.to;
    if (message.type?.startsWith(MATTERMOSTS_OWN) === true) {
      notes.add('messages that Mattermost wrote by itself are left out');
      return;
    }
    if ((message.delete_at ?? 0) > 0) {
      notes.add('messages were deleted');
      return;
    }
    const senderId = this.#people.idOf(message.user);
    const place = this.#placeOf(record, senderId);
    if (place === undefined) {
      notes.add('messages are in channels that are not in the archive');
      return;
    }
    const content = this.#contentOf(record);
    if (content.trim() === '' && files.length === 0) {
      notes.add('messages had no text');
      return;
    }
    if (message.is_pinned === true) notes.add('messages were pinned; this server has no pins');
    const editedAtMs = message.edit_at ?? 0;
    this.to.addMessage({
      senderId,
      place,
      content,
      at: Math.floor(message.create_at / 1000),
      reactions: this.#reactionsOf(message),
      edited: editedAtMs > 0 ? { by: senderId, at: Math.floor(editedAtMs / 1000) } : undefined,
      files,
      starredBy: (message.flagged_by ?? []).map((name) => this.#people.idOf(name)),
    });
  }

  #placeOf(record: MattermostRecord, senderId: number): TranslatedMessage['place'] | undefined {
    const { channel, members = [], thread } = record;
    if (channel === undefined) {
      const userIds = members.map((name) => this.#people.idOf(name));
      return { to: [...new Set([...userIds, senderId])].sort((a, b) => a - b) };
    }
    const channelId = this.to.channelId(channel);
    if (channelId === undefined) return undefined;
    if (thread === undefined) return { channelId, topic: NO_THREAD };
    let topics = this.#topics.get(channelId);
    if (topics === undefined) this.#topics.set(channelId, (topics = new ThreadTopics()));
    const begun = record.isRoot === true ? (record.message.message ?? '') : '';
    return { channelId, topic: topics.topicOf(thread, () => begun) };
  }

  #contentOf({ channel, message }: MattermostRecord): string {
    const { to } = this;
    const team = channel?.slice(0, channel.indexOf('/')) ?? '';
    const names: MattermostNames = {
      mention: (name) => to.mention(name),
      channel: (name) => to.channelName(channelKey(team, name)),
    };
    const text = message.message ?? '';
    const said = message.type === 'me' ? `/me ${text.replace(/^\*(.*)\*$/s, '$1')}` : text;
    const cards = cardsOf(message.props?.attachments).map(textOfCard);
    return [said, ...cards]
      .filter((part) => part !== '')
      .map((part) => markdownOfMattermost(part, names))
      .join('\n');
  }

  #reactionsOf({ reactions }: MattermostMessage): TranslatedMessage['reactions'] {
    if (reactions === undefined || reactions === null || reactions.length === 0) return [];
    return reactions.map(({ emoji_name, user, create_at }) => {
      const emoji =
        this.#emojiNames.get(emoji_name) ?? emoji_name.replace(/_(?:(?:medium_)?(?:light|dark)|medium)_skin_tone$/, '');
      const at = (create_at ?? 0) > 0 ? { at: Math.floor((create_at ?? 0) / 1000) } : {};
      return { emoji, userId: this.#people.idOf(user), ...at };
    });
  }
}

/** Cards in the free form that extensions write. */
function cardsOf(cards: unknown): Card[] {
  if (!Array.isArray(cards)) return [];
  return cards.flatMap((card: unknown) => {
    if (typeof card !== 'object' || card === null) return [];
    const texts = Object.entries(card).filter((field): field is [string, string] => typeof field[1] === 'string');
    return [Object.fromEntries(texts)];
  });
}
