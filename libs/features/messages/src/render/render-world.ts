import { badRequest } from '#kernel';
import { isPlain, type MentionableUser, type Mentions, NO_MENTIONS, render, type RenderWorld } from '#markdown';
import { ascending, mayMentionGroup, type Group } from '#groups/model';
import { mayKnowChannel, type Channel } from '#channels/model';
import { mayKnowUser, type Directory } from '#people';
import { nameKey, type User } from '#users/model';
import { emojiAddress, customEmojiPart } from '#pictures/model';
import { preferencesPart } from '#preferences/model';
import { linkifiersPart } from '#realm/model';
import type { MessageContent } from '../model/message-content.js';
import { EMPTY_TOPIC_DISPLAY_NAME, WILDCARD_FREE_AUDIENCE_MAX } from '../model/message-settings.js';
import type { Place } from '../model/messages.events.js';
import { topicKeyOf } from '../model/place.js';
import type { ReferencedFile } from './referenced-files.js';
import { EXTRA_EMOJI } from '../model/reaction-emoji.js';

/** Display names of system groups. */
const SYSTEM_GROUP_NAMES: Readonly<Record<string, string>> = {
  'role:owners': 'Owners',
  'role:administrators': 'Administrators',
  'role:moderators': 'Moderators',
  'role:fullmembers': 'Full members',
  'role:members': 'Members',
  'role:everyone': 'Everyone',
  'role:internet': 'Everyone on the Internet',
  'role:nobody': 'Nobody',
};

/** Data that rendering needs besides the organization. */
export interface LookedUp {
  /** Where the content stands. The server's own bots know no private channels, and may link those that its readers know. */
  readonly place?: Place | undefined;
  /** Newest message of each topic that the content links to, by `topicLinkKey`. */
  readonly latestIds?: ReadonlyMap<string, number> | undefined;
  /** Files that the author may read, by path ID. */
  readonly files?: ReadonlyMap<string, ReferencedFile> | undefined;
}

export function topicLinkKey(channelId: number, topic: string): string {
  return `${channelId}:${topicKeyOf(topic)}`;
}

/** View of the organization for rendering, as the author sees it. */
export function renderWorldOf(
  directory: Directory,
  realmUrl: string,
  author: User,
  { place, latestIds, files }: LookedUp = {},
): RenderWorld {
  const userCalled = byName(
    () => directory.users(),
    ({ fullName }) => [fullName],
  );
  const groupNamed = byName(
    () => liveGroups(directory),
    ({ name }) => [name],
  );
  // A user group may have the same name as a system group is displayed with.
  const groupDisplayedAs = byName(
    () => liveGroups(directory),
    (group) => [displayName(group)],
  );
  const isServers = author.systemBot !== undefined;
  return {
    realmUrl,
    emptyTopicName: EMPTY_TOPIC_DISPLAY_NAME,
    translateEmoticons: translatesEmoticons(directory, author),
    inlinePreviews: directory.settings.inline_image_preview,
    upload: (pathId) => files?.get(pathId)?.metadata,
    linkifiers: directory.of(linkifiersPart).inOrder,
    defaultCodeLanguage: directory.settings.default_code_block_language,
    customEmoji(name) {
      const custom = directory.of(customEmojiPart).byName.get(name);
      return custom === undefined ? EXTRA_EMOJI.get(name) : { url: emojiAddress(custom) };
    },
    userByName(name) {
      const [user, ...namesakes] = directory.usersByName(name);
      if (namesakes.length > 0) return undefined;
      const called = user ?? userCalled(name);
      return called === undefined || !mayKnowUser(directory, author, called) ? undefined : mentionable(called);
    },
    userById(id) {
      const user = directory.user(id);
      return user === undefined || !mayKnowUser(directory, author, user) ? undefined : mentionable(user);
    },
    groupByName(name) {
      const group = groupNamed(name) ?? groupDisplayedAs(name);
      return group && { id: group.groupId, name: displayName(group), isSystem: group.isSystemGroup };
    },
    channelByName(name) {
      const channel = directory.channelByName(name);
      if (channel === undefined) return undefined;
      const isKnown =
        mayKnowChannel(directory, author, channel) || (isServers && areReadersTold(directory, channel, place));
      return isKnown ? { id: channel.channelId, name: channel.name } : undefined;
    },
    ...(latestIds === undefined
      ? undefined
      : { latestMessageId: (channelId: number, topic: string) => latestIds.get(topicLinkKey(channelId, topic)) }),
  };
}

/** Whether all who read what is written in a place know a channel. */
function areReadersTold(directory: Directory, channel: Channel, place: Place | undefined): boolean {
  if (place === undefined) return false;
  if ('channelId' in place) return place.channelId === channel.channelId;
  return place.to.every((userId) => {
    const user = directory.user(userId);
    return user === undefined || user.systemBot !== undefined || mayKnowChannel(directory, user, channel);
  });
}

