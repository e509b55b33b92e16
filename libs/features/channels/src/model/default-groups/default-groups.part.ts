import { directoryValue } from '#directory';
import { defaultGroupEventTypes } from './default-group.events.js';
import { evolveDefaultGroups, NO_DEFAULT_GROUPS } from './default-groups.js';

/** The organization's default channel groups. */
export const defaultGroupsPart = directoryValue({
  name: 'defaultGroups',
  events: defaultGroupEventTypes,
  initial: NO_DEFAULT_GROUPS,
  evolve: evolveDefaultGroups,
});
