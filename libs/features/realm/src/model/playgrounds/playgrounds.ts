import { unreachable } from '#kernel';
import type { PlaygroundEvent } from './playground.events.js';

/** A website that runs the code of code blocks in one language. */
export interface Playground {
  readonly playgroundId: number;
  readonly name: string;
  readonly pygmentsLanguage: string;
  /** A URL template (RFC 6570) over `code`. */
  readonly urlTemplate: string;
}

/** The organization's code playgrounds. The state is replaced, never changed, so a reader may keep it. */
export interface Playgrounds {
  readonly inOrder: readonly Playground[];
  /** The highest ID given so far, so that none is given twice; 0 before the first. */
  readonly lastId: number;
}

export const NO_PLAYGROUNDS: Playgrounds = { inOrder: [], lastId: 0 };

export function evolvePlaygrounds({ inOrder, lastId }: Playgrounds, event: PlaygroundEvent): Playgrounds {
  switch (event.type) {
    case 'playground.added.v1': {
      const { playgroundId, name, pygmentsLanguage, urlTemplate } = event.data;
      return { inOrder: [...inOrder, { playgroundId, name, pygmentsLanguage, urlTemplate }], lastId: playgroundId };
    }
    case 'playground.removed.v1':
      return { inOrder: inOrder.filter(({ playgroundId }) => playgroundId !== event.data.playgroundId), lastId };
    default:
      return unreachable(event);
  }
}
