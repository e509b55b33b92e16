import {
  legacyPolicies,
  LIMITS,
  REALM_PERMISSION_NAMES,
  REALM_SETTINGS,
  realmPermission,
  SERVER_CONSTANTS,
  supportedPermissionSettings,
  wireGroupSetting,
} from '#organization';
import type { FieldTexts } from '../field-texts.js';
import type { Wanted } from '../wanted.js';
import { wants } from '../wanted.js';

const prefixed = (fields: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [`realm_${name}`, value as unknown]));

const CONSTANTS: Readonly<Record<string, unknown>> = {
  ...prefixed(REALM_SETTINGS),
  ...prefixed(
    Object.fromEntries(REALM_PERMISSION_NAMES.map((name) => [name, wireGroupSetting(realmPermission(name))])),
  ),
  ...prefixed(legacyPolicies()),
  ...LIMITS,
  ...SERVER_CONSTANTS,
  server_supported_permission_settings: supportedPermissionSettings(),
};

/** The organization's settings, the server's limits and constants (register.md §3, §4). */
export function addRealm(fields: FieldTexts, wanted: Wanted): void {
  if (!wants(wanted, 'realm')) return;
  const { directory, siteUrl } = wanted;
  const { name, uuid, createdAt } = directory.organization;
  fields.addAll(CONSTANTS).addAll({
    realm_name: name,
    realm_uuid: uuid,
    realm_date_created: createdAt,
    realm_url: siteUrl,
    realm_uri: siteUrl,
    realm_bot_domain: new URL(siteUrl).hostname,
    server_emoji_data_url: `${siteUrl}/static/emoji.json`,
  });
}
