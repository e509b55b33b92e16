import { Type } from 'typebox';
import { organizationEvent } from '#directory';
import { exactly, type EventOf } from '#event-store';
import { StoredGroupSettingSchema } from '#groups/model';
import { ChangeableSettings } from './settings/changeable-settings.js';

const Id = Type.Integer({ minimum: 1 });
/** Seconds since the epoch. */
const At = Type.Integer();

export const organizationCreated = organizationEvent(
  'organization.created.v1',
  exactly({
    uuid: Type.String(),
    name: Type.String(),
    at: At,
    /** The system groups, smallest first; each later one of the chain has the one before as its subgroup. */
    groups: Type.Array(
      exactly({ groupId: Id, name: Type.String(), description: Type.String(), directSubgroups: Type.Array(Id) }),
    ),
  }),
);

/** New settings of the organization: lists only what changed. */
export const organizationSettingsChanged = organizationEvent(
  'organization.settings-changed.v1',
  exactly({
    settings: Type.Optional(ChangeableSettings),
    /** Holders of permissions, by their names on the wire. */
    permissions: Type.Optional(Type.Record(Type.String(), StoredGroupSettingSchema)),
    by: Id,
    at: At,
    /** Owners are told who may audit from now on and whether others have to approve it, and who might before. */
    entails: Type.Optional(exactly({ formerAuditors: StoredGroupSettingSchema })),
  }),
);

/** Personal settings that new users begin with: only what changed is listed. */
export const userDefaultsChanged = organizationEvent(
  'organization.user-defaults-changed.v1',
  exactly({
    /** By their names on the wire. */
    settings: Type.Record(Type.String(), Type.Union([Type.Boolean(), Type.Integer(), Type.String()])),
    by: Id,
    at: At,
  }),
);

/** From now on nobody has access. Nothing of what was written is lost. */
export const organizationDeactivated = organizationEvent(
  'organization.deactivated.v1',
  exactly({
    by: Id,
    at: At,
    /** After so many days the owner wants the data deleted, by the operator; absent when it is to be kept. */
    deletionDelayDays: Type.Optional(Type.Integer({ minimum: 1 })),
  }),
);

/** Recorded by the operator: users have the access that they had before. */
export const organizationReactivated = organizationEvent('organization.reactivated.v1', exactly({ at: At }));

/** Another version of the server runs from now on than the one that recorded the last of these. */
export const serverUpgraded = organizationEvent(
  'organization.server-upgraded.v1',
  exactly({ version: Type.String(), featureLevel: Type.Integer(), at: At }),
);

export const realmEventTypes = [
  organizationCreated,
  organizationSettingsChanged,
  userDefaultsChanged,
  organizationDeactivated,
  organizationReactivated,
  serverUpgraded,
] as const;

export type RealmEvent = EventOf<(typeof realmEventTypes)[number]>;
export type OrganizationCreated = EventOf<typeof organizationCreated>;
export type ServerUpgraded = EventOf<typeof serverUpgraded>;
