import { Controller, Get, Headers, Post } from '@nestjs/common';
import { Answers, ApiTags, FromRequest, Params, Public, Summary } from '#http';
import { badRequest, Clock, type Origin } from '#kernel';
import { Directory } from '#people';
import { Integrations, Site } from '#realm/model';
import { ROLE, type User } from '#users/model';
import { UserSchema, wireUser } from '#users';
import { integer, list, object, optional, text, type Wire } from '#wire';
import { emailInToken } from '../jwt/verify-token.js';
import { SignInSettings } from '../sign-in-settings.js';
import { SignedInKeys } from '../signed-in-keys.js';
import { DevFetchApiKeyParams, JwtFetchApiKeyParams } from './sign-in.params.js';

/** People offered on a login page without passwords, of each kind. */
const DEV_USERS_MAX = 100;

const TokenAnswerSchema = object({ api_key: text, email: text, user: optional(UserSchema) });

const OfferedUserSchema = object({ email: text, realm_url: text, realm_uri: text });
const DevUsersSchema = object({ direct_admins: list(OfferedUserSchema), direct_users: list(OfferedUserSchema) });
type OfferedUser = Wire<typeof OfferedUserSchema>;

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
  @Answers(TokenAnswerSchema)
  @Summary('Get the API key by a JSON web token', 'The token is signed by a system that the operator trusts.')
  async byToken(
    @Headers('host') host: string | undefined,
    @FromRequest() origin: Origin,
    @Params(JwtFetchApiKeyParams) { token, include_profile }: JwtFetchApiKeyParams,
  ): Promise<Wire<typeof TokenAnswerSchema>> {
    this.site.assertServes(host);
    const { jwtKey } = this.settings;
    if (jwtKey === undefined) throw badRequest('JWT authentication is not enabled for this organization');
    if (token === '') throw badRequest('No JSON web token passed in request');
    const email = await emailInToken(token, jwtKey, this.site.url, this.clock);
    const { user, apiKey } = await this.keys.of(email, origin, 'jwt');
    const profile = include_profile
      ? { user: { ...wireUser(user, { clientGravatar: false, showsEmail: true }) } }
      : undefined;
    return { api_key: apiKey, email: user.email, ...profile };
  }

  @Post('dev_fetch_api_key')
  @Answers(object({ api_key: text, email: text, user_id: integer }))
  @Summary('Get the API key without a password', 'For development servers alone.')
  async byName(
    @Headers('host') host: string | undefined,
    @FromRequest() origin: Origin,
    @Params(DevFetchApiKeyParams) { username }: DevFetchApiKeyParams,
  ): Promise<{ api_key: string; email: string; user_id: number }> {
    this.#assertDevLogin(host);
    const { user, apiKey } = await this.keys.of(username, origin, 'dev');
    return { api_key: apiKey, email: user.email, user_id: user.userId };
  }

  /** Everyone who can sign in by their name alone. */
  @Get('dev_list_users')
  @Answers(DevUsersSchema)
  @Summary('List who can sign in without a password', 'For development servers alone.')
  list(@Headers('host') host: string | undefined): Wire<typeof DevUsersSchema> {
    this.#assertDevLogin(host);
    const [admins, others]: [OfferedUser[], OfferedUser[]] = [[], []];
    for (const user of this.directory.users()) {
      if (!user.isActive || user.botType !== null) continue;
      const list = user.role <= ROLE.administrator ? admins : others;
      if (list.length < DEV_USERS_MAX) list.push(this.#offered(user));
    }
    return { direct_admins: admins, direct_users: others };
  }

  #offered({ email }: User): OfferedUser {
    return { email, realm_url: this.site.url, realm_uri: this.site.url };
  }

  #assertDevLogin(host: string | undefined): void {
    this.site.assertServes(host);
    if (!this.integrations.allows(this.directory, 'Dev')) throw badRequest('DevAuthBackend not enabled.');
  }
}
