import { directoryValue } from '#directory';
import { linkifierEventTypes } from './linkifier.events.js';
import { evolveLinkifiers, NO_LINKIFIERS } from './linkifiers.js';

/** The organization's linkifiers. */
export const linkifiersPart = directoryValue({
  name: 'linkifiers',
  events: linkifierEventTypes,
  initial: NO_LINKIFIERS,
  evolve: evolveLinkifiers,
});
