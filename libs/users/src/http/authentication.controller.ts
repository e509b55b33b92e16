import { Controller, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { LoginAttempts, Params, Public } from '#http';
import { FetchApiKeyCommand } from '../commands/fetch-api-key.js';
import { FetchApiKeyParams } from './users.params.js';

/** Logging in (endpoints.md §1). */
@ApiTags('authentication')
@Controller('api/v1/fetch_api_key')
export class AuthenticationController {
  constructor(
    private readonly commands: CommandBus,
    private readonly attempts: LoginAttempts,
  ) {}

  @Public()
  @Post()
  async fetchApiKey(
    @Params(FetchApiKeyParams) { username, password }: FetchApiKeyParams,
  ): Promise<{ api_key: string; email: string; user_id: number }> {
    this.attempts.begin(username);
    const { apiKey, email, userId } = await this.commands.execute(new FetchApiKeyCommand(username, password));
    this.attempts.succeed(username);
    return { api_key: apiKey, email, user_id: userId };
  }
}
