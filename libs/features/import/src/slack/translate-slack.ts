import { ArchiveProblem, type ArchiveReader } from '#archive';
import { ROLE } from '#users/model';
import type { TranslatableArchive } from '../translated/import-translated.js';
import { linkTo, textOfCard } from '../translated/message-text.js';
import { ThreadTopics } from '../translated/thread-topics.js';
import type { TranslatedUser } from '../translated/translated.js';
import type { Translation } from '../translated/translation.js';
import {
  readChannels,
  readMessages,
  readUsers,
  type SlackChannel,
  type SlackMessage,
  type SlackUser,
} from './slack-documents.js';
import { markdownOfSlack, type SlackNames, unescaped } from './slack-markup.js';

/** Entry by which an archive of Slack is recognized. */
export const SLACK_USERS = 'users.json';
/** Topic of what is in no thread. */
const NO_THREAD = 'imported from Slack';
const DAY = /^(.+)\/(\d{4}-\d{2}-\d{2})\.json$/;

/** Subtypes that Slack writes by itself: who joined, what a channel is called. */
const SLACKS_OWN =
  /^(?:channel|group)_|^bot_(?:add|remove|enable|disable)|^(?:tombstone|sh_room_created|reminder_add|pinned_item|unpinned_item)$/;

/** A channel, private channel or direct conversation, and the folder with its messages. */
interface Conversation {
  readonly folder: string;
  readonly channelId?: number;
  readonly participants?: readonly number[];
  /** Topics of threads, by the time of their first message. */
  readonly topics: ThreadTopics;
}

/** Messages that are translated before the events are taken. */
const MESSAGES_AT_ONCE = 250;

/**
 * Translates an archive of Slack: users, channels, private channels and direct conversations, and per conversation and day a
 * list of messages. Threads become topics, in the order of all messages by day.
 */
export function slackArchive(archive: ArchiveReader): TranslatableArchive {
  return { translate: (to) => translateSlack(archive, to), close: () => Promise.resolve() };
}

async function* translateSlack(archive: ArchiveReader, to: Translation): AsyncGenerator<unknown, void, void> {
  const slack = new SlackTranslation(archive, to);
  await slack.begin();
  yield;
  const days = slack.days();
  for (const day of [...days.keys()].sort()) {
    yield* slack.messagesOf(days.get(day) ?? []);
  }
}

class SlackTranslation implements SlackNames {
  readonly #conversations: Conversation[] = [];

  constructor(
    private readonly archive: ArchiveReader,
    private readonly to: Translation,
  ) {}

  mention(key: string): string | undefined {
    return this.to.mention(key);
  }

  channel(key: string): string | undefined {
    return this.to.channelName(key);
  }

  async begin(): Promise<void> {
    const { archive, to } = this;
    const users = await readUsers(archive, SLACK_USERS);
    const people = users.filter(({ deleted, is_bot }) => deleted !== true && is_bot !== true);
    const owner = people.find((one) => one.is_primary_owner) ?? people.find((one) => one.is_owner) ?? people[0];
    if (owner === undefined) throw new ArchiveProblem(SLACK_USERS, 'there is nobody who could own the organization.');
    const open = await readChannels(archive, 'channels.json');
    const closed = await readChannels(archive, 'groups.json');
    const at = Math.min(...[...open, ...closed].map(({ created = Infinity }) => created), 4_000_000_000);
    to.begin('Imported from Slack', translatedUser(owner), at === 4_000_000_000 ? 1 : at);
    for (const user of users) to.addUser(translatedUser(user));
    const byAge = (a: SlackChannel, b: SlackChannel): number =>
      Number(b.name === 'general') - Number(a.name === 'general');
    for (const channel of open.toSorted(byAge)) this.#addChannel(channel, false);
    for (const channel of closed) this.#addChannel(channel, true);
    for (const group of await readChannels(archive, 'mpims.json')) this.#addDirect(group, group.name ?? group.id);
    for (const direct of await readChannels(archive, 'dms.json')) this.#addDirect(direct, direct.id);
  }

  /** Entries of each day with their conversations. */
  days(): Map<string, { readonly name: string; readonly of: Conversation }[]> {
    const byFolder = new Map(this.#conversations.map((conversation) => [conversation.folder, conversation]));
    const days = new Map<string, { readonly name: string; readonly of: Conversation }[]>();
    for (const { name } of this.archive.entries()) {
      const [, folder = '', day = ''] = DAY.exec(name) ?? [];
      const of = byFolder.get(folder);
      if (of !== undefined) days.set(day, [...(days.get(day) ?? []), { name, of }]);
      else if (day !== '') this.to.notes.add('lists of messages belong to no conversation of the archive');
    }
    return days;
  }

  /** The messages of one day, by time. */
  async *messagesOf(entries: readonly { readonly name: string; readonly of: Conversation }[]) {
    const all: { readonly message: SlackMessage; readonly of: Conversation }[] = [];
    for (const { name, of } of entries)
      for (const message of await readMessages(this.archive, name)) all.push({ message, of });
    all.sort((a, b) => Number(a.message.ts) - Number(b.message.ts));
    for (const [index, { message, of }] of all.entries()) {
      this.#add(message, of);
      if (index % MESSAGES_AT_ONCE === MESSAGES_AT_ONCE - 1) yield;
    }
    yield;
  }

  #addChannel(channel: SlackChannel, isPrivate: boolean): void {
    const name = channel.name ?? channel.id;
    const texts = [channel.purpose?.value, channel.topic?.value].filter((text) => text !== undefined);
    const channelId = this.to.addChannel({
      key: channel.id,
      name: unescaped(name),
      description: texts
        .map((text) => markdownOfSlack(text, this))
        .join(' ')
        .trim(),
      isPrivate,
      isArchived: channel.is_archived === true,
      memberKeys: channel.members ?? [],
      creatorKey: channel.creator ?? undefined,
      at: channel.created ?? 1,
    });
    this.#conversations.push({ folder: name, channelId, topics: new ThreadTopics() });
  }

