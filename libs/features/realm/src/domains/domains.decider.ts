import { badRequest, excerpt, unreachable } from '#kernel';
import { assertOwner } from '#users/model';
import type { RealmEvent } from '../model/realm.events.js';
import type { RealmSettings } from '../model/settings/changeable-settings.js';
import type { DomainCommand } from './domains.commands.js';
import type { DomainsEvent } from '../model/domains/domain.events.js';
import type { Domains } from '../model/domains/domains.js';

/** All of them go to every client that registers. */
export const DOMAINS_MAX = 200;
const DOMAIN_LENGTH_MAX = 80;

/**
 * The organization's domains (endpoints.md §12, /realm/domains), in the `organization` stream. Without a domain nobody could
 * have an address in one, so removing the last ends that restriction.
 * @throws Refusal UNAUTHORIZED_PRINCIPAL, BAD_REQUEST
 */
export function decideDomain(
  { domains, settings: current }: { readonly domains: Domains; readonly settings: RealmSettings },
  command: DomainCommand,
): readonly (DomainsEvent | RealmEvent)[] {
  const { actor, at } = command;
  assertOwner(actor);
  const { inOrder, lastId } = domains;
  const done = { by: actor.userId, at };
  const domain = command.domain.trim().toLowerCase();
  const known = inOrder.find((one) => one.domain === domain);
  switch (command.type) {
    case 'add-domain': {
      assertDomain(domain);
      if (known !== undefined) throw badRequest(`The domain ${domain} is already a part of your organization.`);
      if (inOrder.length >= DOMAINS_MAX) throw badRequest(`There are too many domains (limit: ${DOMAINS_MAX})`);
      const { allowSubdomains } = command;
      return [{ type: 'domain.added.v1', data: { domainId: lastId + 1, domain, allowSubdomains, ...done } }];
    }
    case 'change-domain': {
      if (known === undefined) throw unknownDomain(domain);
      const { allowSubdomains } = command;
      if (known.allowSubdomains === allowSubdomains) return [];
      return [{ type: 'domain.changed.v1', data: { domain, allowSubdomains, ...done } }];
    }
    case 'remove-domain': {
      if (known === undefined) throw unknownDomain(domain);
      const removed: DomainsEvent = { type: 'domain.removed.v1', data: { domain, ...done } };
      if (inOrder.length > 1 || !current.emails_restricted_to_domains) return [removed];
      const settings = { emails_restricted_to_domains: false };
      return [removed, { type: 'organization.settings-changed.v1', data: { settings, ...done } }];
    }
    default:
      return unreachable(command);
  }
}

function assertDomain(domain: string): void {
  if (domain === '') throw badRequest("Invalid domain: Domain can't be empty.");
  if (!domain.includes('.')) throw badRequest('Invalid domain: Domain must have at least one dot (.)');
  if (domain.length > DOMAIN_LENGTH_MAX)
    throw badRequest(`domain is too long (limit: ${DOMAIN_LENGTH_MAX} characters)`);
  if (domain.startsWith('.') || domain.endsWith('.'))
    throw badRequest('Invalid domain: Domain cannot start or end with a dot (.)');
  for (const label of domain.split('.')) {
    if (label === '') throw badRequest("Invalid domain: Consecutive '.' are not allowed.");
    if (label.startsWith('-') || label.endsWith('-'))
      throw badRequest("Invalid domain: Subdomains cannot start or end with a '-'.");
    if (!/^[a-z0-9-]+$/.test(label))
      throw badRequest("Invalid domain: Domain can only have letters, numbers, '.' and '-'s.");
  }
}

function unknownDomain(domain: string): Error {
  return badRequest(`No entry found for domain ${excerpt(domain, DOMAIN_LENGTH_MAX)}.`);
}
