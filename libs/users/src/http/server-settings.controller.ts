import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Public } from '#http';
import type { JsonObject } from '#kernel';
import { renderDescription } from '#markdown';
import { Directory, Site, versionFields } from '#organization';

const LOGIN_METHODS = {
  password: true,
  email: true,
  dev: false,
  ldap: false,
  remoteuser: false,
  saml: false,
  'openid connect': false,
};

/** Strangers are told of no user, group or channel, so the description mentions none. */
const NOBODY = {
  userByName: () => undefined,
  userById: () => undefined,
  groupByName: () => undefined,
  channelByName: () => undefined,
} as const;

/** Public data of the server (specification, "Server settings object"; clients.md §1.1). */
@ApiTags('server')
@Controller()
export class ServerSettingsController {
  constructor(
    private readonly directory: Directory,
    private readonly site: Site,
  ) {}

  @Public()
  @Get('api/v1/server_settings')
  show(): JsonObject {
    const { settings, organization } = this.directory;
    return {
      ...versionFields(),
      authentication_methods: LOGIN_METHODS,
      external_authentication_methods: [],
      push_notifications_enabled: false,
      is_incompatible: false,
      email_auth_enabled: true,
      require_email_format_usernames: true,
      realm_url: this.site.url,
      realm_uri: this.site.url,
      realm_name: organization.name,
      realm_icon: '/static/icon.svg',
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
