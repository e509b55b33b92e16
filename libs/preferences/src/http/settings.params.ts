import { boolean, integer, NotSupportedYet, Param, unquoted, type WireType } from '#http';
import {
  languageName,
  USER_SETTING_NAMES,
  USER_SETTING_TABLE,
  type UserSetting,
  type UserSettingForm,
  type UserSettingName,
  type UserSettingValue,
} from '#organization';
import { IsIn, Max, MaxCharacters, Min, stacked, ValidateBy } from '#validation';

const LANGUAGE_LENGTH_MAX = 50;

interface Written {
  readonly type: WireType<UserSettingValue>;
  readonly constraints?: PropertyDecorator;
}

const IsLanguage = ValidateBy({
  name: 'isLanguage',
  validator: {
    validate: (code: string) => languageName(code) !== undefined,
    defaultMessage: () => 'Invalid $property',
  },
});

function written(form: Exclude<UserSettingForm, { kind: 'account' }>): Written {
  switch (form.kind) {
    case 'switch':
      return { type: boolean() };
    case 'number':
      return { type: integer(), constraints: IsIn(form.oneOf) };
    case 'range':
      return { type: integer(), constraints: stacked(Min(form.min), Max(form.max)) };
    case 'word':
      return { type: unquoted(), constraints: IsIn(form.oneOf) };
    case 'language':
      return { type: unquoted(), constraints: stacked(MaxCharacters(LANGUAGE_LENGTH_MAX), IsLanguage) };
  }
}

/** Fields of the account instead of its settings (endpoints.md §7). */
const OF_THE_ACCOUNT = ['full_name', 'email', 'old_password', 'new_password'] as const;

/** Any of a user's settings, made from their table. */
export class UserSettingsParams {
  /** Those that were given. */
  given(): Partial<Record<UserSettingName, UserSettingValue>> {
    return Object.fromEntries(Object.entries(this).filter(([, value]) => value !== undefined));
  }
}

for (const name of USER_SETTING_NAMES) {
  const { form, does, legacyName, because }: UserSetting = USER_SETTING_TABLE[name];
  if (form.kind === 'account' || because !== undefined) {
    NotSupportedYet(because === undefined ? name : [name, because])(UserSettingsParams);
    continue;
  }
  const { type, constraints } = written(form);
  constraints?.(UserSettingsParams.prototype, name);
  const aliases = legacyName === undefined ? {} : { aliases: [legacyName] };
  Param(type, { optional: true, description: does, ...aliases })(UserSettingsParams.prototype, name);
}

/** A user's own settings, and what of their account goes by the same route. */
@NotSupportedYet(...OF_THE_ACCOUNT)
export class SettingsParams extends UserSettingsParams {}
