import { idsIn, type Ranges } from '#kernel';
import { topicKeyOf } from '#messages';
import { PART_SIZE, partOf, PARTS_MAX, subjects, WIDE_PART_SIZE } from './place-row.js';

/** The fields of events by which they name what they are about. */
export interface Naming {
  readonly messageId?: number;
  readonly ids?: Ranges;
  readonly messageIds?: readonly number[];
  readonly missed?: readonly { readonly messageIds: readonly number[] }[];
  readonly from?: { readonly channelId: number; readonly topic: string } | number | null;
  readonly place?: { readonly channelId?: number; readonly topic?: string };
  readonly channelId?: number;
  readonly channelIds?: readonly number[];
  readonly channels?: readonly { readonly channelId: number }[];
  readonly userId?: number;
  readonly over?: readonly number[];
  readonly begun?: readonly number[];
  readonly groupId?: number;
  readonly settings?: object;
  readonly permissions?: object;
  readonly role?: object;
  readonly kind?: string;
}

type Named = (data: Naming) => readonly string[];

/** Subjects of an event of the organization. */
const user: Named = ({ userId = 0, role }) => [
  subjects.user(userId),
  ...(role === undefined ? [] : [subjects.permissions]),
];
const channel: Named = ({ channelId = 0, permissions }) => [
  subjects.channel(channelId),
  ...(permissions === undefined ? [] : [subjects.permissions]),
];
const group: Named = ({ groupId = 0, permissions }) => [
  subjects.group(groupId),
  subjects.groups,
  ...(permissions === undefined ? [] : [subjects.permissions]),
];
const subscriptions: Named = ({ channelId, channelIds = [], channels = [] }) => [
  subjects.subscriptions,
  ...[...(channelId === undefined ? [] : [channelId]), ...channelIds, ...channels.map((one) => one.channelId)].map(
    subjects.channel,
  ),
];
const list =
  (name: string): Named =>
  () => [subjects.settings, subjects.setting(name)];
const settings: Named = ({ settings: changed = {}, permissions }) => [
  subjects.settings,
  ...Object.keys({ ...changed, ...permissions }).map(subjects.setting),
  ...(permissions === undefined ? [] : [subjects.permissions]),
];

/** What the events of the organization's stream are about. */
export const ORGANIZATION_SUBJECTS: Readonly<Record<string, Named>> = {
  'user.created.v1': user,
  'user.changed.v1': user,
  'user.deactivated.v1': user,
  'user.reactivated.v1': user,
  'user.api-key-issued.v1': user,
  'user.email-change-requested.v1': user,
  'user.email-visibility-changed.v1': user,
  'user.avatar-changed.v1': user,
  'user.waiting-changed.v1': ({ over = [], begun = [] }) => [...over, ...begun].map(subjects.user),
  'bot.owner-changed.v1': user,
  'bot.configured.v1': user,
  'profile-data.changed.v1': user,
  'channel.created.v1': ({ channelId = 0 }) => [subjects.channel(channelId)],
  'channel.changed.v1': channel,
  'channel.subscribed.v1': subscriptions,
  'channels.subscribed.v1': subscriptions,
  'channel.unsubscribed.v1': subscriptions,
  'channels.unsubscribed.v1': subscriptions,
  'group.created.v1': ({ groupId = 0 }) => [subjects.group(groupId), subjects.groups],
  'group.changed.v1': group,
  'group.deactivated.v1': group,
  'group.reactivated.v1': group,
  'group.members-added.v1': group,
  'group.members-removed.v1': group,
  'group.subgroups-added.v1': group,
  'group.subgroups-removed.v1': group,
  'organization.created.v1': list('name'),
  'organization.settings-changed.v1': settings,
  'organization.user-defaults-changed.v1': ({ settings: changed = {} }) => [
    subjects.settings,
    ...Object.keys(changed).map((name) => subjects.setting(`user_settings_defaults.${name}`)),
  ],
  'organization.deactivated.v1': list('is_deactivated'),
  'organization.reactivated.v1': list('is_deactivated'),
  'organization.branding-changed.v1': ({ kind = '' }) => list(kind)({}),
  'linkifier.added.v1': list('linkifiers'),
  'linkifier.changed.v1': list('linkifiers'),
  'linkifier.removed.v1': list('linkifiers'),
  'linkifiers.reordered.v1': list('linkifiers'),
  'domain.added.v1': list('domains'),
  'domain.changed.v1': list('domains'),
  'domain.removed.v1': list('domains'),
  'playground.added.v1': list('playgrounds'),
  'playground.removed.v1': list('playgrounds'),
  'emoji.added.v1': list('emoji'),
  'emoji.deactivated.v1': list('emoji'),
  'profile-field.created.v1': list('profile_fields'),
  'profile-field.changed.v1': list('profile_fields'),
  'profile-fields.ordered.v1': list('profile_fields'),
  'profile-field.removed.v1': list('profile_fields'),
  'channel-folder.created.v1': list('channel_folders'),
  'channel-folder.changed.v1': list('channel_folders'),
  'channel-folders.reordered.v1': list('channel_folders'),
  'default-channel-group.created.v1': list('default_channel_groups'),
  'default-channel-group.changed.v1': list('default_channel_groups'),
  'default-channel-group.removed.v1': list('default_channel_groups'),
};

