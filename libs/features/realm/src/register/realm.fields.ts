import { Injectable } from '@nestjs/common';
import { can, type JsonFields, type RegisterContext, RegisterFields, wants } from '#feature';
import { announcementsChannel } from '#channels/model';
import { isSpectator } from '#users/model';
import { smallestSystemGroup, wireGroupSetting } from '#groups/model';
import type { Directory } from '#people';
import { BRANDING_KINDS, wireBranding, brandingPart } from '#pictures/model';
import { PushService } from '#push';
import { Integrations } from '../model/server/integrations.js';
import { legacyPolicies } from '../model/settings/legacy-policies.js';
import { LIMITS, SERVER_CONSTANTS } from '../model/server/server-constants.js';
import { REALM_PERMISSION_NAMES } from '../model/settings/realm-permissions.js';
import { REALM_CONSTANTS } from '../model/settings/realm-defaults.js';
import { firstRelease } from '../model/server/server-version.js';
import { isAtLevel } from '../model/server/interface-levels.js';
import { supportedPermissionSettings } from './supported-permissions.js';
import { UploadLimits } from '../model/server/upload-limits.js';
import { mayKnowDomains } from '../realm.access.js';
import { wireDomains } from '../domains/wire-domains.js';
import { linkifiersPart } from '../model/linkifiers/linkifiers.part.js';
import { playgroundsPart } from '../model/playgrounds/playgrounds.part.js';
import { wireLinkifiers } from '../linkifiers/wire-linkifiers.js';
import { wirePlaygrounds } from '../playgrounds/wire-playgrounds.js';

const prefixed = (fields: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [`realm_${name}`, value as unknown]));

/** What later levels of the interface have removed. */
const FORMER: Readonly<Record<string, unknown>> = Object.fromEntries(
  Object.entries({ realm_is_zephyr_mirror_realm: false }).filter(([name]) => isAtLevel('register', name)),
);

const CONSTANTS: Readonly<Record<string, unknown>> = {
  ...FORMER,
  ...prefixed(REALM_CONSTANTS),
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
function changeable(directory: Directory, integrations: Integrations): Derived['fields'] {
  const kept = derived.get(directory);
  if (kept?.revision === directory.revision) return kept.fields;
  const { settings, revision } = directory;
  const branding = directory.of(brandingPart);
  const permissions = REALM_PERMISSION_NAMES.map((name): [string, unknown] => [
    name,
    wireGroupSetting(directory, directory.permission(name)),
  ]);
  const settingFields = prefixed({
    ...settings,
    ...Object.fromEntries(BRANDING_KINDS.flatMap((kind) => Object.entries(wireBranding(branding, kind)))),
    authentication_methods: integrations.wireLoginMethods(settings.authentication_methods),
    email_auth_enabled: integrations.allows(directory, 'Email'),
    password_auth_enabled: integrations.allows(directory, 'Email'),
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
    fields.add(
      'realm_linkifiers',
      can(context, 'linkifier_url_template') ? wireLinkifiers(context.directory.of(linkifiersPart).inOrder) : [],
    );
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
    if (wants(context, 'realm_playgrounds'))
      fields.add('realm_playgrounds', wirePlaygrounds(directory.of(playgroundsPart).inOrder));
  }
}

/** The organization's settings, the server's limits and constants (register.md §3, §4). */
@Injectable()
export class RealmFields extends RegisterFields {
  override readonly keys = ['realm'];

  constructor(
    private readonly push: PushService,
    private readonly integrations: Integrations,
    private readonly uploads: UploadLimits,
  ) {
    super();
  }

  override addTo(fields: JsonFields, context: RegisterContext): void {
    if (!wants(context, 'realm')) return;
    const { directory, siteUrl, viewer } = context;
    const { uuid, createdAt, release = firstRelease(createdAt) } = directory.organization;
    fields.addAll({
      ...CONSTANTS,
      ...changeable(directory, this.integrations),
      realm_available_video_chat_providers: Object.fromEntries(
        this.integrations.videoChatProviders.map(({ key, ...provider }) => [key, provider]),
      ),
      ...(isSpectator(viewer) ? { realm_allow_message_editing: false, realm_presence_disabled: true } : {}),
      realm_push_notifications_enabled: this.push.isConfigured,
      max_file_upload_size_mib: this.uploads.fileMib,
      realm_upload_quota_mib: this.uploads.quotaMib ?? null,
      server_generation: release.generation,
      realm_uuid: uuid,
      realm_date_created: createdAt,
      realm_url: siteUrl,
      realm_uri: siteUrl,
      realm_bot_domain: new URL(siteUrl).hostname,
      server_emoji_data_url: `${siteUrl}/static/emoji.json`,
    });
  }
}
