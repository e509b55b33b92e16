import { Type, type Static } from 'typebox';
import { exactly } from '#event-store';
import { REALM_SETTING_TABLE } from './realm-settings.table.js';

export type RealmSettingName = keyof typeof REALM_SETTING_TABLE;

export const REALM_SETTING_NAMES = Object.keys(REALM_SETTING_TABLE) as readonly RealmSettingName[];

/** What an organization has set, as far as it can be changed. */
export type RealmSettings = {
  readonly [Name in RealmSettingName]: Static<(typeof REALM_SETTING_TABLE)[Name]['schema']>;
};

/** What becomes different, by the settings' names on the wire (register.md §3). null is no limit. */
export type SettingsChange = { readonly [Name in RealmSettingName]?: RealmSettings[Name] | undefined };

type Recorded = { [Name in RealmSettingName]?: RealmSettings[Name] };

/** The recorded form of a change: any of the settings, and no others. */
export const ChangeableSettings = Type.Unsafe<Recorded>(
  exactly(
    Object.fromEntries(REALM_SETTING_NAMES.map((name) => [name, Type.Optional(REALM_SETTING_TABLE[name].schema)])),
  ),
);

/** How every organization begins. */
export const NEW_SETTINGS = Object.fromEntries(
  REALM_SETTING_NAMES.map((name) => [name, REALM_SETTING_TABLE[name].default]),
) as RealmSettings;
