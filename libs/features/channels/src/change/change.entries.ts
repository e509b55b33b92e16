import type { FeedEntry } from '#feed';
import type { Directory } from '#people';
import { namesUser, wireGroupSetting } from '#groups/model';
import { changedChannel } from '../model/channels/changed-channel.js';
import { CHANNEL_PERMISSION_NAMES, type ChannelPermission } from '../model/channels/channel-permissions.js';
import type { Channel } from '../model/channels/channel.js';
import type { ChannelChanged } from '../model/channels/channel.events.js';
import {
  type ArchivedBody,
  marked,
  type StreamBody,
  type StreamEntry,
  type WireChannelEvent,
} from '../channel-entries.js';
import { defaultChannelsChanged } from '../default-channels.entries.js';
import { appeared, knowersChanged, SHOWING, vanished } from '../visibility/visibility.entries.js';
import { wireChannelFields } from '../wire-channel.js';

type Change = ChannelChanged['data'];

type Told = Extract<WireChannelEvent, { type: 'stream'; op: 'update' }>;

/** A changed property on the wire, and the fields beside it. */
type Update = readonly [property: string, value: Told['value'], aside?: Partial<Told>];

/**
 * Client events of a change (endpoints.md §8, "Events of channel operations"): the channel vanishes for some users and
 * appears for others, and all who knew it and still do are told of each property.
 */
export function changeEntries(directory: Directory, channel: Channel, change: Change): FeedEntry[] {
  const before = changedChannel(channel, change, 'from');
  const isShownToOthers = change.privacy !== undefined || SHOWING.some((name) => name in (change.permissions ?? {}));
  const { gained, lost } = isShownToOthers ? knowersChanged(directory, before, channel) : { gained: [], lost: [] };
  const { channelId } = channel;
  const audience = { to: 'channel-knowers', channelId, except: gained } as const;
  const entries: FeedEntry[] = vanished(lost, [before]);
  if (change.isArchived !== undefined) {
    const body: ArchivedBody = { op: 'update', channelId, name: before.name, isArchived: channel.isArchived };
    entries.push({ type: 'stream', audience, body });
  }
  // The name by which clients know the channel: the former one until they are told of the new one.
  let { name } = before;
  for (const [property, value, aside] of updatesOf(directory, channel, change)) {
    const body: StreamBody = { op: 'update', stream_id: channelId, name, property, value, ...aside };
    entries.push({ type: 'stream', audience, body: marked(body, channel.isArchived) });
    if (property === 'name') ({ name } = channel);
  }
  entries.push(...appeared(directory, gained, [channel]));
  if (change.isDefault !== undefined) entries.push(...defaultChannelsChanged(directory, channelId));
  return entries;
}

function updatesOf(directory: Directory, channel: Channel, change: Change): Update[] {
  const updates: Update[] = [];
  if (change.name !== undefined) updates.push(['name', channel.name]);
  if (change.description !== undefined)
    updates.push(['description', channel.description, { rendered_description: channel.renderedDescription }]);
  if (change.privacy !== undefined) updates.push(privacyUpdate(change.privacy));
  if (change.messageRetentionDays !== undefined) updates.push(['message_retention_days', channel.messageRetentionDays]);
  if (change.topicsPolicy !== undefined) updates.push(['topics_policy', channel.topicsPolicy]);
  if (change.folderId !== undefined) updates.push(['folder_id', channel.folderId]);
  const changed = CHANNEL_PERMISSION_NAMES.filter((name) => change.permissions?.[name] !== undefined);
  return [...updates, ...permissionUpdates(directory, channel, changed)];
}

function permissionUpdates(directory: Directory, channel: Channel, names: readonly ChannelPermission[]): Update[] {
  const fields = wireChannelFields(directory, channel);
  const { stream_post_policy, is_announcement_only } = fields;
  return names.flatMap((name): Update[] => {
    const update: Update = [name, wireGroupSetting(directory, channel.permissions[name])];
    if (name !== 'can_send_message_group') return [update];
    return [update, ['stream_post_policy', stream_post_policy], ['is_announcement_only', is_announcement_only]];
  });
}

/** Beyond this clients fetch the state again: one event has fewer client events than that. */
const HOLDERS_TOLD_MAX = 500;

/** Permission settings of channels that name the user, who is shown there while the account is active. */
export function settingsNaming(directory: Directory, userId: number): StreamEntry[] {
  const entries: StreamEntry[] = [];
  for (const channel of directory.channels()) {
    const { channelId, name, isArchived, permissions } = channel;
    const naming = CHANNEL_PERMISSION_NAMES.filter((permission) => namesUser(permissions[permission], userId));
    for (const [property, value] of permissionUpdates(directory, channel, naming)) {
      const body: StreamBody = { op: 'update', stream_id: channelId, name, property, value };
      entries.push({ type: 'stream', audience: { to: 'channel-knowers', channelId }, body: marked(body, isArchived) });
    }
    if (entries.length > HOLDERS_TOLD_MAX)
      return [{ type: 'stream', audience: { to: 'everyone' }, body: { op: 'outdated' } }];
  }
  return entries;
}

/** Also when only the history changes, of which clients know no property (events.md §5). */
function privacyUpdate({ to }: NonNullable<Change['privacy']>): Update {
  const { inviteOnly, isWebPublic, historyPublicToSubscribers } = to;
  const aside = { history_public_to_subscribers: historyPublicToSubscribers, is_web_public: isWebPublic };
  return ['invite_only', inviteOnly, aside];
}
