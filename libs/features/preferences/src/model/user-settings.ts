import type { TSchema } from 'typebox';
import { integer, numbers, text, truth, words } from '#wire';
import { USER_SETTING_TABLE, type UserSetting } from './user-settings.table.js';

type Widened<Value> = Value extends boolean ? boolean : Value extends number ? number : string;

export type UserSettingName = keyof typeof USER_SETTING_TABLE;
export type UserSettings = {
  readonly [Name in UserSettingName]: Widened<(typeof USER_SETTING_TABLE)[Name]['default']>;
};
export type UserSettingValue = UserSettings[UserSettingName];

export const USER_SETTING_NAMES = Object.keys(USER_SETTING_TABLE) as readonly UserSettingName[];

/** A new user's own settings, where the organization sets no others. */
export const USER_SETTINGS = Object.fromEntries(
  USER_SETTING_NAMES.map((name) => [name, USER_SETTING_TABLE[name].default]),
) as UserSettings;

/** Values of the settings, by name. */
export const USER_SETTING_SCHEMAS: Readonly<Record<UserSettingName, TSchema>> = Object.fromEntries(
  USER_SETTING_NAMES.map((name) => [name, schemaOf(USER_SETTING_TABLE[name])]),
) as Record<UserSettingName, TSchema>;

function schemaOf({ form, default: value }: UserSetting): TSchema {
  if (form.kind === 'number') return numbers(...form.oneOf);
  if (form.kind === 'word') return words(...form.oneOf);
  return typeof value === 'boolean' ? truth : typeof value === 'number' ? integer : text;
}

/** A setting that older clients read as a key of its own, with the name of the key. */
export interface LegacySetting {
  readonly name: UserSettingName;
  readonly legacyName: string;
}

/** Settings that older clients read as separate keys of this kind. */
export function legacySettings(kind: NonNullable<UserSetting['legacy']>): readonly LegacySetting[] {
  return USER_SETTING_NAMES.flatMap((name) => {
    const setting: UserSetting = USER_SETTING_TABLE[name];
    return setting.legacy === kind ? [{ name, legacyName: setting.legacyName ?? name }] : [];
  });
}
