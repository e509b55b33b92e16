import { Controller, Get } from '@nestjs/common';
import { ApiTags, Public } from '#http';
import type { JsonObject } from '#kernel';
import { renderDescription } from '#markdown';
import { Directory, Integrations, Site, versionFields } from '#organization';
import { brandingAddress, brandingPart } from '#pictures/model';
import { PushService } from '#push';

/** Ways to sign in that this server does not have (register.md §5). */
const OTHER_LOGIN_METHODS = {
  ldap: false,
  remoteuser: false,
  saml: false,
  github: false,
  gitlab: false,
  google: false,
  apple: false,
  azuread: false,
};

/** Strangers are told of no user, group or channel, so the description mentions none. */
const NOBODY = {
  userByName: () => undefined,
  userById: () => undefined,
  groupByName: () => undefined,
  channelByName: () => undefined,
} as const;

/** Public data of the server (objects.md, "Server settings"; clients.md §1.1). */
@ApiTags('server')
@Controller()
export class ServerSettingsController {
  constructor(
    private readonly directory: Directory,
    private readonly site: Site,
    private readonly push: PushService,
    private readonly integrations: Integrations,
  ) {}

  @Public()
  @Get('api/v1/server_settings')
  show(): JsonObject {
    const { settings, organization } = this.directory;
    const byPassword = this.integrations.allows(this.directory, 'Email');
    return {
      ...versionFields(),
      authentication_methods: {
        password: byPassword,
        email: byPassword,
        dev: this.integrations.allows(this.directory, 'Dev'),
        'openid connect': this.integrations.allows(this.directory, 'OpenID Connect'),
        ...OTHER_LOGIN_METHODS,
      },
      external_authentication_methods: this.integrations.externalLogins(this.directory),
      push_notifications_enabled: this.push.isConfigured,
      is_incompatible: false,
      email_auth_enabled: byPassword,
      require_email_format_usernames: true,
      realm_url: this.site.url,
      realm_uri: this.site.url,
      realm_name: organization.name,
      realm_icon: brandingAddress(this.directory.of(brandingPart), 'icon'),
      realm_description: renderDescription(settings.description, { ...NOBODY, realmUrl: this.site.url }),
      realm_web_public_access_enabled: hasWebPublicChannels(this.directory),
    };
  }

  /** Early mobile clients ask whether the server still supports them: it supports all. */
  @Public()
  @Get('compatibility')
  compatibility(): JsonObject {
    return {};
  }
}

function hasWebPublicChannels(directory: Directory): boolean {
  if (!directory.settings.enable_spectator_access) return false;
  for (const { isWebPublic, isArchived } of directory.channels()) if (isWebPublic && !isArchived) return true;
  return false;
}
