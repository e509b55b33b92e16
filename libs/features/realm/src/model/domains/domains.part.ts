import { directoryValue } from '#directory';
import { domainEventTypes } from './domain.events.js';
import { evolveDomains, NO_DOMAINS } from './domains.js';

/** The organization's domains. */
export const domainsPart = directoryValue({
  name: 'domains',
  events: domainEventTypes,
  initial: NO_DOMAINS,
  earlier: {
    'domain.changed.v1': ({ inOrder }, { domain }) => inOrder.find((one) => one.domain === domain),
    'domain.removed.v1': ({ inOrder }, { domain }) => inOrder.find((one) => one.domain === domain),
  },
  evolve: evolveDomains,
});
