import type { ProfileFieldDefinition } from './profile-field.events.js';

/** Types of fields, as on the wire (endpoints.md §12). */
export const PROFILE_FIELD = {
  shortText: 1,
  paragraph: 2,
  choice: 3,
  date: 4,
  link: 5,
  users: 6,
  externalAccount: 7,
  pronouns: 8,
} as const;

/** A field of people's profiles. */
export interface ProfileField extends ProfileFieldDefinition {
  readonly fieldId: number;
}

/** The organization's fields, in their order. */
export interface ProfileFields {
  readonly fields: readonly ProfileField[];
  /** The highest ID so far: IDs are never used again. */
  readonly lastId: number;
}

export const NO_PROFILE_FIELDS: ProfileFields = { fields: [], lastId: 0 };

/** A person's value of a field. */
export interface ProfileValue {
  readonly value: string;
  /** HTML, of text. */
  readonly rendered?: string;
}

/** A person's values by the IDs of the fields. */
export type Profile = Readonly<Record<string, ProfileValue>>;

/** Keys of the choices of a field. */
export function choicesOf({ data }: Pick<ProfileFieldDefinition, 'data'>): readonly string[] {
  return data === '' ? [] : Object.keys(JSON.parse(data) as object);
}

/** The person's value of the field, if any. */
export function profileValueOf({ profile = {} }: { readonly profile?: Profile }, fieldId: number): string | undefined {
  const known: ProfileValue | undefined = profile[String(fieldId)];
  return known?.value;
}
