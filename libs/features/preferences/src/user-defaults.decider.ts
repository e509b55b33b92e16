import { Refusal } from '#kernel';
import { ROLE, type User } from '#users/model';
import type { Directory } from '#people';
import type { RealmEvent } from '#realm/model';
import { USER_SETTINGS, type UserSettingName, type UserSettingValue } from './model/user-settings.js';

export interface ChangeUserDefaults {
  readonly type: 'change-user-defaults';
  readonly actor: User;
  /** As asked; what is as it is already may be among them. */
  readonly settings: Readonly<Partial<Record<UserSettingName, UserSettingValue>>>;
  /** Seconds since the epoch. */
  readonly at: number;
}

/**
 * Changes the personal settings that new users begin with (endpoints.md §12, PATCH /realm/user_settings_defaults). Users that
 * there are keep theirs.
 * @throws Refusal UNAUTHORIZED_PRINCIPAL
 */
export function decideUserDefaults(
  { userDefaults }: Pick<Directory, 'userDefaults'>,
  { actor, settings, at }: ChangeUserDefaults,
): readonly RealmEvent[] {
  if (actor.role > ROLE.administrator)
    throw new Refusal('UNAUTHORIZED_PRINCIPAL', 'Must be an organization administrator');
  const known: Readonly<Record<string, UserSettingValue>> = { ...USER_SETTINGS, ...userDefaults };
  const changed = Object.fromEntries(Object.entries(settings).filter(([name, value]) => value !== known[name]));
  if (Object.keys(changed).length === 0) return [];
  return [{ type: 'organization.user-defaults-changed.v1', data: { settings: changed, by: actor.userId, at } }];
}
