import type { ChannelPermission } from './channel-permissions.js';
import type { GroupSetting } from './group-setting.js';
import type { Linkifiers } from './linkifiers.js';
import type { PreferencesRecord } from './preferences.js';
import type { RealmState } from './realm-settings.js';

export interface Organization {
  readonly uuid: string;
  readonly name: string;
  readonly createdAt: number;
}

export interface User {
  readonly userId: number;
  /** The real e-mail address; also the API e-mail while addresses are visible to everyone. */
  readonly email: string;
  readonly fullName: string;
  readonly role: number;
  readonly isActive: boolean;
  readonly botType: number | null;
  readonly botOwnerId: number | null;
  readonly systemBot?: 'notification' | 'welcome' | 'email-gateway';
  readonly timezone: string;
  readonly avatarVersion: number;
  /** Seconds since the epoch. */
  readonly joinedAt: number;
  readonly passwordHash?: string;
  readonly apiKey?: { readonly generation: number; readonly hash: string };
}

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
  /** ID of the oldest message in the channel; null while there is none. */
  readonly firstMessageId: number | null;
}

/** A time during which somebody was subscribed, in message IDs and in log positions; open while it lasts. */
export interface SubscriptionSpan {
  /** The first message ID that the subscriber could receive. */
  readonly fromId: number;
  /** The last one; null while subscribed. */
  readonly untilId: number | null;
  /** Facts at this position or later were seen as a subscriber … */
  readonly fromPosition: number;
  /** … and before this one; null while subscribed. */
  readonly untilPosition: number | null;
}

/** What a user has with a channel. It stays, inactive, after unsubscribing: spans decide what was received. */
export interface Subscription {
  readonly channelId: number;
  readonly userId: number;
  readonly active: boolean;
  /** `#` and six lowercase hexadecimal digits. */
  readonly color: string;
  readonly isMuted: boolean;
  readonly pinToTop: boolean;
  readonly desktopNotifications: boolean | null;
  readonly audibleNotifications: boolean | null;
  readonly pushNotifications: boolean | null;
  readonly emailNotifications: boolean | null;
  readonly wildcardMentionsNotify: boolean | null;
  /** Oldest first; at least one. */
  readonly spans: readonly SubscriptionSpan[];
}

export interface Group {
  readonly groupId: number;
  readonly name: string;
  readonly description: string;
  readonly isSystemGroup: boolean;
  readonly directSubgroups: readonly number[];
  /** Of a system group, members follow from roles. */
  readonly directMembers: readonly number[];
  /** Who may mention it so that its members are notified; everyone when absent. */
  readonly canMentionGroup?: GroupSetting;
}

/** What a snapshot of the directory holds: plain JSON. */
export interface DirectorySnapshot {
  readonly version: 1;
  readonly position: number;
  readonly revision: number;
  readonly lastMessageId: number;
  readonly organization: Organization | null;
  /** Absent in snapshots from before settings could change. */
  readonly realm?: RealmState;
  /** Absent in snapshots from before there were any. */
  readonly linkifiers?: Linkifiers;
  readonly users: readonly User[];
  readonly channels: readonly Channel[];
  readonly groups: readonly Group[];
  readonly subscriptions: readonly Subscription[];
  readonly preferences: readonly PreferencesRecord[];
}
