import { Controller, HttpCode, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { Params, Public, RateLimiter } from '#http';
import { Refusal } from '#kernel';
import { FetchApiKeyCommand } from '../commands/fetch-api-key.js';
import { FetchApiKeyParams } from './users.params.js';

/** Logging in (endpoints.md §1). */
@ApiTags('authentication')
@Controller('api/v1/fetch_api_key')
export class AuthenticationController {
  constructor(
    private readonly commands: CommandBus,
    private readonly limiter: RateLimiter,
  ) {}

  @Public()
  @Post()
  @HttpCode(200)
  async fetchApiKey(
    @Params(FetchApiKeyParams) { username, password }: FetchApiKeyParams,
  ): Promise<{ api_key: string; email: string; user_id: number }> {
    this.limiter.assertMayLogin(username);
    try {
      const { apiKey, email, userId } = await this.commands.execute(new FetchApiKeyCommand(username, password));
      this.limiter.loginSucceeded(username);
      return { api_key: apiKey, email, user_id: userId };
    } catch (error) {
      if (error instanceof Refusal && error.code === 'AUTHENTICATION_FAILED') this.limiter.loginFailed(username);
      throw error;
    }
  }
}
