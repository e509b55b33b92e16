import type { Handlers } from '../directory/directory-part.js';
import type { DefaultGroupEvent } from './default-group.events.js';
import { evolveDefaultGroups, NO_DEFAULT_GROUPS, type DefaultGroups } from './default-groups.js';

/** The organization's default channel groups; a part of the directory. */
export class DefaultGroupBook {
  #groups: DefaultGroups = NO_DEFAULT_GROUPS;

  readonly #take = (event: DefaultGroupEvent): void => {
    this.#groups = evolveDefaultGroups(this.#groups, event);
  };

  readonly on: Handlers<DefaultGroupEvent> = {
    'default-channel-group.created.v1': this.#take,
    'default-channel-group.changed.v1': this.#take,
    'default-channel-group.removed.v1': this.#take,
  };

  get groups(): DefaultGroups {
    return this.#groups;
  }

  /** @param groups absent in snapshots from before they existed */
  restore(groups: DefaultGroups | undefined): void {
    this.#groups = groups ?? NO_DEFAULT_GROUPS;
  }
}
