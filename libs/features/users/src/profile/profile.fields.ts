import { Injectable } from '@nestjs/common';
import { type JsonFields, type RegisterContext, RegisterFields, wants } from '#feature';
import { wireProfileFields } from './wire-profile.js';

const FIELD_TYPES = {
  SHORT_TEXT: { id: 1, name: 'Text (short)' },
  LONG_TEXT: { id: 2, name: 'Text (long)' },
  SELECT: { id: 3, name: 'List of options' },
  DATE: { id: 4, name: 'Date' },
  URL: { id: 5, name: 'Link' },
  USER: { id: 6, name: 'Users' },
  EXTERNAL_ACCOUNT: { id: 7, name: 'External account' },
} as const;

/** Only for clients that understand it. */
const PRONOUNS = { PRONOUNS: { id: 8, name: 'Pronouns' } } as const;

/** Fields of people's profiles in the register response (register.md §2, `custom_profile_fields`). */
@Injectable()
export class ProfileFields extends RegisterFields {
  override readonly keys = ['custom_profile_fields'];

  override addTo(fields: JsonFields, context: RegisterContext): void {
    if (!wants(context, 'custom_profile_fields')) return;
    const { directory, pronouns } = context;
    fields
      .add('custom_profile_fields', wireProfileFields(directory.profileFields.fields, pronouns))
      .add('custom_profile_field_types', pronouns ? { ...FIELD_TYPES, ...PRONOUNS } : FIELD_TYPES);
  }
}
