import { Type } from 'typebox';
import { organizationEvent } from '#directory';
import { exactly, type EventOf } from '#event-store';

const Id = Type.Integer({ minimum: 1 });
/** Who did it, and when in seconds since the epoch. */
const Done = { by: Id, at: Type.Integer() };

export const defaultGroupCreated = organizationEvent(
  'default-channel-group.created.v1',
  exactly({
    defaultGroupId: Id,
    name: Type.String(),
    description: Type.String(),
    channelIds: Type.Array(Id),
    ...Done,
  }),
);

/** Lists only what changed. */
export const defaultGroupChanged = organizationEvent(
  'default-channel-group.changed.v1',
  exactly({
    defaultGroupId: Id,
    name: Type.Optional(Type.String()),
    description: Type.Optional(Type.String()),
    /** All channels of the group from now on. */
    channelIds: Type.Optional(Type.Array(Id)),
    ...Done,
  }),
);

export const defaultGroupRemoved = organizationEvent(
  'default-channel-group.removed.v1',
  exactly({ defaultGroupId: Id, ...Done }),
);

export const defaultGroupEventTypes = [defaultGroupCreated, defaultGroupChanged, defaultGroupRemoved] as const;

export type DefaultGroupEvent = EventOf<(typeof defaultGroupEventTypes)[number]>;
