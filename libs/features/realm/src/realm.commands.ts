import type { GroupSettingUpdate } from '#groups/model';
import type { User } from '#users/model';
import type { Integrations } from './model/server/integrations.js';
import type { RealmPermissionName } from './model/settings/realm-permissions.js';
import type { SettingsChange } from './model/settings/changeable-settings.js';

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
