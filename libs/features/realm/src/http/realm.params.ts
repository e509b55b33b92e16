import { Type } from 'typebox';
import {
  boolean,
  integer,
  json,
  jsonOrText,
  lowerCase,
  Param,
  Shape,
  ShapeOrText,
  text,
  unquoted,
  type WireType,
} from '#http';
import { type GroupSettingUpdate, GroupSettingUpdateSchema } from '#groups/model';
import { languageName } from '#preferences/model';
import { IsIn, Max, MaxCharacters, Min, stacked, ValidateBy } from '#validation';
import { REALM_PERMISSION_NAMES, REALM_PERMISSIONS } from '../model/settings/realm-permissions.js';
import { REALM_SETTING_NAMES, type SettingsChange } from '../model/settings/changeable-settings.js';
import { REALM_SETTING_TABLE, type SettingForm } from '../model/settings/realm-settings.table.js';
import { VIDEO_CHAT_PROVIDER_IDS } from '../model/server/integrations.js';
import type { ChangeRealm } from '../realm.commands.js';

const LANGUAGE_LENGTH_MAX = 50;
const CODE_LANGUAGE_LENGTH_MAX = 40;
const WEBSITE_LENGTH_MAX = 200;

/** Words that stand for a value. */
const SPECIAL_WORDS: Partial<Record<SettingForm['kind'], readonly [word: string, value: number | null]>> = {
  'time-limit': ['unlimited', null],
  retention: ['unlimited', -1],
  website: ['default', null],
};

function checked(name: string, accepts: (value: string) => boolean, message: string): PropertyDecorator {
  const validate = (value: unknown): boolean => typeof value !== 'string' || accepts(value);
  return ValidateBy({ name, validator: { validate, defaultMessage: () => message } });
}

const IsTimeLimit = stacked(
  ShapeOrText(Type.Integer({ minimum: 1 })),
  checked(
    'isUnlimited',
    (value) => value === 'unlimited',
    `Bad value for '$property': it is a number of seconds or "unlimited"`,
  ),
);
/** Longer than anybody can wish for: a thousand years. */
const RETENTION_DAYS_MAX = 365_000;
const IsRetention = stacked(
  ShapeOrText(Type.Integer({ minimum: 1, maximum: RETENTION_DAYS_MAX })),
  checked(
    'isUnlimited',
    (value) => value === 'unlimited',
    `Bad value for '$property': it is a number of days or "unlimited"`,
  ),
);
const IsLanguage = stacked(
  MaxCharacters(LANGUAGE_LENGTH_MAX),
  checked('isLanguage', (code) => languageName(code) !== undefined, 'Invalid $property'),
);
const IsCodeLanguage = stacked(
  MaxCharacters(CODE_LANGUAGE_LENGTH_MAX),
  checked('isCodeLanguage', (name) => /^[\w +.#/-]*$/.test(name), 'Invalid $property'),
);
const IsWebsite = stacked(
  MaxCharacters(WEBSITE_LENGTH_MAX),
  checked('isWebsite', (url) => url === 'default' || isWebsite(url), '$property is not a URL'),
);

const LOGIN_METHODS_MAX = 20;
const LoginMethodsSchema = Type.Record(Type.String(), Type.Boolean(), { maxProperties: LOGIN_METHODS_MAX });

interface Written {
  readonly type: WireType<unknown>;
  readonly constraints?: PropertyDecorator;
}

function written(form: SettingForm): Written {
  switch (form.kind) {
    case 'switch':
      return { type: boolean() };
    case 'count':
      return { type: integer(), constraints: stacked(Min(0), Max(form.max)) };
    case 'number':
      return { type: integer(), constraints: IsIn(form.oneOf) };
    case 'word':
      return { type: unquoted(), constraints: IsIn(form.oneOf) };
    case 'time-limit':
      return { type: jsonOrText(), constraints: IsTimeLimit };
    case 'retention':
      return { type: jsonOrText(), constraints: IsRetention };
    case 'channel':
      return { type: integer(), constraints: Min(-1) };
    case 'text':
      return { type: text(), constraints: MaxCharacters(form.lengthMax) };
    case 'language':
      return { type: lowerCase(unquoted()), constraints: IsLanguage };
    case 'code-language':
      return { type: unquoted(), constraints: IsCodeLanguage };
    case 'login-methods':
      return { type: json(), constraints: Shape(LoginMethodsSchema) };
    case 'video-chat-provider':
      return { type: integer(), constraints: IsIn(VIDEO_CHAT_PROVIDER_IDS) };
    case 'website':
      return { type: unquoted(), constraints: IsWebsite };
  }
}

function isWebsite(url: string): boolean {
  return /^https?:\/\/[^\s"'<>\\]+$/.test(url) && URL.canParse(url);
}

/** Any of the organization's settings, made from their tables. */
export class ChangeRealmParams {
  @Param(text(), { optional: true, description: 'Where the organization is reached. It cannot be changed.' })
  string_id?: string;

  settings(): SettingsChange {
    const given = this.given();
    return Object.fromEntries(
      REALM_SETTING_NAMES.filter((name) => given[name] !== undefined).map((name) => {
        const [word, value] = SPECIAL_WORDS[REALM_SETTING_TABLE[name].form.kind] ?? [];
        return [name, word !== undefined && given[name] === word ? value : given[name]];
      }),
    );
  }

  permissions(): ChangeRealm['permissions'] {
    const given = this.given();
    return Object.fromEntries(
      REALM_PERMISSION_NAMES.filter((name) => given[name] !== undefined).map((name) => [
        name,
        given[name] as GroupSettingUpdate,
      ]),
    );
  }

  private given(): Readonly<Record<string, unknown>> {
    return this as unknown as Readonly<Record<string, unknown>>;
  }
}

for (const name of REALM_SETTING_NAMES) {
  const { form, does } = REALM_SETTING_TABLE[name];
  const { type, constraints } = written(form);
  constraints?.(ChangeRealmParams.prototype, name);
  Param(type, { optional: true, description: does })(ChangeRealmParams.prototype, name);
}
for (const name of REALM_PERMISSION_NAMES) {
  Shape(GroupSettingUpdateSchema)(ChangeRealmParams.prototype, name);
  Param(json(), { optional: true, description: `Who may: ${REALM_PERMISSIONS[name].does}` })(
    ChangeRealmParams.prototype,
    name,
  );
}
