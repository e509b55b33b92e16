import { directoryValue } from '#directory';
import { playgroundEventTypes } from './playground.events.js';
import { evolvePlaygrounds, NO_PLAYGROUNDS } from './playgrounds.js';

/** The organization's code playgrounds. */
export const playgroundsPart = directoryValue({
  name: 'playgrounds',
  events: playgroundEventTypes,
  initial: NO_PLAYGROUNDS,
  earlier: {
    'playground.removed.v1': ({ inOrder }, { playgroundId }) =>
      inOrder.find((one) => one.playgroundId === playgroundId),
  },
  evolve: evolvePlaygrounds,
});
