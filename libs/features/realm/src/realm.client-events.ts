import { Injectable } from '@nestjs/common';
import type { EventOf } from '#event-store';
import { ClientEvents, type Derivations, type FeedEntry, noClientEvents, type Presentable } from '#feed';
import type { ActivityChanged } from '#users/model';
import type { Directory } from '#people';
import { namesUser, wireGroupSetting } from '#groups/model';
import { REALM_ID, type WireEvent, type WithoutType } from '#wire';
import { type BrandingChanged, wireBranding, brandingPart } from '#pictures/model';
import { Integrations } from './model/server/integrations.js';
import { REALM_PERMISSION_NAMES } from './model/settings/realm-permissions.js';
import { REALM_SETTING_TABLE, type RealmSetting } from './model/settings/realm-settings.table.js';
import { withLanguageCode } from './model/settings/realm-settings.js';
import type { RealmEvent, organizationSettingsChanged } from './model/realm.events.js';
import { versionFields } from './model/server/server-version.js';
import type { realmEventSchemas } from './realm-events.schema.js';

type Told = WireEvent<
  Pick<
    typeof realmEventSchemas,
    'realm/update' | 'realm/update_dict' | 'realm/deactivated' | 'realm_user_settings_defaults/update' | 'restart'
  >
>;

/** The version of a restart is that of the server that delivers it. */
type Body = WithoutType<Exclude<Told, { readonly type: 'restart' }>> | { readonly server_generation: number };
type Changed = EventOf<typeof organizationSettingsChanged>;

/** Settings of which clients are told together, in one event (events.md §7). The others have one each. */
const TOLD_TOGETHER: ReadonlySet<string> = new Set(
  Object.entries<RealmSetting>(REALM_SETTING_TABLE).flatMap(([name, setting]) =>
    setting.isToldTogether ? [name] : [],
  ),
);

/** What clients are told of the organization's settings (events.md §7): `realm`, and the personal settings that new users begin with. */
@Injectable()
export class RealmClientEvents extends ClientEvents<Told> {
  override readonly on: Derivations<RealmEvent | BrandingChanged | ActivityChanged> = {
    'organization.created.v1': noClientEvents,
    'organization.settings-changed.v1': ({ data }, directory) => changed(directory, data),
    'organization.user-defaults-changed.v1': ({ data }) =>
      Object.entries(withLanguageCode(data.settings)).map(([property, value]) =>
        entry({ op: 'update', property, value }, 'realm_user_settings_defaults'),
      ),
    'organization.branding-changed.v1': ({ data: { kind } }, directory) => {
      return [entry({ op: 'update_dict', property: kind, data: wireBranding(directory.of(brandingPart), kind) })];
    },
    'organization.deactivated.v1': () => [entry({ op: 'deactivated', realm_id: REALM_ID })],
    'user.deactivated.v1': ({ data }, directory) => permissionsNaming(directory, data.userId),
    'user.reactivated.v1': ({ data }, directory) => permissionsNaming(directory, data.userId),
    // Nobody has a queue by then.
    'organization.reactivated.v1': noClientEvents,
    'organization.server-upgraded.v1': ({ data: { at } }) => [entry({ server_generation: at }, 'restart')],
  };
  override readonly types: ReadonlySet<string> = new Set(['realm', 'realm_user_settings_defaults', 'restart']);

  constructor(private readonly integrations: Integrations) {
    super();
  }

  override present({ entry: { body, type } }: Presentable<Body>): readonly Told[] {
    // As in the answer to a registration.
    if ('server_generation' in body) return [{ ...versionFields(), ...body, type: 'restart' }];
    if (body.op === 'update') return [{ ...body, type: type === 'realm' ? type : 'realm_user_settings_defaults' }];
    if (body.op === 'deactivated') return [{ ...body, type: 'realm' }];
    const { data } = body;
    const chosen = data['authentication_methods'] as Readonly<Record<string, boolean>> | undefined;
    if (chosen === undefined) return [{ ...body, type: 'realm' }];
    const authentication_methods = this.integrations.wireLoginMethods(chosen);
    return [{ ...body, data: { ...data, authentication_methods }, type: 'realm' }];
  }
}

function entry(body: Body, type: Told['type'] = 'realm'): FeedEntry<Body> {
  return { type, audience: { to: 'everyone' }, body };
}

/** Permissions that name the user, who is shown there while the account is active. */
function permissionsNaming(directory: Directory, userId: number): readonly FeedEntry<Body>[] {
  const naming = REALM_PERMISSION_NAMES.filter((name) => namesUser(directory.permission(name), userId));
  const permissions = Object.fromEntries(naming.map((name) => [name, directory.permission(name)]));
  return changed(directory, { permissions });
}

function changed(
  directory: Directory,
  { settings = {}, permissions = {} }: Pick<Changed['data'], 'settings' | 'permissions'>,
): readonly FeedEntry<Body>[] {
  const together: Record<string, Extract<Body, { readonly op: 'update_dict' }>['data'][string]> = {};
  const apart: Body[] = [];
  for (const [name, value] of Object.entries(withLanguageCode(settings))) {
    if (TOLD_TOGETHER.has(name)) together[name] = value;
    else apart.push({ op: 'update', property: name, value });
  }
  // Older clients know these two by other names.
  if (settings.topics_policy !== undefined)
    together['mandatory_topics'] = settings.topics_policy === 'disable_empty_topic';
  if (settings.message_edit_history_visibility_policy !== undefined) {
    const value = settings.message_edit_history_visibility_policy !== 'none';
    apart.push({ op: 'update', property: 'allow_edit_history', value });
  }
  for (const [name, setting] of Object.entries(permissions)) together[name] = wireGroupSetting(directory, setting);
  if (Object.keys(together).length > 0) apart.push({ op: 'update_dict', property: 'default', data: together });
  return apart.map((body) => entry(body));
}
