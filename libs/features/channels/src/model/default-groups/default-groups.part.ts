import { directoryValue } from '#directory';
import { earlierFields } from '#kernel';
import { defaultGroupEventTypes } from './default-group.events.js';
import { evolveDefaultGroups, NO_DEFAULT_GROUPS } from './default-groups.js';

/** The organization's default channel groups. */
export const defaultGroupsPart = directoryValue({
  name: 'defaultGroups',
  events: defaultGroupEventTypes,
  initial: NO_DEFAULT_GROUPS,
  earlier: {
    'default-channel-group.changed.v1': ({ all }, { by: _by, at: _at, ...changes }) =>
      earlierFields(
        all.find(({ defaultGroupId }) => defaultGroupId === changes.defaultGroupId),
        changes,
      ),
    'default-channel-group.removed.v1': ({ all }, { defaultGroupId }) =>
      all.find((one) => one.defaultGroupId === defaultGroupId),
  },
  evolve: evolveDefaultGroups,
});
