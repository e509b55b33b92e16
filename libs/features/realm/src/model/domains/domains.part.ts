import { directoryValue } from '#directory';
import { domainEventTypes } from './domain.events.js';
import { evolveDomains, NO_DOMAINS } from './domains.js';

/** The organization's domains. */
export const domainsPart = directoryValue({
  name: 'domains',
  events: domainEventTypes,
  initial: NO_DOMAINS,
  evolve: evolveDomains,
});
