import type { Handlers } from '../directory/directory-part.js';
import type { PlaygroundEvent } from './playground.events.js';
import { evolvePlaygrounds, NO_PLAYGROUNDS, type Playgrounds } from './playgrounds.js';

/** The organization's code playgrounds, a part of the directory. */
export class PlaygroundBook {
  #playgrounds: Playgrounds = NO_PLAYGROUNDS;

  readonly #take = (event: PlaygroundEvent): void => {
    this.#playgrounds = evolvePlaygrounds(this.#playgrounds, event);
  };

  readonly on: Handlers<PlaygroundEvent> = {
    'playground.added.v1': this.#take,
    'playground.removed.v1': this.#take,
  };

  get playgrounds(): Playgrounds {
    return this.#playgrounds;
  }

  /** @param playgrounds absent in snapshots from before there were any */
  restore(playgrounds: Playgrounds | undefined): void {
    this.#playgrounds = playgrounds ?? NO_PLAYGROUNDS;
  }
}
