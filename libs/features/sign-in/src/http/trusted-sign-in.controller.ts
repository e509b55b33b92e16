import { Controller, Get, Headers, Post } from '@nestjs/common';
import { ApiTags, FromRequest, Params, Public } from '#http';
import { badRequest, Clock, type JsonObject, type Origin } from '#kernel';
import { Directory, Integrations, ROLE, Site, type User } from '#organization';
import { wireUser } from '#users';
import { emailInToken } from '../jwt/verify-token.js';
import { SignInSettings } from '../sign-in-settings.js';
import { SignedInKeys } from '../signed-in-keys.js';
import { DevFetchApiKeyParams, JwtFetchApiKeyParams } from './sign-in.params.js';

/** People offered on a login page without passwords, of each kind. */
const DEV_USERS_MAX = 100;

/** Ways to an API key without a password (endpoints.md §1): tokens that another system signs, and development. */
@ApiTags('authentication')
@Public()
@Controller('api/v1')
export class TrustedSignInController {
  constructor(
    private readonly settings: SignInSettings,
    private readonly integrations: Integrations,
    private readonly directory: Directory,
    private readonly site: Site,
    private readonly keys: SignedInKeys,
    private readonly clock: Clock,
  ) {}

  @Post('jwt/fetch_api_key')
  async byToken(
    @Headers('host') host: string | undefined,
    @FromRequest() origin: Origin,
    @Params(JwtFetchApiKeyParams) { token, include_profile }: JwtFetchApiKeyParams,
  ): Promise<JsonObject> {
    this.site.assertServes(host);
    const { jwtKey } = this.settings;
    if (jwtKey === undefined) throw badRequest('JWT authentication is not enabled for this organization');
    if (token === '') throw badRequest('No JSON web token passed in request');
    const email = await emailInToken(token, jwtKey, this.site.url, this.clock);
    const { user, apiKey } = await this.keys.of(email, origin);
    const profile = include_profile
      ? { user: { ...wireUser(user, { clientGravatar: false, showsEmail: true }) } }
      : undefined;
    return { api_key: apiKey, email: user.email, ...profile };
  }

  @Post('dev_fetch_api_key')
  async byName(
    @Headers('host') host: string | undefined,
    @FromRequest() origin: Origin,
    @Params(DevFetchApiKeyParams) { username }: DevFetchApiKeyParams,
  ): Promise<JsonObject> {
    this.#assertDevLogin(host);
    const { user, apiKey } = await this.keys.of(username, origin);
    return { api_key: apiKey, email: user.email, user_id: user.userId };
  }

  /** Everyone who can sign in by their name alone. */
  @Get('dev_list_users')
  list(@Headers('host') host: string | undefined): JsonObject {
    this.#assertDevLogin(host);
    const [admins, others]: [JsonObject[], JsonObject[]] = [[], []];
    for (const user of this.directory.users()) {
      if (!user.isActive || user.botType !== null) continue;
      const list = user.role <= ROLE.administrator ? admins : others;
      if (list.length < DEV_USERS_MAX) list.push(this.#offered(user));
    }
    return { direct_admins: admins, direct_users: others };
  }

  #offered({ email }: User): JsonObject {
    return { email, realm_url: this.site.url, realm_uri: this.site.url };
  }

  #assertDevLogin(host: string | undefined): void {
    this.site.assertServes(host);
    if (!this.integrations.allows(this.directory, 'Dev')) throw badRequest('DevAuthBackend not enabled.');
  }
}
