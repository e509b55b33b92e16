import type { BotRecord } from '../bots/bot-book.js';
import type { Domains } from '../domains/domains.js';
import type { Channel } from '../channels/channel.js';
import type { DefaultGroups } from '../default-groups/default-groups.js';
import type { Exports } from '../exports/exports.js';
import type { CustomEmoji } from '../emoji/custom-emoji.js';
import type { ChannelFolders } from '../folders/folders.js';
import type { GroupRecord } from '../groups/group-book.js';
import type { InvitationsRecord } from '../invitations/invitation-book.js';
import type { Linkifiers } from '../linkifiers/linkifiers.js';
import type { ProfileFields } from '../profile-fields/profile-fields.js';
import type { Branding } from '../pictures/branding.js';
import type { Playgrounds } from '../playgrounds/playgrounds.js';
import type { PreferencesRecord } from '../preferences/preferences.js';
import type { Organization } from '../realm/realm-book.js';
import type { RealmState } from '../realm/realm-settings.js';
import type { Subscription } from '../subscriptions/subscription.js';
import type { DirectRecord } from '../users/direct-book.js';
import type { User } from '../users/user.js';

/** Snapshot of the directory as plain JSON. */
export interface DirectorySnapshot {
  readonly version: 1;
  readonly position: number;
  readonly revision: number;
  readonly lastMessageId: number;
  readonly organization: Organization | null;
  /** Absent in snapshots from before settings could change. */
  readonly realm?: Partial<RealmState>;
  /** Absent, like what follows, in snapshots from before there were any. */
  readonly linkifiers?: Linkifiers;
  readonly domains?: Domains;
  readonly playgrounds?: Playgrounds;
  readonly profileFields?: ProfileFields;
  readonly folders?: ChannelFolders;
  readonly defaultGroups?: DefaultGroups;
  readonly exports?: Exports;
  readonly customEmoji?: readonly CustomEmoji[];
  readonly branding?: Branding;
  readonly invitations?: InvitationsRecord;
  readonly bots?: readonly BotRecord[];
  readonly users: readonly User[];
  /** Absent in snapshots of version 1 of `DirectorySnapshots`, which are not read any more. */
  readonly directs?: readonly DirectRecord[];
  readonly channels: readonly Channel[];
  readonly groups: readonly GroupRecord[];
  readonly subscriptions: readonly Subscription[];
  readonly preferences: readonly PreferencesRecord[];
}
