import { badRequest } from '#kernel';
import { isPlain, render, sourceHtml, type Mentions, type RenderWorld } from '#markdown';
import { mayKnowChannel, mayMentionGroup, type Directory, type Group, type User } from '#organization';
import type { MessageContent } from './message-content.js';
import { EMPTY_TOPIC_DISPLAY_NAME, RENDERED_BYTES_MAX } from './message-settings.js';
import { topicKeyOf } from './place.js';
import { EXTRA_EMOJI } from './reaction-emoji.js';

/** How system groups are called in a sentence. */
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

/** The newest message of each topic that the content links to, by `topicLinkKey`. */
export type LatestIds = ReadonlyMap<string, number>;

export function topicLinkKey(channelId: number, topic: string): string {
  return `${channelId}:${topicKeyOf(topic)}`;
}

/** The organization as rendering asks about it, in the eyes of the author. */
export function renderWorldOf(
  directory: Directory,
  realmUrl: string,
  author: User,
  latestIds?: LatestIds,
): RenderWorld {
  const userCalled = byName(
    () => directory.users(),
    ({ fullName }) => [fullName],
  );
  const groupCalled = byName(
    () => directory.groups(),
    (group) => [group.name, displayName(group)],
  );
  return {
    realmUrl,
    emptyTopicName: EMPTY_TOPIC_DISPLAY_NAME,
    translateEmoticons: translatesEmoticons(directory, author),
    linkifiers: directory.linkifiers.inOrder,
    customEmoji: (name) => EXTRA_EMOJI.get(name),
    userByName(name) {
      const [user, ...namesakes] = directory.usersByName(name);
      if (namesakes.length > 0) return undefined;
      const called = user ?? userCalled(name);
      return called === undefined ? undefined : mentionable(called);
    },
    userById(id) {
      const user = directory.user(id);
      return user === undefined ? undefined : mentionable(user);
    },
    groupByName(name) {
      const group = groupCalled(name);
      return group && { id: group.groupId, name: displayName(group), isSystem: group.isSystemGroup };
    },
    channelByName(name) {
      const channel = directory.channelByName(name);
      if (channel === undefined || !mayKnowChannel(directory, author, channel)) return undefined;
      return { id: channel.channelId, name: channel.name };
    },
    ...(latestIds === undefined
      ? undefined
      : { latestMessageId: (channelId: number, topic: string) => latestIds.get(topicLinkKey(channelId, topic)) }),
  };
}

/**
 * Finds by name: who is called exactly so, or else the only one who is without regard to case. All are looked at once for the world of
 * one message, and only when somebody is asked for.
 */
function byName<T>(all: () => Iterable<T>, namesOf: (one: T) => readonly string[]): (name: string) => T | undefined {
  let byFolded: Map<string, T[]> | undefined;
  const index = (): Map<string, T[]> => {
    const found = new Map<string, T[]>();
    for (const one of all()) {
      for (const name of new Set(namesOf(one).map((written) => written.toLowerCase()))) {
        const namesakes = found.get(name);
        if (namesakes === undefined) found.set(name, [one]);
        else namesakes.push(one);
      }
    }
    return found;
  };
  return (name) => {
    byFolded ??= index();
    const called = byFolded.get(name.toLowerCase()) ?? [];
    const exact = called.find((one) => namesOf(one).includes(name));
    return exact ?? (called.length === 1 ? called[0] : undefined);
  };
}

function mentionable({ userId, fullName }: User): { id: number; fullName: string } {
  return { id: userId, fullName };
}

function displayName({ name, isSystemGroup }: Group): string {
  return isSystemGroup ? (SYSTEM_GROUP_NAMES[name] ?? name) : name;
}

/** Content with what rendering finds in it, wherever it is going to stand. */
export interface FoundContent {
  readonly content: MessageContent;
  readonly topicWildcard: boolean;
  /** Those mentioned by name, and not only as members of a group. */
  readonly mentioned: readonly number[];
  /** In which alert words count. */
  readonly text: string;
}

/**
 * Content with what rendering finds in it. Plain content, which most is, costs neither a parser nor, unless linkifiers could
 * match in it, a world. Where the HTML grows out of all proportion, its source is shown instead.
 * @throws Refusal BAD_REQUEST for groups that the author may not mention
 */
export function renderContent(
  directory: Directory,
  author: User,
  content: string,
  world: () => RenderWorld,
): FoundContent {
  const hasEmoticons = /[:;]/.test(content) && translatesEmoticons(directory, author);
  const isOnlyMarkdown = !hasEmoticons && directory.linkifiers.inOrder.length === 0;
  if (isOnlyMarkdown && isPlain(content))
    return { content: { content }, topicWildcard: false, mentioned: [], text: content };
  const { html, plain, mentions, textForAlertWords: text } = render(content, world());
  assertGroupsMentionable(directory, author, mentions.groups);
  const fits = Buffer.byteLength(html) <= RENDERED_BYTES_MAX;
  const userIds = mentionedUserIds(directory, mentions);
  const found: MessageContent = {
    content,
    ...(plain ? undefined : { rendered: fits ? html : sourceHtml(content) }),
    ...(userIds.length === 0 ? undefined : { mentions: userIds }),
    ...(mentions.channelWildcard ? { channelWildcard: true } : undefined),
  };
  return { content: found, topicWildcard: mentions.topicWildcard, mentioned: mentions.users, text };
}

/** The server's own bots mention nobody but whom they were told to. */
function assertGroupsMentionable(directory: Directory, author: User, groupIds: readonly number[]): void {
  if (author.systemBot !== undefined) return;
  for (const groupId of groupIds) {
    const group = directory.group(groupId);
    if (group === undefined || mayMentionGroup(directory, author, group)) continue;
    throw badRequest(`You are not allowed to mention user group '${group.name}'.`);
  }
}

function translatesEmoticons({ preferences }: Directory, { userId }: User): boolean {
  return preferences.setting(userId, 'translate_emoticons');
}

/** Everybody who is to be notified, personally or as a member of a group. */
function mentionedUserIds(directory: Directory, { users, groups }: Mentions): number[] {
  const userIds = new Set(users.filter((userId) => directory.user(userId)?.isActive === true));
  for (const groupId of groups) {
    for (const user of directory.users()) {
      if (user.isActive && directory.isMember(user, groupId)) userIds.add(user.userId);
    }
  }
  return [...userIds].sort((a, b) => a - b);
}
