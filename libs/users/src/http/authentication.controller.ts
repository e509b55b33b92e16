import { Controller, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { Caller, LoginAttempts, Params, Public } from '#http';
import { badRequest, Refusal } from '#kernel';
import type { User } from '#organization';
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
  ) {}

  @Public()
  @Post('api/v1/fetch_api_key')
  async fetchApiKey(
    @Params(FetchApiKeyParams) { username, password }: FetchApiKeyParams,
  ): Promise<{ api_key: string; email: string; user_id: number }> {
    const { apiKey, email, userId } = await this.#fetch(username, password);
    return { api_key: apiKey, email, user_id: userId };
  }

  /** For people who are logged in already, and give their password again. */
  @Post('json/fetch_api_key')
  async fetchOwnApiKey(
    @Caller() caller: User,
    @Params(PasswordParams) { password }: PasswordParams,
  ): Promise<{ api_key: string; email: string }> {
    try {
      const { apiKey, email } = await this.#fetch(caller.email, password);
      return { api_key: apiKey, email };
    } catch (error) {
      // Clients log out on 401, and the caller is logged in.
      if (error instanceof Refusal && error.code === 'AUTHENTICATION_FAILED')
        throw badRequest('Password is incorrect.');
      throw error;
    }
  }

  @Post('api/v1/users/me/api_key/regenerate')
  async regenerate(@Caller() actor: User): Promise<{ api_key: string }> {
    return { api_key: await this.commands.execute(new RegenerateApiKeyCommand(actor)) };
  }

  async #fetch(username: string, password: string): Promise<FetchedApiKey> {
    this.attempts.begin(username);
    const fetched = await this.commands.execute(new FetchApiKeyCommand(username, password));
    this.attempts.succeed(username);
    return fetched;
  }
}
