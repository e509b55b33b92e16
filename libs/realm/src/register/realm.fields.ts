import { Injectable } from '@nestjs/common';
import { can, type JsonFields, type RegisterContext, RegisterFields, wants } from '#feature';
import {
  announcementsChannel,
  FIXED_SETTING_TABLE,
  isSpectator,
  legacyPolicies,
  LIMITS,
  REALM_PERMISSION_NAMES,
  REALM_CONSTANTS,
  SERVER_CONSTANTS,
  smallestSystemGroup,
  supportedPermissionSettings,
  wireGroupSetting,
  type Directory,
} from '#organization';
import { mayKnowDomains } from '../realm.access.js';
import { wireDomains } from '../wire-domains.js';
import { wireLinkifiers } from '../wire-linkifiers.js';
import { wirePlaygrounds } from '../wire-playgrounds.js';

const prefixed = (fields: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [`realm_${name}`, value as unknown]));

const CONSTANTS: Readonly<Record<string, unknown>> = {
  ...prefixed(REALM_CONSTANTS),
  ...prefixed(Object.fromEntries(Object.entries(FIXED_SETTING_TABLE).map(([name, row]) => [name, row.default]))),
  ...LIMITS,
  ...SERVER_CONSTANTS,
  server_supported_permission_settings: supportedPermissionSettings(),
};

/** Means no channel (register.md §3). */
const NO_CHANNEL = -1;

interface Derived {
  readonly revision: number;
  readonly fields: Readonly<Record<string, unknown>>;
}

const derived = new WeakMap<Directory, Derived>();

/** Changeable settings, and their names for older clients. Cached, since some of it iterates over all users. */
function changeable(directory: Directory): Derived['fields'] {
  const kept = derived.get(directory);
  if (kept?.revision === directory.revision) return kept.fields;
  const { settings, revision } = directory;
  const permissions = REALM_PERMISSION_NAMES.map((name): [string, unknown] => [
    name,
    wireGroupSetting(directory.permission(name)),
  ]);
  const settingFields = prefixed({
    ...settings,
    allow_edit_history: settings.message_edit_history_visibility_policy !== 'none',
    mandatory_topics: settings.topics_policy === 'disable_empty_topic',
    new_stream_announcements_stream_id:
      settings.new_stream_announcements_stream_id || (announcementsChannel(directory)?.channelId ?? NO_CHANNEL),
    ...Object.fromEntries<unknown>(permissions),
    ...legacyPolicies((name) => smallestSystemGroup(directory, directory.permission(name))),
  });
  const fields = { ...settingFields, jitsi_server_url: settings.jitsi_server_url };
  derived.set(directory, { revision, fields });
  return fields;
}

/** The organization's linkifiers (register.md §2), for clients that know URL templates. */
@Injectable()
export class LinkifierFields extends RegisterFields {
  override readonly keys = ['realm_linkifiers'];

  override addTo(fields: JsonFields, context: RegisterContext): void {
    if (!wants(context, 'realm_linkifiers')) return;
    fields.add('realm_linkifiers', can(context, 'linkifier_url_template') ? wireLinkifiers(context.directory) : []);
  }
}

/** The organization's domains and code playgrounds (register.md §2). */
@Injectable()
export class RealmListFields extends RegisterFields {
  override readonly keys = ['realm_domains', 'realm_playgrounds'];

  override addTo(fields: JsonFields, context: RegisterContext): void {
    const { directory, viewer } = context;
    if (wants(context, 'realm_domains'))
      fields.add('realm_domains', mayKnowDomains(viewer) ? wireDomains(directory) : []);
    if (wants(context, 'realm_playgrounds')) fields.add('realm_playgrounds', wirePlaygrounds(directory));
  }
}

/** The organization's settings, the server's limits and constants (register.md §3, §4). */
@Injectable()
export class RealmFields extends RegisterFields {
  override readonly keys = ['realm'];

  override addTo(fields: JsonFields, context: RegisterContext): void {
    if (!wants(context, 'realm')) return;
    const { directory, siteUrl, viewer } = context;
    const { uuid, createdAt } = directory.organization;
    fields.addAll({
      ...CONSTANTS,
      ...changeable(directory),
      ...(isSpectator(viewer) ? { realm_allow_message_editing: false, realm_presence_disabled: true } : {}),
      realm_uuid: uuid,
      realm_date_created: createdAt,
      realm_url: siteUrl,
      realm_uri: siteUrl,
      realm_bot_domain: new URL(siteUrl).hostname,
      server_emoji_data_url: `${siteUrl}/static/emoji.json`,
    });
  }
}
