import type { ChannelPermission } from './channel-permissions.js';
import type { ChannelChanged } from './channel.events.js';
import type { Channel } from './channel.js';

/**
 * The channel with the values of a change.
 * @param side `to` for the channel after the change, `from` for the channel before it
 */
export function changedChannel(channel: Channel, change: ChannelChanged['data'], side: 'from' | 'to'): Channel {
  const { name, description, privacy, messageRetentionDays, topicsPolicy, folderId, isDefault, isArchived } = change;
  const permissions = Object.entries(change.permissions ?? {}).map(([setting, value]) => [setting, value[side]]);
  return {
    ...channel,
    ...(name === undefined ? {} : { name: name[side] }),
    ...(description === undefined
      ? {}
      : { description: description[side].text, renderedDescription: description[side].rendered }),
    ...privacy?.[side],
    ...(messageRetentionDays === undefined ? {} : { messageRetentionDays: messageRetentionDays[side] }),
    ...(topicsPolicy === undefined ? {} : { topicsPolicy: topicsPolicy[side] }),
    ...(folderId === undefined ? {} : { folderId: folderId[side] }),
    ...(isDefault === undefined ? {} : { isDefault: isDefault[side] }),
    ...(isArchived === undefined ? {} : { isArchived: isArchived[side] }),
    permissions: { ...channel.permissions, ...(Object.fromEntries(permissions) as Partial<Permissions>) },
  };
}

type Permissions = Record<ChannelPermission, Channel['permissions'][ChannelPermission]>;
