import type { TLiteral, TObject, TProperties, TSchema, TUnsafe } from 'typebox';
import { GroupSettingSchema } from '#groups/model';
import { USER_SETTING_SCHEMAS } from '#preferences/model';
import { exact, type EventSchemas, integer, list, object, optional, text, truth, words } from '#wire';
import { LoginMethodsSchema } from './model/server/integrations.js';
import { REALM_PERMISSION_NAMES } from './model/settings/realm-permissions.js';
import { REALM_SETTING_TABLE } from './model/settings/realm-settings.table.js';
import { VERSION_FIELDS } from './model/server/server-version.js';
import { DomainSchema } from './domains/wire-domains.js';
import { LinkifierSchema } from './linkifiers/wire-linkifiers.js';
import { PlaygroundSchema } from './playgrounds/wire-playgrounds.js';

/** Values of the organization's settings, by name, as clients get them. */
export const REALM_SETTING_SCHEMAS: Readonly<Record<string, TSchema>> = {
  ...Object.fromEntries(Object.entries(REALM_SETTING_TABLE).map(([name, { schema }]) => [name, schema])),
  authentication_methods: LoginMethodsSchema,
};

const PERMISSION_SCHEMAS: Readonly<Record<string, TSchema>> = Object.fromEntries(
  REALM_PERMISSION_NAMES.map((name) => [name, GroupSettingSchema]),
);

/** A change of one setting: an alternative for each. */
const changeOf = (schemas: Readonly<Record<string, TSchema>>): { property: TLiteral<string>; value: TSchema }[] =>
  Object.entries(schemas).map(([name, value]) => ({ property: exact<string>(name), value }));

const toldTogether = {
  ...Object.fromEntries(Object.entries(REALM_SETTING_SCHEMAS).filter(([name]) => 'isToldTogether' in settingOf(name))),
  ...PERMISSION_SCHEMAS,
  mandatory_topics: truth,
};

function settingOf(name: string): object {
  return REALM_SETTING_TABLE[name as keyof typeof REALM_SETTING_TABLE];
}

const toldApart = {
  ...Object.fromEntries(
    Object.entries(REALM_SETTING_SCHEMAS).filter(([name]) => !('isToldTogether' in settingOf(name))),
  ),
  allow_edit_history: truth,
};

const optionalEach = (schemas: Readonly<Record<string, TSchema>>): TProperties =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, optional(schema)]));

/** What a change made different, as `POST /register` shows it, without `realm_`. */
export const ChangedRealmSchema: TUnsafe<Readonly<Record<string, unknown>>> = object(
  optionalEach({ ...REALM_SETTING_SCHEMAS, ...PERMISSION_SCHEMAS }),
) as never;

const picture = (kind: string, ...sources: string[]): { property: TLiteral<string>; data: TObject } => ({
  property: exact<string>(kind),
  data: object({ [`${kind}_url`]: text, [`${kind}_source`]: words(...sources) }),
});

/** Client events about the organization (events.md §7). */
export const realmEventSchemas = {
  'realm/update': changeOf(toldApart),
  'realm/update_dict': [
    { property: exact('default'), data: object(optionalEach(toldTogether)) },
    picture('icon', 'G', 'U'),
    picture('logo', 'D', 'U'),
    picture('night_logo', 'D', 'U'),
  ],
  'realm/deactivated': { realm_id: integer },
  'realm_user_settings_defaults/update': changeOf(USER_SETTING_SCHEMAS),
  'realm_domains/add': { realm_domain: DomainSchema },
  'realm_domains/change': { realm_domain: DomainSchema },
  'realm_domains/remove': { domain: text },
  realm_linkifiers: { realm_linkifiers: list(LinkifierSchema) },
  realm_playgrounds: { realm_playgrounds: list(PlaygroundSchema) },
  restart: { ...VERSION_FIELDS, server_generation: integer },
} satisfies EventSchemas;
