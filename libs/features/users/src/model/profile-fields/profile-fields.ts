import { unreachable } from '#kernel';
import type { ProfileFieldDefinition, ProfileFieldEvent } from './profile-field.events.js';

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

export function evolveProfileFields(state: ProfileFields, event: ProfileFieldEvent): ProfileFields {
  const { fields } = state;
  switch (event.type) {
    case 'profile-field.created.v1': {
      const { fieldId, field } = event.data;
      return { fields: [...fields, { fieldId, ...field }], lastId: fieldId };
    }
    case 'profile-field.changed.v1': {
      const { fieldId, field } = event.data;
      return { ...state, fields: fields.map((known) => (known.fieldId === fieldId ? { fieldId, ...field } : known)) };
    }
    case 'profile-fields.ordered.v1': {
      const { fieldIds } = event.data;
      const place = new Map(fieldIds.map((fieldId, index) => [fieldId, index]));
      const placeOf = ({ fieldId }: ProfileField): number => place.get(fieldId) ?? fieldIds.length;
      return { ...state, fields: [...fields].sort((a, b) => placeOf(a) - placeOf(b)) };
    }
    case 'profile-field.removed.v1':
      return { ...state, fields: fields.filter(({ fieldId }) => fieldId !== event.data.fieldId) };
    default:
      return unreachable(event);
  }
}

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
