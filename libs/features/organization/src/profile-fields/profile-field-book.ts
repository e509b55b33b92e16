import type { Handlers } from '../directory/directory-part.js';
import type { ProfileFieldEvent } from './profile-field.events.js';
import { NO_PROFILE_FIELDS, type ProfileField, type ProfileFields } from './profile-fields.js';

/** The fields of people's profiles, a part of the directory. Their values are those of the users. */
export class ProfileFieldBook {
  #state: ProfileFields = NO_PROFILE_FIELDS;

  readonly on: Handlers<ProfileFieldEvent> = {
    'profile-field.created.v1': ({ data: { fieldId, field } }) => {
      this.#state = { fields: [...this.#state.fields, { fieldId, ...field }], lastId: fieldId };
    },
    'profile-field.changed.v1': ({ data: { fieldId, field } }) => {
      this.#set(this.#state.fields.map((known) => (known.fieldId === fieldId ? { fieldId, ...field } : known)));
    },
    'profile-fields.ordered.v1': ({ data: { fieldIds } }) => {
      const place = new Map(fieldIds.map((fieldId, index) => [fieldId, index]));
      const placeOf = ({ fieldId }: ProfileField): number => place.get(fieldId) ?? fieldIds.length;
      this.#set([...this.#state.fields].sort((a, b) => placeOf(a) - placeOf(b)));
    },
    'profile-field.removed.v1': ({ data: { fieldId } }) => {
      this.#set(this.#state.fields.filter((known) => known.fieldId !== fieldId));
    },
    'profile-data.changed.v1': () => undefined,
  };

  get state(): ProfileFields {
    return this.#state;
  }

  /** @param state absent in snapshots from before there were any */
  restore(state: ProfileFields | undefined): void {
    this.#state = state ?? NO_PROFILE_FIELDS;
  }

  #set(fields: readonly ProfileField[]): void {
    this.#state = { ...this.#state, fields };
  }
}
