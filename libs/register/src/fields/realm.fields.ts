import {
  legacyPolicies,
  LIMITS,
  REALM_PERMISSION_NAMES,
  REALM_SETTINGS,
  SERVER_CONSTANTS,
  smallestSystemGroup,
  supportedPermissionSettings,
  wireGroupSetting,
  type Directory,
} from '#organization';
import { wireLinkifiers } from '#realm';
import type { FieldTexts } from '../field-texts.js';
import type { Wanted } from '../wanted.js';
import { can, wants } from '../wanted.js';

const prefixed = (fields: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [`realm_${name}`, value as unknown]));

const CONSTANTS: Readonly<Record<string, unknown>> = {
  ...prefixed(REALM_SETTINGS),
  ...LIMITS,
  ...SERVER_CONSTANTS,
  server_supported_permission_settings: supportedPermissionSettings(),
};

interface Derived {
  readonly revision: number;
  readonly fields: Readonly<Record<string, unknown>>;
}

const derived = new WeakMap<Directory, Derived>();

/** What the organization can change, and what older clients know it by. Some of it looks at all users, so it is kept. */
function changeable(directory: Directory): Derived['fields'] {
  const kept = derived.get(directory);
  if (kept?.revision === directory.revision) return kept.fields;
  const { settings, revision } = directory;
  const permissions = REALM_PERMISSION_NAMES.map((name): [string, unknown] => [
    name,
    wireGroupSetting(directory.permission(name)),
  ]);
  const fields = prefixed({
    ...settings,
    allow_edit_history: settings.message_edit_history_visibility_policy !== 'none',
    mandatory_topics: settings.topics_policy === 'disable_empty_topic',
    ...Object.fromEntries<unknown>(permissions),
    ...legacyPolicies((name) => smallestSystemGroup(directory, directory.permission(name))),
  });
  derived.set(directory, { revision, fields });
  return fields;
}

/** The organization's linkifiers (register.md §2), for clients that know URL templates. */
export function addLinkifiers(fields: FieldTexts, wanted: Wanted): void {
  if (!wants(wanted, 'realm_linkifiers')) return;
  fields.add('realm_linkifiers', can(wanted, 'linkifier_url_template') ? wireLinkifiers(wanted.directory) : []);
}

/** The organization's settings, the server's limits and constants (register.md §3, §4). */
export function addRealm(fields: FieldTexts, wanted: Wanted): void {
  if (!wants(wanted, 'realm')) return;
  const { directory, siteUrl } = wanted;
  const { name, uuid, createdAt } = directory.organization;
  fields.addAll({
    ...CONSTANTS,
    ...changeable(directory),
    realm_name: name,
    realm_uuid: uuid,
    realm_date_created: createdAt,
    realm_url: siteUrl,
    realm_uri: siteUrl,
    realm_bot_domain: new URL(siteUrl).hostname,
    server_emoji_data_url: `${siteUrl}/static/emoji.json`,
  });
}