/**
 * Finds by exact name, or else the only one with that name regardless of case. All are indexed once per message, and
 * only when a name is looked up.
 */
function byName<T>(all: () => Iterable<T>, namesOf: (one: T) => readonly string[]): (name: string) => T | undefined {
  let byFolded: Map<string, T[]> | undefined;
  const index = (): Map<string, T[]> => {
    const found = new Map<string, T[]>();
    for (const one of all()) {
      for (const name of new Set(namesOf(one).map(nameKey))) {
        const namesakes = found.get(name);
        if (namesakes === undefined) found.set(name, [one]);
        else namesakes.push(one);
      }
    }
    return found;
  };
  return (name) => {
    byFolded ??= index();
    const called = byFolded.get(nameKey(name)) ?? [];
    const exact = called.find((one) => namesOf(one).includes(name));
    return exact ?? (called.length === 1 ? called[0] : undefined);
  };
}

function mentionable({ userId, fullName, isActive }: User): MentionableUser {
  return { id: userId, fullName, isDeactivated: !isActive };
}

/** A deactivated group cannot be mentioned. */
function* liveGroups(directory: Directory): Generator<Group> {
  for (const group of directory.groups()) if (!group.isDeactivated) yield group;
}

function displayName({ name, isSystemGroup }: Group): string {
  return isSystemGroup ? (SYSTEM_GROUP_NAMES[name] ?? name) : name;
}

/** Content and the results of rendering, independent of its place. */
export interface FoundContent {
  /** Without the users whom it notifies (`withMentioned`). */
  readonly content: MessageContent;
  readonly mentions: Mentions;
  /** The text that is searched for alert words. */
  readonly text: string;
}

/** Renders content. Plain content, which most is, needs no parser and, unless linkifiers could match in it, no world. */
export function renderContent(
  directory: Directory,
  author: User,
  content: string,
  world: () => RenderWorld,
  { files }: LookedUp = {},
): FoundContent {
  const hasEmoticons = /[:;]/.test(content) && translatesEmoticons(directory, author);
  const isOnlyMarkdown = !hasEmoticons && directory.of(linkifiersPart).inOrder.length === 0;
  if (isOnlyMarkdown && isPlain(content)) return { content: { content }, mentions: NO_MENTIONS, text: content };
  const { html, plain, mentions, uploads, textForAlertWords: text } = render(content, world());
  const references = uploads.flatMap((pathId) => {
    const file = files?.get(pathId);
    return file === undefined ? [] : [{ fileId: file.fileId, ownerId: file.ownerId }];
  });
  const found: MessageContent = {
    content,
    ...(plain ? undefined : { rendered: html }),
    ...(mentions.channelWildcard ? { channelWildcard: true } : undefined),
    ...(references.length === 0 ? undefined : { files: references }),
  };
  return { content: found, mentions, text };
}

/** The content of a message: with all users whom it notifies, personally or as members of a group. */
export function withMentioned(
  directory: Directory,
  { content, mentions: { users, groups } }: FoundContent,
): MessageContent {
  if (users.length === 0 && groups.length === 0) return content;
  const active = users.filter((userId) => directory.user(userId)?.isActive === true);
  const told = groups.filter((groupId) => directory.group(groupId)?.isSystemGroup === false);
  const userIds = told.length === 0 ? active : directory.memberIds(told).concat(active);
  return userIds.length === 0 ? content : { ...content, mentions: ascending(userIds) };
}

/**
 * The server's own bots mention only whom they were told to. System groups are mentioned silently alone (rules.md §14).
 * @throws Refusal BAD_REQUEST
 */
export function assertGroupsMentionable(directory: Directory, author: User, groupIds: readonly number[]): void {
  if (author.systemBot !== undefined) return;
  for (const groupId of groupIds) {
    const group = directory.group(groupId);
    if (group === undefined || mayMentionGroup(directory, author, group)) continue;
    throw badRequest(`You are not allowed to mention user group '${group.name}'.`);
  }
}

/**
 * Groups whom a message in a channel mentions reach as many people as wildcards do without a permission (rules.md §14).
 * @throws Refusal BAD_REQUEST
 */
export function assertGroupsReachable(directory: Directory, author: User, groupIds: readonly number[]): void {
  if (author.systemBot !== undefined || groupIds.length === 0) return;
  if (directory.holds(author, directory.permission('can_mention_many_users_group'))) return;
  if (directory.memberIds(groupIds).length > WILDCARD_FREE_AUDIENCE_MAX)
    throw badRequest(
      `You do not have permission to mention groups of more than ${WILDCARD_FREE_AUDIENCE_MAX} people together.`,
    );
}

function translatesEmoticons(directory: Directory, { userId }: User): boolean {
  return directory.of(preferencesPart).setting(userId, 'translate_emoticons');
}
