import type { Handlers } from '../directory/directory-part.js';
import type { LinkifierEvent } from './linkifier.events.js';
import { evolveLinkifiers, type Linkifiers, NO_LINKIFIERS } from './linkifiers.js';

/** The organization's linkifiers; a part of the directory. */
export class LinkifierBook {
  #linkifiers: Linkifiers = NO_LINKIFIERS;

  readonly #take = (event: LinkifierEvent): void => {
    this.#linkifiers = evolveLinkifiers(this.#linkifiers, event);
  };

  readonly on: Handlers<LinkifierEvent> = {
    'linkifier.added.v1': this.#take,
    'linkifier.changed.v1': this.#take,
    'linkifier.removed.v1': this.#take,
    'linkifiers.reordered.v1': this.#take,
  };

  get linkifiers(): Linkifiers {
    return this.#linkifiers;
  }

  snapshot(): Linkifiers {
    return this.#linkifiers;
  }

  /** @param linkifiers absent in snapshots from before they existed */
  restore(linkifiers: Linkifiers | undefined): void {
    this.#linkifiers = linkifiers ?? NO_LINKIFIERS;
  }
}
