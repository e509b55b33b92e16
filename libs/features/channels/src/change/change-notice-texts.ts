import type { Directory } from '#people';
import { type GroupSetting, groupsNamedBy } from '#groups/model';
import { silentMention } from '#markdown';
import type { Channel } from '../model/channels/channel.js';
import type { ChannelChanged } from '../model/channels/channel.events.js';
import { policyName, quoted } from '../channel-notices.js';

type Change = ChannelChanged['data'];

/** Users and groups that a notice names; the others are counted. */
const HOLDERS_NAMED_MAX = 20;

/**
 * Notices of a change, in Markdown (rules.md §6).
 * @param actor mention of the user who made the change
 */
export function changeNotices(directory: Directory, actor: string, channel: Channel, change: Change): string[] {
  const { name, description, privacy, messageRetentionDays, isArchived, permissions } = change;
  const posting = permissions?.['can_send_message_group'];
  const texts: string[] = [];
  if (name !== undefined) texts.push(`${actor} renamed channel ${plain(name.from)} to ${plain(name.to)}.`);
  if (description !== undefined)
    texts.push(
      comparison(`${actor} changed the description for this channel.`, 'description', [
        quoted(description.from.text),
        quoted(description.to.text),
      ]),
    );
  if (privacy !== undefined)
    texts.push(
      `${actor} changed the access permissions for this channel from **${policyName(privacy.from)}** to **${policyName(privacy.to)}**.`,
    );
  if (posting !== undefined)
    texts.push(
      `${actor} changed the posting permissions for this channel:\n\n* **Old permissions**: ${holders(directory, posting.from)}.\n* **New permissions**: ${holders(directory, posting.to)}.`,
    );
  if (messageRetentionDays !== undefined)
    texts.push(
      `${actor} changed the message retention period for this channel:\n\n* **Old retention period**: ${period(messageRetentionDays.from)}.\n* **New retention period**: ${period(messageRetentionDays.to)}.`,
    );
  if (isArchived !== undefined)
    texts.push(`${actor} ${isArchived.to ? 'archived' : 'unarchived'} the channel ${plain(channel.name)}.`);
  return texts;
}

function comparison(sentence: string, what: string, [before, after]: readonly [string, string]): string {
  return `${sentence}\n\n* **Old ${what}:**\n${before}\n\n* **New ${what}:**\n${after}`;
}

/** Bold text in which nothing is a mention, a link or a mark. */
function plain(name: string): string {
  return `**${name.replaceAll(/[\\`*_~[\]#@:<>$]/g, '\\$&')}**`;
}

function period(days: number | null): string {
  if (days === null) return "the organization's setting";
  if (days === -1) return 'forever';
  return `${days} ${days === 1 ? 'day' : 'days'}`;
}

/** The holders of a permission in words. Groups of the system have no names that people know. */
function holders(directory: Directory, setting: GroupSetting): string {
  const groups = groupsNamedBy(setting).map((groupId) => directory.group(groupId)?.name ?? '');
  const users = (typeof setting === 'number' ? [] : setting.directMembers)
    .map((userId) => directory.user(userId))
    .filter((user) => user !== undefined);
  const names = [
    ...groups.map((name) => SYSTEM_NAMES[name] ?? `@_*${name}*`),
    ...users.map((user) => silentMention(user)),
  ];
  const others = names.length - HOLDERS_NAMED_MAX;
  return others > 0 ? `${names.slice(0, HOLDERS_NAMED_MAX).join(', ')} and ${others} others` : names.join(', ');
}

const SYSTEM_NAMES: Readonly<Record<string, string>> = {
  'role:owners': 'Owners',
  'role:administrators': 'Administrators',
  'role:moderators': 'Moderators',
  'role:fullmembers': 'Full members',
  'role:members': 'Members',
  'role:everyone': 'Everyone',
  'role:nobody': 'Nobody',
};
