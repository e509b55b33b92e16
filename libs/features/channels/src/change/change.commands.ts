import type { GroupSettingUpdate } from '#groups/model';
import type { User } from '#users/model';
import type { ChannelPermission } from '../model/channels/channel-permissions.js';
import type { ChannelSettings } from '../channel-settings.js';

/** Changes settings of a channel (objects.md, "Channel"; endpoints.md §8, PATCH /streams/{id}). What is undefined stays. */
export interface ChangeChannel {
  readonly type: 'change-channel';
  readonly actor: User;
  readonly channelId: number;
  /** Normalized. */
  readonly name?: string | undefined;
  /** Normalized, and as HTML. */
  readonly description?: { readonly text: string; readonly rendered: string } | undefined;
  readonly isPrivate?: boolean | undefined;
  readonly isWebPublic?: boolean | undefined;
  readonly historyPublicToSubscribers?: boolean | undefined;
  readonly isDefault?: boolean | undefined;
  readonly isArchived?: boolean | undefined;
  /** As in `ChannelSettings`. */
  readonly messageRetentionDays?: number | null | undefined;
  readonly folderId?: number | null | undefined;
  readonly topicsPolicy?: ChannelSettings['topicsPolicy'] | undefined;
  readonly permissions: Readonly<Partial<Record<ChannelPermission, GroupSettingUpdate>>>;
  /** Whether the channel has messages outside of the empty topic. */
  readonly hasNamedTopics: boolean;
  /** Seconds since the epoch. */
  readonly at: number;
}

export interface ArchiveChannel {
  readonly type: 'archive-channel';
  readonly actor: User;
  readonly channelId: number;
  /** Seconds since the epoch. */
  readonly at: number;
}