/** Events that name several messages. */
export const MESSAGES_NAMED: ReadonlySet<string> = new Set([
  'messages.moved.v1',
  'messages.deleted.v1',
  'messages.expired.v1',
  'flags.changed.v1',
  'notice.queued.v1',
  'missed-messages.noted.v1',
  'missed-mail.batched.v1',
]);

/** Events after which messages are not where they were. */
export const MESSAGES_LEAVE: ReadonlySet<string> = new Set([
  'messages.moved.v1',
  'messages.deleted.v1',
  'messages.expired.v1',
  'message.deleted.v1',
]);

/** Whether messages are gone after events of the type: somebody deleted them, or their time was over. */
export function isRemoval(type: string): boolean {
  return type !== 'messages.moved.v1' && MESSAGES_LEAVE.has(type);
}

export function namedMessages({ ids, messageIds, missed = [] }: Naming): readonly number[] {
  if (ids !== undefined) return idsIn(ids);
  return messageIds ?? [...new Set(missed.flatMap((one) => one.messageIds))];
}

/** Subjects of an event that names messages: the parts that these are in, or wide parts when they are many. */
export function namedParts(data: Naming): readonly string[] {
  const ranges: Ranges = data.ids ?? namedMessages(data).map((id) => [id, id] as const);
  const parts = partsOf(ranges, PART_SIZE, PARTS_MAX);
  if (parts !== undefined) return parts.map(subjects.messages);
  return (partsOf(ranges, WIDE_PART_SIZE, Infinity) ?? []).map(subjects.manyMessages);
}

/** Undefined when there are more than so many. Ranges may be long, so their IDs are not listed. */
function partsOf(ranges: Ranges, size: number, max: number): readonly number[] | undefined {
  const parts = new Set<number>();
  for (const [first, last] of ranges)
    for (let part = partOf(first, size); part <= partOf(last, size); part++) {
      parts.add(part);
      if (parts.size > max) return undefined;
    }
  return [...parts];
}

/** The topic that messages leave; undefined for a direct conversation. */
export function placeLeft({ from, place }: Naming): { readonly channelId: number; readonly topic: string } | undefined {
  if (typeof from === 'object' && from !== null) return from;
  if (place?.channelId === undefined) return undefined;
  return { channelId: place.channelId, topic: place.topic ?? '' };
}

export function leftSubject(data: Naming): string | undefined {
  const left = placeLeft(data);
  return left === undefined ? undefined : subjects.left(left.channelId, topicKeyOf(left.topic));
}

export function leavingMessages(data: Naming): readonly number[] {
  return data.messageId === undefined ? namedMessages(data) : [data.messageId];
}
