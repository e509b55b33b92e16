import { Type } from 'typebox';
import { organizationEvent } from '#directory';
import { exactly, type EventOf } from '#event-store';
import { StoredGroupSettingSchema } from './group-setting.schema.js';

const Id = Type.Integer({ minimum: 1 });
const Ids = Type.Array(Id, { minItems: 1 });
/** Actor, and time in seconds since the epoch. */
const Done = { by: Id, at: Type.Integer() };
/** By the setting's name on the wire, e.g. `can_manage_group`. */
const Permissions = Type.Record(Type.String(), StoredGroupSettingSchema);
/** Users who were added or removed by another user get a notice. */
const entails = Type.Optional(Type.Literal('notices'));
/** Owners get one where more people may audit. */
const entailsForOwners = Type.Optional(Type.Literal('owners'));
const entailsForBoth = Type.Optional(
  Type.Union([Type.Literal('notices'), Type.Literal('owners'), Type.Literal('notices and owners')]),
);

export const groupCreated = organizationEvent(
  'group.created.v1',
  exactly({
    groupId: Id,
    name: Type.String(),
    description: Type.String(),
    /** Ascending, like all lists of ids in this file. */
    userIds: Type.Array(Id),
    subgroupIds: Type.Array(Id),
    permissions: Permissions,
    ...Done,
    entails,
  }),
);

/** Lists only what changed. */
export const groupChanged = organizationEvent(
  'group.changed.v1',
  exactly({
    groupId: Id,
    name: Type.Optional(Type.String()),
    description: Type.Optional(Type.String()),
    permissions: Type.Optional(Permissions),
    ...Done,
  }),
);

export const groupDeactivated = organizationEvent('group.deactivated.v1', exactly({ groupId: Id, ...Done }));
export const groupReactivated = organizationEvent(
  'group.reactivated.v1',
  exactly({ groupId: Id, ...Done, entails: entailsForOwners }),
);

export const groupMembersAdded = organizationEvent(
  'group.members-added.v1',
  exactly({ groupId: Id, userIds: Ids, ...Done, entails: entailsForBoth }),
);
export const groupMembersRemoved = organizationEvent(
  'group.members-removed.v1',
  exactly({ groupId: Id, userIds: Ids, ...Done, entails }),
);
export const groupSubgroupsAdded = organizationEvent(
  'group.subgroups-added.v1',
  exactly({ groupId: Id, subgroupIds: Ids, ...Done, entails: entailsForOwners }),
);
export const groupSubgroupsRemoved = organizationEvent(
  'group.subgroups-removed.v1',
  exactly({ groupId: Id, subgroupIds: Ids, ...Done }),
);

export const groupEventTypes = [
  groupCreated,
  groupChanged,
  groupDeactivated,
  groupReactivated,
  groupMembersAdded,
  groupMembersRemoved,
  groupSubgroupsAdded,
  groupSubgroupsRemoved,
] as const;

export type GroupEvent = EventOf<(typeof groupEventTypes)[number]>;
