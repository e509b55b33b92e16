import type { ChannelCreated } from './channel.events.js';
import { CHANNEL_PERMISSION_NAMES, defaultChannelPermission } from './channel-permissions.js';

type ChannelData = ChannelCreated['data'];

/**
 * Event of a new channel: public, with the defaults of a new channel except for the given values. The defaults of
 * permissions depend on the creator.
 */
export function newChannel(
  data: Pick<ChannelData, 'channelId' | 'name' | 'at'> & Partial<ChannelData>,
): ChannelCreated {
  const creatorId = data.creatorId ?? null;
  const defaults = CHANNEL_PERMISSION_NAMES.map((name) => [name, defaultChannelPermission(name, creatorId)] as const);
  return {
    type: 'channel.created.v1',
    data: {
      description: '',
      renderedDescription: '',
      inviteOnly: false,
      isWebPublic: false,
      historyPublicToSubscribers: true,
      messageRetentionDays: null,
      topicsPolicy: 'inherit',
      folderId: null,
      isDefault: false,
      creatorId,
      ...data,
      permissions: { ...Object.fromEntries(defaults), ...data.permissions },
    },
  };
}
