import { Controller, Get } from '@nestjs/common';
import { Answers, ApiTags, Public, Summary } from '#http';
import { renderDescription } from '#markdown';
import { Directory } from '#people';
import { Integrations, Site, VERSION_FIELDS, versionFields } from '#realm/model';
import { brandingAddress, brandingPart } from '#pictures/model';
import { PushService } from '#push';
import { list, map, named, nullable, object, text, truth, type Wire } from '#wire';

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

const ExternalLoginSchema = object({
  name: text,
  display_name: text,
  display_icon: nullable(text),
  login_url: text,
  signup_url: text,
});

const ServerSettingsSchema = named(
  'ServerSettings',
  object({
    ...VERSION_FIELDS,
    authentication_methods: map(truth),
    external_authentication_methods: list(ExternalLoginSchema),
    push_notifications_enabled: truth,
    is_incompatible: truth,
    email_auth_enabled: truth,
    require_email_format_usernames: truth,
    realm_url: text,
    realm_uri: text,
    realm_name: text,
    realm_icon: text,
    realm_description: text,
    realm_web_public_access_enabled: truth,
  }),
);

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
  @Answers(ServerSettingsSchema)
  @Summary(
    'Show what the server says of itself',
    "Before signing in: versions, the organization's name and icon, ways to sign in.",
  )
  show(): Wire<typeof ServerSettingsSchema> {
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
  @Answers()
  @Summary('Say that old clients are supported', 'Early mobile clients ask for it.')
  compatibility(): void {
    // Nothing beside the envelope.
  }
}

function hasWebPublicChannels(directory: Directory): boolean {
  if (!directory.settings.enable_spectator_access) return false;
  for (const { isWebPublic, isArchived } of directory.channels()) if (isWebPublic && !isArchived) return true;
  return false;
}
