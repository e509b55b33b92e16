import { Controller, Headers, Ip, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import {
  Answers,
  ApiTags,
  Caller,
  FromRequest,
  type LoginAttempt,
  LoginAttempts,
  Params,
  Public,
  Summary,
} from '#http';
import { badRequest, type Origin, originFrom, Refusal } from '#kernel';
import { Site } from '#realm/model';
import { integer, object, text } from '#wire';
import type { User } from '../model/user.js';
import { type FetchedApiKey, FetchApiKeyCommand } from '../commands/fetch-api-key.js';
import { RegenerateApiKeyCommand } from '../commands/issue-api-key.js';
import { FetchApiKeyParams, PasswordParams } from './users.params.js';

/** Logging in, and API keys (endpoints.md §1). */
@ApiTags('authentication')
@Controller()
export class AuthenticationController {
  constructor(
    private readonly commands: CommandBus,
    private readonly attempts: LoginAttempts,
    private readonly site: Site,
  ) {}

  @Public()
  @Post('api/v1/fetch_api_key')
  @Answers(object({ api_key: text, email: text, user_id: integer }))
  @Summary('Get the API key by the password', "Of one's own account.")
  async fetchApiKey(
    @Headers('host') host: string | undefined,
    @Ip() address: string,
    @FromRequest() origin: Origin,
    @Params(FetchApiKeyParams) { username, password }: FetchApiKeyParams,
  ): Promise<{ api_key: string; email: string; user_id: number }> {
    this.site.assertServes(host);
    const { apiKey, email, userId } = await this.#fetch({ loginName: username, address }, password, origin);
    return { api_key: apiKey, email, user_id: userId };
  }

  /** For people who are logged in already, and give their password again. */
  @Post('json/fetch_api_key')
  @Answers(object({ api_key: text, email: text }))
  @Summary('Get the API key in a browser', 'For people who are signed in, and give their password again.')
  async fetchOwnApiKey(
    @Caller() caller: User,
    @Ip() address: string,
    @Params(PasswordParams) { password }: PasswordParams,
  ): Promise<{ api_key: string; email: string }> {
    try {
      const { apiKey, email } = await this.#fetch({ loginName: caller.email, address }, password, originFrom(caller));
      return { api_key: apiKey, email };
    } catch (error) {
      // Clients log out on 401, and the caller is logged in.
      if (!(error instanceof Refusal)) throw error;
      if (error.code === 'AUTHENTICATION_FAILED') throw badRequest('Password is incorrect.');
      throw error.code === 'PASSWORD_AUTH_DISABLED' ? badRequest(error.message) : error;
    }
  }

  @Post('api/v1/users/me/api_key/regenerate')
  @Answers(object({ api_key: text }))
  @Summary('Make a new API key', 'The former key stops to work at once, and sessions end.')
  async regenerate(@Caller() actor: User): Promise<{ api_key: string }> {
    return { api_key: await this.commands.execute(new RegenerateApiKeyCommand(actor)) };
  }

  /** For pages in a browser. Its session ends with the key. */
  @Post('json/users/me/api_key/regenerate')
  @Answers(object({ api_key: text }))
  @Summary('Make a new API key in a browser', 'The session ends with the former key.')
  regenerateInBrowser(@Caller() actor: User): Promise<{ api_key: string }> {
    return this.regenerate(actor);
  }

  #fetch(attempt: LoginAttempt, password: string, origin: Origin): Promise<FetchedApiKey> {
    const command = new FetchApiKeyCommand(attempt.loginName, password, origin, 'key');
    return this.attempts.run(attempt, () => this.commands.execute(command));
  }
}
