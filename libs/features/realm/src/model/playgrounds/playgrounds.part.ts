import { directoryValue } from '#directory';
import { playgroundEventTypes } from './playground.events.js';
import { evolvePlaygrounds, NO_PLAYGROUNDS } from './playgrounds.js';

/** The organization's code playgrounds. */
export const playgroundsPart = directoryValue({
  name: 'playgrounds',
  events: playgroundEventTypes,
  initial: NO_PLAYGROUNDS,
  evolve: evolvePlaygrounds,
});
