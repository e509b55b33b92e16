import type { TProperties, TSchema } from 'typebox';
import { GroupSettingSchema } from '#groups/model';
import { integer, list, map, named, nullable, object, optional, text, truth, words } from '#wire';
import { LIMITS, SERVER_CONSTANTS } from '../model/server/server-constants.js';
import { REALM_PERMISSION_NAMES } from '../model/settings/realm-permissions.js';
import { legacyPolicies } from '../model/settings/legacy-policies.js';
import { DomainSchema } from '../domains/wire-domains.js';
import { LinkifierSchema } from '../linkifiers/wire-linkifiers.js';
import { PlaygroundSchema } from '../playgrounds/wire-playgrounds.js';
import { REALM_SETTING_SCHEMAS } from '../realm-events.schema.js';

const SupportedSchema = named(
  'SupportedPermissionSetting',
  object({
    require_system_group: truth,
    allow_internet_group: truth,
    allow_nobody_group: truth,
    allow_everyone_group: truth,
    default_group_name: text,
    default_for_system_groups: nullable(text),
    allowed_system_groups: list(text),
  }),
);

const ChoiceSchema = object({ id: integer, name: text });

/** Constants of several forms. The others are numbers, texts and switches. */
const SERVER_FIELDS: TProperties = {
  ...Object.fromEntries(Object.entries(SERVER_CONSTANTS).map(([name, value]) => [name, plainSchema(value)])),
  server_jitsi_server_url: nullable(text),
  server_min_deactivated_realm_deletion_days: nullable(integer),
  server_max_deactivated_realm_deletion_days: nullable(integer),
  server_thumbnail_formats: list(
    object({ name: text, max_width: integer, max_height: integer, format: text, animated: truth }),
  ),
  server_report_message_types: list(object({ key: text, name: text })),
  giphy_rating_options: map(ChoiceSchema),
};

function plainSchema(value: unknown): TSchema {
  return typeof value === 'boolean' ? truth : typeof value === 'number' ? integer : text;
}

const prefixed = (schemas: Readonly<Record<string, TSchema>>): TProperties =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [`realm_${name}`, schema]));

const integers = (names: readonly string[]): TProperties => Object.fromEntries(names.map((name) => [name, integer]));

/** The organization's settings, the server's limits and constants (register.md §3, §4). */
export const realmFieldSchemas: TProperties = {
  ...SERVER_FIELDS,
  ...integers(Object.keys(LIMITS)),
  ...prefixed({
    ...REALM_SETTING_SCHEMAS,
    ...Object.fromEntries(REALM_PERMISSION_NAMES.map((name) => [name, GroupSettingSchema])),
    ...integers(Object.keys(legacyPolicies(() => 'role:members'))),
    icon_url: text,
    icon_source: words('G', 'U'),
    logo_url: text,
    logo_source: words('D', 'U'),
    night_logo_url: text,
    night_logo_source: words('D', 'U'),
    email_auth_enabled: truth,
    password_auth_enabled: truth,
    allow_edit_history: truth,
    mandatory_topics: truth,
    plan_type: integer,
    push_notifications_enabled: truth,
    push_notifications_enabled_end_timestamp: nullable(integer),
    empty_topic_display_name: text,
    default_external_accounts: map(object({ text, url_pattern: text, name: text, hint: text })),
    available_video_chat_providers: map(ChoiceSchema),
    upload_quota_mib: nullable(integer),
    uuid: text,
    date_created: integer,
    url: text,
    uri: text,
    bot_domain: text,
    is_zephyr_mirror_realm: optional(truth),
  }),
  jitsi_server_url: nullable(text),
  max_file_upload_size_mib: integer,
  server_generation: integer,
  server_emoji_data_url: text,
  server_supported_permission_settings: object({
    realm: map(SupportedSchema),
    stream: map(SupportedSchema),
    group: map(SupportedSchema),
  }),
  realm_domains: list(DomainSchema),
  realm_linkifiers: list(LinkifierSchema),
  realm_playgrounds: list(PlaygroundSchema),
};
