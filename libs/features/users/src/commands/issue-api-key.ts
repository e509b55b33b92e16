import { Injectable } from '@nestjs/common';
import { Command } from '@nestjs/cqrs';
import { CommandRunner } from '#event-store';
import { command } from '#feature';
import { Clock, type Origin, originFrom } from '#kernel';
import { Directory } from '#people';
import type { User } from '../model/user.js';
import { ApiKeys } from '../credentials/api-keys.js';
import { decideIssueApiKey } from '../users.decider.js';

/** Issues API keys: the previous key of the account stops working. */
@Injectable()
export class ApiKeyIssuer {
  constructor(
    private readonly directory: Directory,
    private readonly runner: CommandRunner,
    private readonly apiKeys: ApiKeys,
    private readonly clock: Clock,
  ) {}

  /** The current key; after a change of the server's secret it cannot be derived again, so a new one is issued. */
  async currentKey({ userId, apiKey }: User, origin: Origin): Promise<string> {
    if (apiKey !== undefined) {
      const key = this.apiKeys.keyOf(userId, apiKey.generation);
      if (this.apiKeys.matches(key, apiKey.hash)) return key;
    }
    return this.issue(userId, origin);
  }

  /** Generation of the current key. */
  generationOf({ userId }: User): number {
    return this.directory.user(userId)?.apiKey?.generation ?? 1;
  }

  /** @returns the new key */
  async issue(userId: number, origin: Origin): Promise<string> {
    const apiKeyHash = (id: number, generation: number): string =>
      this.apiKeys.hashOf(this.apiKeys.keyOf(id, generation));
    const at = this.clock.nowSeconds();
    const decide = (directory: Directory) => ({
      events: decideIssueApiKey(directory, { type: 'issue-api-key', userId, apiKeyHash, at }),
    });
    const { events } = await this.runner.runOn(this.directory, decide, origin);
    const [issued] = events;
    if (issued === undefined) throw new Error('No API key was issued.');
    return this.apiKeys.keyOf(userId, issued.data.generation);
  }
}

/** Gives the caller, a bot as well, another API key (endpoints.md §1). */
export class RegenerateApiKeyCommand extends Command<string> {
  constructor(readonly actor: User) {
    super();
  }
}

export const regenerateApiKey = command(RegenerateApiKeyCommand, { issuer: ApiKeyIssuer }, ({ actor }, { issuer }) =>
  issuer.issue(actor.userId, originFrom(actor)),
);
