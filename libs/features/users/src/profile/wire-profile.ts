import { described, exact, integer, map, named, object, optional, text, truth, type Wire } from '#wire';
import { type Profile, PROFILE_FIELD, type ProfileField } from '../model/profile-fields/profile-fields.js';

/** A field in wire format (endpoints.md §12). */
export const ProfileFieldSchema = named(
  'ProfileField',
  object({
    id: integer,
    name: text,
    type: described(
      integer,
      '1 short text, 2 paragraph, 3 options, 4 date, 5 link, 6 users, 7 account elsewhere, 8 pronouns.',
    ),
    hint: text,
    field_data: described(text, 'JSON of the options or the account; empty for other types.'),
    order: integer,
    required: truth,
    editable_by_user: truth,
    display_in_profile_summary: optional(exact(true)),
  }),
);
export type WireProfileField = Wire<typeof ProfileFieldSchema>;

/** Values by ID of the field. */
export const ProfileSchema = map(object({ value: text, rendered_value: optional(text) }));
export type WireProfile = Wire<typeof ProfileSchema>;

/** @param pronouns the client knows the type of field for pronouns; for others it is short text */
export function wireProfileFields(fields: readonly ProfileField[], pronouns: boolean): WireProfileField[] {
  return fields.map((field, order) => wireField(field, order, pronouns));
}

function wireField(field: ProfileField, order: number, pronouns: boolean): WireProfileField {
  const isPronouns = field.type === PROFILE_FIELD.pronouns;
  return {
    id: field.fieldId,
    name: field.name,
    type: isPronouns && !pronouns ? PROFILE_FIELD.shortText : field.type,
    hint: field.hint,
    field_data: field.data,
    order,
    required: field.isRequired,
    editable_by_user: field.isEditable,
    ...(field.isInSummary ? { display_in_profile_summary: true } : undefined),
  };
}

export function wireProfile(profile: Profile = {}): WireProfile {
  return Object.fromEntries(
    Object.entries(profile).map(([fieldId, { value, rendered }]) => [fieldId, { value, rendered_value: rendered }]),
  );
}
