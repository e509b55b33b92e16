import { randomBytes, randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { CommandRunner } from '#event-store';
import { BY_OPERATOR, Clock, Refusal } from '#kernel';
import { Directory } from '#people';
import { hiddenCharacterIn, normalizedName } from '../model/names/name-text.js';
import { ApiKeys } from '../credentials/api-keys.js';
import { ownerZuliprc } from '../credentials/owner-credentials.js';
import { decideCreateOrganization, OWNER_ID } from './first-start.decider.js';
import { Passwords } from '../credentials/passwords.js';
import { isEmailAddress } from '../email-address.js';
import { checkFullName } from '../users.decider.js';

export interface FirstStartSettings {
  readonly organizationName: string;
  readonly ownerEmail: string;
  readonly ownerName: string;
  /** When undefined, a strong random password is generated. */
  readonly ownerPassword: string | undefined;
  /** Domain of the addresses of the server's own bots. */
  readonly botDomain: string;
}

export interface FirstStartResult {
  readonly ownerEmail: string;
  /** Set when the password was generated, so that it can be shown once. */
  readonly generatedPassword: string | undefined;
}

/** A setting that the first start cannot use; the message says what to do. */
export class FirstStartRefused extends Error {}

/** Clients have no room for a longer name. */
const ORGANIZATION_NAME_LENGTH_MAX = 40;

/** Creates the organization on an empty store. */
@Injectable()
export class FirstStart {
  constructor(
    private readonly directory: Directory,
    private readonly runner: CommandRunner,
    private readonly passwords: Passwords,
    private readonly apiKeys: ApiKeys,
    private readonly clock: Clock,
  ) {}

  /**
   * Resolves when the whole organization is visible.
   * @returns undefined when the organization exists already
   * @throws FirstStartRefused for settings that are invalid for an organization or account
   */
  async run(settings: FirstStartSettings): Promise<FirstStartResult | undefined> {
    if (this.directory.exists) return this.#createdElsewhere();
    const generatedPassword = settings.ownerPassword === undefined ? randomBytes(18).toString('base64url') : undefined;
    const password = settings.ownerPassword ?? generatedPassword ?? '';
    const ownerName = this.#check({ ...settings, ownerPassword: password });
    const command = {
      type: 'create-organization',
      uuid: randomUUID(),
      name: normalizedName(settings.organizationName),
      ownerEmail: settings.ownerEmail,
      ownerName,
      ownerPasswordHash: await this.passwords.hash(password),
      ownerApiKeyHash: this.apiKeys.hashOf(this.apiKeys.keyOf(OWNER_ID, 1)),
      botDomain: settings.botDomain,
      at: this.clock.nowSeconds(),
    } as const;
    const decide = ({ exists }: Directory) => ({ events: exists ? [] : decideCreateOrganization(command) });
    const { appended } = await this.runner.runOn(this.directory, decide, BY_OPERATOR);
    if (appended === undefined) return this.#createdElsewhere();
    return { ownerEmail: settings.ownerEmail, generatedPassword };
  }

  /** Credentials of the oldest active owner whose key is derived from this server's secret. */
  zuliprc(siteUrl: string): string | undefined {
    return ownerZuliprc(this.directory, this.apiKeys, siteUrl);
  }

  /** The events of one append may become visible one by one, and the owner is the last. */
  async #createdElsewhere(): Promise<undefined> {
    await this.runner.catchUp(this.directory.stream);
    return undefined;
  }

  /** @returns the owner's normalized name */
  #check(settings: FirstStartSettings & { readonly ownerPassword: string }): string {
    const { ownerEmail } = settings;
    const organizationName = normalizedName(settings.organizationName);
    if (hiddenCharacterIn(organizationName) !== -1)
      throw new FirstStartRefused('REALM_NAME has a character that cannot be seen.');
    if (organizationName === '' || Array.from(organizationName).length > ORGANIZATION_NAME_LENGTH_MAX)
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
