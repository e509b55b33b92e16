import type { GroupSettingUpdate, Integrations, RealmPermissionName, SettingsChange, User } from '#organization';

export interface ChangeRealm {
  readonly type: 'change-realm';
  readonly actor: User;
  /** As requested; may include values that do not change. */
  readonly settings: SettingsChange;
  readonly permissions: Readonly<Partial<Record<RealmPermissionName, GroupSettingUpdate>>>;
  /** Where the organization is to be reached, when that is asked to change. */
  readonly address?: string | undefined;
  /** What the server offers to choose among. */
  readonly integrations: Integrations;
  /** Seconds since the epoch. */
  readonly at: number;
}
