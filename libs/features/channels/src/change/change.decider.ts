import { badRequest, Refusal } from '#kernel';
import type { Directory, OrganizationEvent } from '#people';
import { holdsRealmPermission } from '#realm/model';
import { assertOwner, ROLE, type User } from '#users/model';
import { accessChannelMetadata, mayAdministerChannel, mayReadChannel } from '../model/channels/channel.access.js';
import type { Channel } from '../model/channels/channel.js';
import type { ChannelChanged } from '../model/channels/channel.events.js';
import { acceptPermissionChanges, assertMaySetDeletion, maySetPolicy } from '../channel-permissions.js';
import { acceptPrivacy, assertMayPublishToWeb, isSamePrivacy } from '../channel-privacy.js';
import type { ArchiveChannel, ChangeChannel } from './change.commands.js';
import { assertUsableFolder } from '../model/folders/folder.access.js';

type Change = ChannelChanged['data'];
type Changes = Omit<Change, 'channelId' | 'by' | 'at' | 'entails'>;

type SettingsChanged = Extract<OrganizationEvent, { type: 'organization.settings-changed.v1' }>;
type Decided = readonly [] | readonly [ChannelChanged, ...SettingsChanged[]];

/** Settings of the organization that name a channel, or none. */
const NAMING = [
  'new_stream_announcements_stream_id',
  'signup_announcements_stream_id',
  'zulip_update_announcements_stream_id',
  'moderation_request_channel_id',
] as const;
const NO_CHANNEL = -1;

/** Settings that give access to messages: the actor must have that access. */
const GRANTING = ['can_add_subscribers_group', 'can_subscribe_group'] as const;

/**
 * Decides all changes of a request as one event, so that they take effect together or not at all. An archived channel is named by no
 * setting of the organization any more.
 * @throws Refusal BAD_REQUEST, UNAUTHORIZED_PRINCIPAL, EXPECTATION_MISMATCH
 */
export function decideChangeChannel(directory: Directory, command: ChangeChannel): Decided {
  const { actor } = command;
  const channel = administered(directory, actor, command.channelId);
  const privacy = privacyChange(directory, channel, command);
  const isArchived = archiveChange(directory, channel, command);
  const changes = defined({
    name: nameChange(directory, channel, command),
    description: descriptionChange(channel, command),
    privacy,
    messageRetentionDays: retentionChange(channel, command),
    topicsPolicy: topicsPolicyChange(directory, channel, command),
    folderId: folderChange(directory, channel, command),
    isDefault: defaultChange(channel, command, (privacy?.to ?? channel).inviteOnly, isArchived?.to),
    isArchived,
    permissions: permissionsChange(directory, channel, command),
  });
  return recorded(directory, channel, command, changes);
}

/** @throws Refusal BAD_REQUEST */
export function decideArchiveChannel(directory: Directory, command: ArchiveChannel): Decided {
  const channel = administered(directory, command.actor, command.channelId);
  if (channel.isArchived) throw badRequest('Channel is already archived');
  return recorded(directory, channel, command, {
    isArchived: { from: false, to: true },
    ...(channel.isDefault ? { isDefault: { from: true, to: false } } : {}),
  });
}

function recorded(
  directory: Directory,
  { channelId }: Channel,
  { actor, at }: Pick<ChangeChannel, 'actor' | 'at'>,
  changes: Changes,
): Decided {
  if (Object.keys(changes).length === 0) return [];
  const notices = directory.settings.send_channel_events_messages && isTold(changes);
  const readThrough = changes.isArchived?.to === true ? directory.lastMessageId : undefined;
  const data = { channelId, ...changes, by: actor.userId, at };
  const entails = { notices, readThrough };
  const changed = notices || readThrough !== undefined ? { ...data, entails } : data;
  const settings = changes.isArchived?.to === true ? withoutChannel(directory, channelId) : {};
  if (Object.keys(settings).length === 0) return [{ type: 'channel.changed.v1', data: changed }];
  return [
    { type: 'channel.changed.v1', data: changed },
    { type: 'organization.settings-changed.v1', data: { settings, by: actor.userId, at } },
  ];
}

/** The settings that name the channel, naming none. */
function withoutChannel(
  { settings }: Directory,
  channelId: number,
): Partial<Record<(typeof NAMING)[number], typeof NO_CHANNEL>> {
  return Object.fromEntries(NAMING.filter((name) => settings[name] === channelId).map((name) => [name, NO_CHANNEL]));
}

/** Whether a notice tells of one of the changes (rules.md §6). */
function isTold({ name, description, privacy, messageRetentionDays, isArchived, permissions }: Changes): boolean {
  if (permissions?.['can_send_message_group'] !== undefined) return true;
  return [name, description, privacy, messageRetentionDays, isArchived].some((change) => change !== undefined);
}

/** @throws Refusal BAD_REQUEST */
function administered(directory: Directory, actor: User, channelId: number): Channel {
  const channel = accessChannelMetadata(directory, actor, channelId);
  if (!mayAdministerChannel(directory, actor, channel))
    throw badRequest('You do not have permission to administer this channel.');
  return channel;
}

