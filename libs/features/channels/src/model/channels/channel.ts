import type { GroupSetting } from '#groups/model';
import type { ChannelPermission } from './channel-permissions.js';

export interface Channel {
  readonly channelId: number;
  readonly name: string;
  readonly description: string;
  readonly renderedDescription: string;
  readonly inviteOnly: boolean;
  readonly isWebPublic: boolean;
  readonly historyPublicToSubscribers: boolean;
  readonly messageRetentionDays: number | null;
  readonly topicsPolicy: string;
  readonly folderId: number | null;
  readonly permissions: Readonly<Record<ChannelPermission, GroupSetting>>;
  readonly isDefault: boolean;
  readonly isArchived: boolean;
  readonly creatorId: number | null;
  readonly createdAt: number;
  /** ID of the oldest message in the channel; null when there is none. */
  readonly firstMessageId: number | null;
}
