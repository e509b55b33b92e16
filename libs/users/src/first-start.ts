import { randomBytes, randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { Injectable } from '@nestjs/common';
import { Clock } from '#kernel';
import { Directory, OrganizationWrites } from '#organization';
import { ApiKeys } from './api-keys.js';
import { decideCreateOrganization, OWNER_ID } from './first-start.decider.js';
import { Passwords } from './passwords.js';

export interface FirstStartSettings {
  readonly organizationName: string;
  readonly ownerEmail: string;
  readonly ownerName: string;
  /** A strong random one is made when this is undefined. */
  readonly ownerPassword: string | undefined;
  /** Where the server is reached: scheme, host and port. */
  readonly siteUrl: string;
  /** Where to write the owner's credentials for command-line clients, mode 600. */
  readonly zuliprcPath: string;
}

export interface FirstStartResult {
  readonly ownerEmail: string;
  /** Set when it was made up, so that a person can be told once. */
  readonly generatedPassword: string | undefined;
}

/** Creates the organization on an empty store. */
@Injectable()
export class FirstStart {
  constructor(
    private readonly directory: Directory,
    private readonly writes: OrganizationWrites,
    private readonly passwords: Passwords,
    private readonly apiKeys: ApiKeys,
    private readonly clock: Clock,
  ) {}

  /** @returns undefined when the organization exists already */
  async run(settings: FirstStartSettings): Promise<FirstStartResult | undefined> {
    if (this.directory.exists) return undefined;
    const generatedPassword = settings.ownerPassword === undefined ? randomBytes(18).toString('base64url') : undefined;
    const password = settings.ownerPassword ?? generatedPassword ?? '';
    this.passwords.assertAcceptable(password);
    const ownerPasswordHash = await this.passwords.hash(password);
    const key = this.apiKeys.keyOf(OWNER_ID, 1);
    // Before the append: a start that dies in between is repeated whole, with the same key.
    const zuliprc = `[api]\nemail=${settings.ownerEmail}\nkey=${key}\nsite=${settings.siteUrl}\n`;
    writeFileSync(settings.zuliprcPath, zuliprc, { mode: 0o600 });
    await this.writes.run((directory) =>
      directory.exists
        ? []
        : decideCreateOrganization({
            type: 'create-organization',
            uuid: randomUUID(),
            name: settings.organizationName,
            ownerEmail: settings.ownerEmail,
            ownerName: settings.ownerName,
            ownerPasswordHash,
            ownerApiKeyHash: this.apiKeys.hashOf(key),
            botDomain: new URL(settings.siteUrl).hostname,
            at: this.clock.nowSeconds(),
          }),
    );
    return { ownerEmail: settings.ownerEmail, generatedPassword };
  }
}
