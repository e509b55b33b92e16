import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
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
  /** Where the addresses of the server's own bots end. */
  readonly botDomain: string;
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
    const command = {
      type: 'create-organization',
      uuid: randomUUID(),
      name: settings.organizationName,
      ownerEmail: settings.ownerEmail,
      ownerName: settings.ownerName,
      ownerPasswordHash: await this.passwords.hash(password),
      ownerApiKeyHash: this.apiKeys.hashOf(this.apiKeys.keyOf(OWNER_ID, 1)),
      botDomain: settings.botDomain,
      at: this.clock.nowSeconds(),
    } as const;
    await this.writes.run((directory) => (directory.exists ? [] : decideCreateOrganization(command)));
    return { ownerEmail: settings.ownerEmail, generatedPassword };
  }

  /**
   * Writes the owner's credentials where command-line clients look for them, unless the file is there. The key follows from
   * the server's secret, so a file that is lost, or was never written by a start that died, is simply written again.
   */
  writeZuliprc(path: string, siteUrl: string): void {
    const owner = this.directory.user(OWNER_ID);
    if (owner?.apiKey === undefined || existsSync(path)) return;
    const key = this.apiKeys.keyOf(OWNER_ID, owner.apiKey.generation);
    if (!this.apiKeys.matches(key, owner.apiKey.hash)) return;
    writeFileSync(path, `[api]\nemail=${owner.email}\nkey=${key}\nsite=${siteUrl}\n`, { mode: 0o600 });
  }
}
