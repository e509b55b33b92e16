import { unreachable } from '#kernel';
import type { DefaultGroupEvent } from './default-group.events.js';

/** A group of channels that new users may choose to be subscribed to together. */
export interface DefaultGroup {
  readonly defaultGroupId: number;
  readonly name: string;
  readonly description: string;
  /** Ascending. Archived and private ones stay in the group, and are not shown. */
  readonly channelIds: readonly number[];
}

/** The organization's default channel groups. The state is replaced, never mutated, so a reader may keep it. */
export interface DefaultGroups {
  readonly all: readonly DefaultGroup[];
  /** The highest ID assigned so far, so that none is reused; 0 before the first. */
  readonly lastId: number;
}

export const NO_DEFAULT_GROUPS: DefaultGroups = { all: [], lastId: 0 };

export function evolveDefaultGroups({ all, lastId }: DefaultGroups, event: DefaultGroupEvent): DefaultGroups {
  switch (event.type) {
    case 'default-channel-group.created.v1': {
      const { defaultGroupId, name, description, channelIds } = event.data;
      return { all: [...all, { defaultGroupId, name, description, channelIds }], lastId: defaultGroupId };
    }
    case 'default-channel-group.changed.v1': {
      const { defaultGroupId, name, description, channelIds } = event.data;
      return {
        all: all.map((group) =>
          group.defaultGroupId === defaultGroupId
            ? {
                ...group,
                name: name ?? group.name,
                description: description ?? group.description,
                channelIds: channelIds ?? group.channelIds,
              }
            : group,
        ),
        lastId,
      };
    }
    case 'default-channel-group.removed.v1':
      return { all: all.filter(({ defaultGroupId }) => defaultGroupId !== event.data.defaultGroupId), lastId };
    default:
      return unreachable(event);
  }
}
