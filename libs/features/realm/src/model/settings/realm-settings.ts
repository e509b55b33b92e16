import { unreachable } from '#kernel';
import type { GroupSetting } from '#groups/model';
import { NEW_SETTINGS, type RealmSettings, type SettingsChange } from './changeable-settings.js';
import { REALM_PERMISSION_NAMES, realmPermission, type RealmPermissionName } from './realm-permissions.js';
import type { RealmEvent } from '../realm.events.js';

export type RealmPermissions = Readonly<Record<RealmPermissionName, GroupSetting>>;

/** Current settings of the organization and holders of its permissions. */
export interface RealmState {
  readonly settings: RealmSettings;
  readonly permissions: RealmPermissions;
  /** Where the personal settings of new users differ from the server's. */
  readonly userDefaults: Readonly<Record<string, boolean | number | string>>;
}

/** Defaults of every organization. */
export const NEW_REALM: RealmState = {
  settings: NEW_SETTINGS,
  permissions: Object.fromEntries(
    REALM_PERMISSION_NAMES.map((name) => [name, realmPermission(name)]),
  ) as RealmPermissions,
  userDefaults: {},
};

/** The state after a change. */
export function changedRealm(
  { settings, permissions, userDefaults }: RealmState,
  change: {
    readonly settings?: SettingsChange;
    readonly permissions?: Readonly<Record<string, GroupSetting>>;
    readonly userDefaults?: RealmState['userDefaults'];
  },
): RealmState {
  return {
    settings: withLanguageCode({ ...settings, ...change.settings }),
    permissions: { ...permissions, ...change.permissions },
    userDefaults: withLanguageCode({ ...userDefaults, ...change.userDefaults }),
  };
}

/** Former releases kept the code of a language in the case that it was written in. */
export function withLanguageCode<Settings extends { readonly default_language?: unknown }>(
  settings: Settings,
): Settings {
  const { default_language: code } = settings;
  return typeof code === 'string' ? { ...settings, default_language: code.toLowerCase() } : settings;
}

type SettingEvent = Extract<
  RealmEvent,
  {
    type: 'organization.created.v1' | 'organization.settings-changed.v1' | 'organization.user-defaults-changed.v1';
  }
>;

/** The state after an event. */
export function evolveRealm(state: RealmState, { type, data }: SettingEvent): RealmState {
  switch (type) {
    case 'organization.created.v1':
      return changedRealm(state, { settings: { name: data.name } });
    case 'organization.settings-changed.v1':
      return changedRealm(state, data);
    case 'organization.user-defaults-changed.v1':
      return changedRealm(state, { userDefaults: data.settings });
    default:
      return unreachable(type);
  }
}
