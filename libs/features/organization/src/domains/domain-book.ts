import type { Handlers } from '../directory/directory-part.js';
import type { DomainsEvent } from './domain.events.js';
import { type Domains, evolveDomains, NO_DOMAINS } from './domains.js';

/** The organization's domains, a part of the directory. */
export class DomainBook {
  #domains: Domains = NO_DOMAINS;

  readonly #take = (event: DomainsEvent): void => {
    this.#domains = evolveDomains(this.#domains, event);
  };

  readonly on: Handlers<DomainsEvent> = {
    'domain.added.v1': this.#take,
    'domain.changed.v1': this.#take,
    'domain.removed.v1': this.#take,
  };

  get domains(): Domains {
    return this.#domains;
  }

  /** @param domains absent in snapshots from before there were any */
  restore(domains: Domains | undefined): void {
    this.#domains = domains ?? NO_DOMAINS;
  }
}
