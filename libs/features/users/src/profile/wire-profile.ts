import { type Directory, type Profile, PROFILE_FIELD, type ProfileField } from '#organization';

/** A field in wire format (endpoints.md §12). */
export interface WireProfileField {
  readonly id: number;
  readonly name: string;
  readonly type: number;
  readonly hint: string;
  readonly field_data: string;
  readonly order: number;
  readonly required: boolean;
  readonly editable_by_user: boolean;
  readonly display_in_profile_summary?: true;
}

export type WireProfile = Readonly<Record<string, { readonly value: string; readonly rendered_value?: string }>>;

/** @param pronouns the client knows the type of field for pronouns; for others it is short text */
export function wireProfileFields({ profileFields }: Directory, pronouns: boolean): WireProfileField[] {
  return profileFields.fields.map((field, order) => wireField(field, order, pronouns));
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