  #addDirect({ members = [] }: SlackChannel, folder: string): void {
    const participants = [...new Set(members.map((key) => this.#userId(key)))].sort((a, b) => a - b);
    if (participants.length > 0) this.#conversations.push({ folder, participants, topics: new ThreadTopics() });
  }

  #add(message: SlackMessage, conversation: Conversation): void {
    const { subtype, text, ts, edited } = message;
    const { notes } = this.to;
    if (subtype !== undefined && SLACKS_OWN.test(subtype)) {
      notes.add('messages that Slack wrote by itself are left out');
      return;
    }
    const content = this.#contentOf(message);
    if (content.trim() === '') {
      notes.add('messages had no text');
      return;
    }
    const senderId = this.#senderOf(message);
    const { channelId, participants = [] } = conversation;
    const place =
      channelId === undefined
        ? { to: [...new Set([...participants, senderId])].sort((a, b) => a - b) }
        : { channelId, topic: topicOf(message, conversation, text ?? '') };
    const reactions = (message.reactions ?? []).flatMap(({ name, users }) => {
      const emoji = name.replace(/::.*$/, '');
      return users.map((key) => ({ emoji, userId: this.#userId(key) }));
    });
    this.to.addMessage({
      senderId,
      place,
      content,
      at: Math.floor(Number(ts)),
      reactions,
      edited: edited && { by: this.#userId(edited.user ?? '', senderId), at: Math.floor(Number(edited.ts ?? ts)) },
    });
  }

  #contentOf({ subtype, text, files = [], attachments = [] }: SlackMessage): string {
    const parts = [markdownOfSlack(text ?? '', this)];
    if (subtype === 'me_message') parts[0] = `/me ${parts[0] ?? ''}`;
    for (const card of attachments) {
      const said = textOfCard(card);
      if (said !== '') parts.push(markdownOfSlack(said, this));
    }
    for (const { name, title, url_private, permalink, mode } of files) {
      if (mode === 'tombstone') continue;
      this.to.notes.add('files are at Slack, and are linked there');
      const shown = unescaped(title ?? name ?? 'file');
      const url = url_private ?? permalink;
      parts.push(url === undefined ? shown : linkTo(shown, url));
    }
    return parts.filter((part) => part !== '').join('\n');
  }

  #senderOf({ user, bot_id, username }: SlackMessage): number {
    if (user !== undefined && (this.to.userId(user) !== undefined || bot_id === undefined)) return this.#userId(user);
    return this.to.addUser({
      ...unknown(bot_id ?? username ?? 'bot'),
      names: [unescaped(username ?? 'Bot'), 'Bot'],
      isBot: true,
      isActive: true,
    });
  }

  /**
   * People of other workspaces are in messages and not in the list.
   * @param fallback for an empty key
   */
  #userId(key: string, fallback?: number): number {
    const known = this.to.userId(key) ?? (key === '' ? fallback : undefined);
    if (known !== undefined) return known;
    this.to.notes.add('accounts are named in messages and not in the list of users');
    return this.to.addUser(unknown(key));
  }
}

/** The topic of a thread is the beginning of its first message. */
function topicOf({ ts, thread_ts, reply_count = 0 }: SlackMessage, conversation: Conversation, text: string): string {
  const thread = thread_ts ?? (reply_count > 0 ? ts : undefined);
  if (thread === undefined) return NO_THREAD;
  return conversation.topics.topicOf(thread, () =>
    thread === ts ? unescaped(text.replaceAll(/<[^>|]*\|?([^>]*)>/g, '$1')) : '',
  );
}

function translatedUser(user: SlackUser): TranslatedUser {
  const { id, name, real_name, deleted, is_bot, tz, profile } = user;
  const names = [profile?.real_name, real_name, profile?.display_name, name].filter(isNamed).map(unescaped);
  return {
    key: id,
    names,
    email: profile?.email ?? '',
    role: roleOf(user),
    isBot: is_bot === true,
    isActive: deleted !== true,
    timezone: tz ?? '',
  };
}

function roleOf({ is_owner, is_primary_owner, is_admin, is_restricted, is_ultra_restricted }: SlackUser): number {
  if (is_primary_owner === true || is_owner === true) return ROLE.owner;
  if (is_admin === true) return ROLE.administrator;
  return is_restricted === true || is_ultra_restricted === true ? ROLE.guest : ROLE.member;
}

function unknown(key: string): TranslatedUser {
  return { key, names: [], email: '', role: ROLE.member, isBot: false, isActive: false, timezone: '' };
}

function isNamed(name: string | undefined): name is string {
  return name !== undefined && name !== '';
}
