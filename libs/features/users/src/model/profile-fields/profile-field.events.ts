import { Type } from 'typebox';
import { organizationEvent } from '#directory';
import { exactly, type EventOf } from '#event-store';

const Id = Type.Integer({ minimum: 1 });
/** Who did it, and when in seconds since the epoch. */
const Done = { by: Id, at: Type.Integer() };

const Definition = exactly({
  /** See `PROFILE_FIELD`. */
  type: Type.Integer({ minimum: 1, maximum: 8 }),
  name: Type.String(),
  hint: Type.String(),
  /** JSON text: choices, or the kind of external account; empty for other types. */
  data: Type.String(),
  isInSummary: Type.Boolean(),
  isRequired: Type.Boolean(),
  /** By the people whose profile it is in; administrators may in any case. */
  isEditable: Type.Boolean(),
});

export const profileFieldCreated = organizationEvent(
  'profile-field.created.v1',
  exactly({ fieldId: Id, field: Definition, ...Done }),
);

export const profileFieldChanged = organizationEvent(
  'profile-field.changed.v1',
  exactly({
    fieldId: Id,
    field: Definition,
    /** Users whose value is gone, because it was a choice that is none any more. */
    cleared: Type.Optional(Type.Array(Id)),
    ...Done,
  }),
);

/** All fields, in their new order. */
export const profileFieldsOrdered = organizationEvent(
  'profile-fields.ordered.v1',
  exactly({ fieldIds: Type.Array(Id), ...Done }),
);

/** Its values go with it. */
export const profileFieldRemoved = organizationEvent('profile-field.removed.v1', exactly({ fieldId: Id, ...Done }));

export const profileDataChanged = organizationEvent(
  'profile-data.changed.v1',
  exactly({
    userId: Id,
    values: Type.Array(
      exactly({
        fieldId: Id,
        /** null when the user has none any more. */
        value: Type.Union([Type.String(), Type.Null()]),
        /** HTML of text. */
        rendered: Type.Optional(Type.String()),
      }),
      { minItems: 1 },
    ),
    ...Done,
  }),
);

export const profileFieldEventTypes = [
  profileFieldCreated,
  profileFieldChanged,
  profileFieldsOrdered,
  profileFieldRemoved,
] as const;

export type ProfileDataChanged = EventOf<typeof profileDataChanged>;
export type ProfileFieldEvent = EventOf<(typeof profileFieldEventTypes)[number]>;
export type ProfileFieldDefinition = EventOf<typeof profileFieldCreated>['data']['field'];
