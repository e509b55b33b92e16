import { boolean, integer, lowerCase, Param, text, unquoted, type WireType } from '#http';
import type { AskedOwnAccount } from '#users';
import { IsIn, Max, MaxCharacters, Min, stacked, ValidateBy } from '#validation';
import { languageName } from '../model/languages.js';
import { USER_SETTING_NAMES, type UserSettingName, type UserSettingValue } from '../model/user-settings.js';
import { USER_SETTING_TABLE, type UserSetting, type UserSettingForm } from '../model/user-settings.table.js';

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
      return {
        type: lowerCase(unquoted()),
        constraints: stacked(MaxCharacters(LANGUAGE_LENGTH_MAX), IsLanguage),
      };
  }
}

/** Any of a user's settings, made from their table. */
export class UserSettingsParams {
  /** Those that were given. */
  given(): Partial<Record<UserSettingName, UserSettingValue>> {
    return Object.fromEntries(Object.entries(this).filter(([, value]) => value !== undefined));
  }
}

for (const name of USER_SETTING_NAMES) {
  const { form, does, legacyName }: UserSetting = USER_SETTING_TABLE[name];
  // What is of the account is changed with it.
  if (form.kind === 'account') continue;
  const { type, constraints } = written(form);
  constraints?.(UserSettingsParams.prototype, name);
  const aliases = legacyName === undefined ? {} : { aliases: [legacyName] };
  Param(type, { optional: true, description: does, ...aliases })(UserSettingsParams.prototype, name);
}

/** Made from the table, like the others. */
type WithVisibility<Rest> = Rest & { readonly email_address_visibility?: number };

/** Lengths before normalization; the account's own limits are lower. */
const NAME_LENGTH_MAX = 1000;
const EMAIL_LENGTH_MAX = 1000;
const PASSWORD_LENGTH_MAX = 1000;
const TIMEZONE_LENGTH_MAX = 100;

/** A user's own settings, and what of their account goes by the same route. */
export class SettingsParams extends UserSettingsParams {
  @Param(text(), { optional: true })
  @MaxCharacters(NAME_LENGTH_MAX)
  full_name?: string;

  @Param(text(), { optional: true, description: 'Counts once it is confirmed.' })
  @MaxCharacters(EMAIL_LENGTH_MAX)
  email?: string;

  @Param(text(), { optional: true })
  @MaxCharacters(PASSWORD_LENGTH_MAX)
  old_password?: string;

  @Param(text(), { optional: true })
  @MaxCharacters(PASSWORD_LENGTH_MAX)
  new_password?: string;

  @Param(unquoted(), { optional: true, description: 'IANA name of a time zone.' })
  @MaxCharacters(TIMEZONE_LENGTH_MAX)
  timezone?: string;

  /** What is asked of the account, if anything, and of the settings. */
  asked(): {
    readonly account: AskedOwnAccount | undefined;
    readonly settings: ReturnType<UserSettingsParams['given']>;
  } {
    const { full_name, email, old_password, new_password, timezone, ...rest } = this;
    const { email_address_visibility: emailVisibility, ...others } = rest as WithVisibility<typeof rest>;
    const account = {
      fullName: full_name,
      email,
      oldPassword: old_password,
      newPassword: new_password,
      timezone,
      emailVisibility,
    };
    const isAsked = Object.values(account).some((value) => value !== undefined);
    const settings = Object.fromEntries(Object.entries(others).filter(([, value]) => value !== undefined));
    return { account: isAsked ? account : undefined, settings };
  }
}
