import { CHANNEL_PERMISSION_NAMES, defaultChannelPermission } from './channel-permissions.js';
import type { OrganizationEvent } from './organization.events.js';

type ChannelCreated = Extract<OrganizationEvent, { readonly type: 'channel.created.v1' }>;
type ChannelData = ChannelCreated['data'];

/**
 * The fact that a channel was created: a public one with a new channel's defaults, but for what is given. Permissions that
 * are not given are those of a new channel of its creator.
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
