import { LIMITS } from '#realm/model';
import type { GroupSetting } from '#groups/model';
import type { ChannelPermission } from './model/channels/channel-permissions.js';

/** Settings of a channel at its creation (endpoints.md §8, POST /users/me/subscriptions). */
export interface ChannelSettings {
  readonly inviteOnly: boolean;
  readonly isWebPublic: boolean;
  readonly isDefault: boolean;
  /** When undefined: shared for public channels, protected for private ones. */
  readonly historyPublicToSubscribers: boolean | undefined;
  /** Days, -1 for ever, null for the organization's setting. */
  readonly messageRetentionDays: number | null;
  readonly topicsPolicy: (typeof TOPICS_POLICIES)[number];
  readonly folderId: number | null;
  readonly permissions: Readonly<Partial<Record<ChannelPermission, GroupSetting>>>;
}

export const TOPICS_POLICIES = ['inherit', 'allow_empty_topic', 'disable_empty_topic', 'empty_topic_only'] as const;

/** Code points (register.md §4). */
export const CHANNEL_NAME_LENGTH_MAX = LIMITS.max_stream_name_length;
export const CHANNEL_DESCRIPTION_LENGTH_MAX = LIMITS.max_stream_description_length;

/** Settings of a channel that is created without any of its own. */
export const PLAIN_CHANNEL: ChannelSettings = {
  inviteOnly: false,
  isWebPublic: false,
  isDefault: false,
  historyPublicToSubscribers: undefined,
  messageRetentionDays: null,
  topicsPolicy: 'inherit',
  folderId: null,
  permissions: {},
};
