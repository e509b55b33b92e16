import { directoryValue } from '#directory';
import { linkifierEventTypes } from './linkifier.events.js';
import { evolveLinkifiers, NO_LINKIFIERS } from './linkifiers.js';

/** The organization's linkifiers. */
export const linkifiersPart = directoryValue({
  name: 'linkifiers',
  events: linkifierEventTypes,
  initial: NO_LINKIFIERS,
  earlier: {
    'linkifier.changed.v1': ({ inOrder }, { linkifierId }) => inOrder.find((one) => one.linkifierId === linkifierId),
    'linkifier.removed.v1': ({ inOrder }, { linkifierId }) => inOrder.find((one) => one.linkifierId === linkifierId),
    'linkifiers.reordered.v1': ({ inOrder }) => ({ linkifierIds: inOrder.map(({ linkifierId }) => linkifierId) }),
  },
  evolve: evolveLinkifiers,
});