function nameChange(directory: Directory, channel: Channel, { name }: ChangeChannel): Changes['name'] {
  if (name === undefined) return undefined;
  if (name === channel.name) throw badRequest('Channel already has that name.');
  const other = directory.channelByName(name);
  // The same name in another case is still this channel's.
  if (other !== undefined && other.channelId !== channel.channelId)
    throw badRequest(`Channel name '${name}' is already taken.`);
  return { from: channel.name, to: name };
}

function descriptionChange(channel: Channel, { description }: ChangeChannel): Changes['description'] {
  if (description === undefined || description.text === channel.description) return undefined;
  return { from: { text: channel.description, rendered: channel.renderedDescription }, to: description };
}

function privacyChange(directory: Directory, channel: Channel, command: ChangeChannel): Changes['privacy'] {
  const { inviteOnly, isWebPublic, historyPublicToSubscribers } = channel;
  const from = { inviteOnly, isWebPublic, historyPublicToSubscribers };
  const to = acceptPrivacy(command, from);
  if (isSamePrivacy(from, to)) return undefined;
  assertMayGrant(directory, channel, command);
  if (!to.inviteOnly && directory.settings.moderation_request_channel_id === channel.channelId)
    throw badRequest('The channel for moderation requests must be private.');
  if (to.inviteOnly !== inviteOnly) assertMayCreateAlike(directory, command.actor, to);
  if (to.isWebPublic) assertMayPublishToWeb(directory, command.actor);
  return { from, to };
}

/** A channel that turns private or public takes the permission to create such a channel: else that could be evaded by a change. */
function assertMayCreateAlike(directory: Directory, actor: User, { inviteOnly }: Pick<Channel, 'inviteOnly'>): void {
  const permission = inviteOnly ? 'can_create_private_channel_group' : 'can_create_public_channel_group';
  if (!holdsRealmPermission(directory, actor, permission)) throw badRequest('Insufficient permission');
}

function permissionsChange(directory: Directory, channel: Channel, command: ChangeChannel): Changes['permissions'] {
  const changes = acceptPermissionChanges(directory, channel, command.permissions);
  assertMaySetDeletion(directory, command.actor, changes);
  if (GRANTING.some((name) => name in changes)) assertMayGrant(directory, channel, command);
  return Object.keys(changes).length === 0 ? undefined : changes;
}

/** Administrators who cannot read a channel do not decide who can (rules.md §4). */
function assertMayGrant(directory: Directory, channel: Channel, { actor }: ChangeChannel): void {
  if (!mayReadChannel(directory, actor, channel)) throw badRequest('Channel content access is required.');
}

function retentionChange(
  { messageRetentionDays: from }: Channel,
  { messageRetentionDays: to, actor }: ChangeChannel,
): Changes['messageRetentionDays'] {
  if (to === undefined) return undefined;
  assertOwner(actor);
  return from === to ? undefined : { from, to };
}

function topicsPolicyChange(
  directory: Directory,
  { topicsPolicy: from }: Channel,
  { topicsPolicy: to, actor, hasNamedTopics }: ChangeChannel,
): Changes['topicsPolicy'] {
  if (to === undefined || to === from) return undefined;
  if (!maySetPolicy(directory, actor, 'can_set_topics_policy_group')) throw badRequest('Insufficient permission');
  if (to === 'empty_topic_only' && hasNamedTopics)
    throw badRequest('Move all messages of this channel to the empty topic first.');
  return { from, to };
}

function folderChange(
  directory: Directory,
  { folderId: from }: Channel,
  { folderId: to }: ChangeChannel,
): Changes['folderId'] {
  if (to === undefined || to === from) return undefined;
  assertUsableFolder(directory, to);
  return { from, to };
}

function defaultChange(
  { isDefault: from, isArchived }: Channel,
  { isDefault, actor }: ChangeChannel,
  isPrivate: boolean,
  archives: boolean | undefined,
): Changes['isDefault'] {
  if (isDefault !== undefined && actor.role > ROLE.administrator)
    throw new Refusal('UNAUTHORIZED_PRINCIPAL', 'Must be an organization administrator');
  if ((isDefault ?? from) && isPrivate) throw badRequest('A default channel cannot be private.');
  if (isDefault === true && (archives ?? isArchived)) throw badRequest('A default channel cannot be archived.');
  const to = archives === true ? false : (isDefault ?? from);
  return from === to ? undefined : { from, to };
}

function archiveChange(
  directory: Directory,
  { channelId, isArchived: from, inviteOnly }: Channel,
  { isArchived: to }: ChangeChannel,
): Changes['isArchived'] {
  if (to === undefined || to === from) return undefined;
  // Nobody could read it, and nobody could let anybody in.
  if (!to && inviteOnly && directory.subscriberCount(channelId) === 0)
    throw badRequest('A private channel without subscribers cannot be unarchived.');
  return { from, to };
}

/** Without the properties that are undefined. */
function defined(changes: { readonly [Name in keyof Changes]: Changes[Name] | undefined }): Changes {
  return Object.fromEntries(Object.entries<unknown>(changes).filter(([, change]) => change !== undefined));
}
