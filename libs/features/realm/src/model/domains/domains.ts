import { unreachable } from '#kernel';
import type { DomainsEvent } from './domain.events.js';

/** A domain of e-mail addresses that belongs to the organization. */
export interface OrganizationDomain {
  readonly domainId: number;
  /** In lower case. */
  readonly domain: string;
  readonly allowSubdomains: boolean;
}

/** The organization's domains. The state is replaced, never changed, so a reader may keep it. */
export interface Domains {
  readonly inOrder: readonly OrganizationDomain[];
  /** The highest ID given so far, so that none is given twice; 0 before the first. */
  readonly lastId: number;
}

export const NO_DOMAINS: Domains = { inOrder: [], lastId: 0 };

export function evolveDomains({ inOrder, lastId }: Domains, event: DomainsEvent): Domains {
  switch (event.type) {
    case 'domain.added.v1': {
      const { domainId, domain, allowSubdomains } = event.data;
      return { inOrder: [...inOrder, { domainId, domain, allowSubdomains }], lastId: domainId };
    }
    case 'domain.changed.v1': {
      const { domain, allowSubdomains } = event.data;
      return { inOrder: inOrder.map((one) => (one.domain === domain ? { ...one, allowSubdomains } : one)), lastId };
    }
    case 'domain.removed.v1':
      return { inOrder: inOrder.filter(({ domain }) => domain !== event.data.domain), lastId };
    default:
      return unreachable(event);
  }
}

/** Whether the domain of an e-mail address is one of these, or below one that allows that. */
export function isWithinDomains({ inOrder }: Domains, addressDomain: string): boolean {
  const asked = addressDomain.toLowerCase();
  return inOrder.some(({ domain, allowSubdomains }) => {
    return asked === domain || (allowSubdomains && asked.endsWith(`.${domain}`));
  });
}
