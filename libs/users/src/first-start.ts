import { randomBytes, randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock, Refusal } from '#kernel';
import { Directory, OrganizationWrites } from '#organization';
import { ApiKeys } from './api-keys.js';
import { decideCreateOrganization, OWNER_ID } from './first-start.decider.js';
import { Passwords } from './passwords.js';
import { checkFullName, isEmailAddress } from './users.decider.js';

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

/** A setting that the first start cannot use, with what to do about it. */
export class FirstStartRefused extends Error {}

/** Clients leave no more room for it. */
const ORGANIZATION_NAME_LENGTH_MAX = 40;

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

  /**
   * @returns undefined when the organization exists already
   * @throws FirstStartRefused for settings that no organization or account could have
   */
  async run(settings: FirstStartSettings): Promise<FirstStartResult | undefined> {
    if (this.directory.exists) return undefined;
    const generatedPassword = settings.ownerPassword === undefined ? randomBytes(18).toString('base64url') : undefined;
    const password = settings.ownerPassword ?? generatedPassword ?? '';
    const ownerName = this.#check({ ...settings, ownerPassword: password });
    const command = {
      type: 'create-organization',
      uuid: randomUUID(),
      name: settings.organizationName,
      ownerEmail: settings.ownerEmail,
      ownerName,
      ownerPasswordHash: await this.passwords.hash(password),
      ownerApiKeyHash: this.apiKeys.hashOf(this.apiKeys.keyOf(OWNER_ID, 1)),
      botDomain: settings.botDomain,
      at: this.clock.nowSeconds(),
    } as const;
    const { appended } = await this.writes.run((directory) =>
      directory.exists ? [] : decideCreateOrganization(command),
    );
    // Another process was faster.
    if (appended === undefined) return undefined;
    return { ownerEmail: settings.ownerEmail, generatedPassword };
  }

  /**
   * The owner's credentials as command-line clients read them; undefined when the key cannot be told, since it was made
   * with another secret. It follows from the server's secret, so a file that is lost can always be written again.
   */
  zuliprc(siteUrl: string): string | undefined {
    const owner = this.directory.user(OWNER_ID);
    if (owner?.apiKey === undefined) return undefined;
    const key = this.apiKeys.keyOf(OWNER_ID, owner.apiKey.generation);
    if (!this.apiKeys.matches(key, owner.apiKey.hash)) return undefined;
    return `[api]\nemail=${owner.email}\nkey=${key}\nsite=${siteUrl}\n`;
  }

  /** @returns the owner's name as it is kept */
  #check(settings: FirstStartSettings & { readonly ownerPassword: string }): string {
    const { organizationName, ownerEmail } = settings;
    if (organizationName.trim() === '' || Array.from(organizationName).length > ORGANIZATION_NAME_LENGTH_MAX)
      throw new FirstStartRefused(`REALM_NAME must have 1 to ${ORGANIZATION_NAME_LENGTH_MAX} characters.`);
    if (!isEmailAddress(ownerEmail)) throw new FirstStartRefused('OWNER_EMAIL is not an e-mail address.');
    refusedFor('OWNER_PASSWORD', () => this.passwords.assertAcceptable(settings.ownerPassword));
    return refusedFor('OWNER_NAME', () => checkFullName(settings.ownerName));
  }
}

function refusedFor<Result>(setting: string, check: () => Result): Result {
  try {
    return check();
  } catch (error) {
    if (error instanceof Refusal) throw new FirstStartRefused(`${setting}: ${error.message}`);
    throw error;
  }
}
