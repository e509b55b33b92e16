import { directoryValue } from '#directory';
import { earlierFields } from '#kernel';
import { profileFieldEventTypes } from './profile-field.events.js';
import { evolveProfileFields, NO_PROFILE_FIELDS } from './profile-fields.js';

/** Fields of people's profiles, in their order. Their values are those of the users. */
export const profileFieldsPart = directoryValue({
  name: 'profileFields',
  events: profileFieldEventTypes,
  initial: NO_PROFILE_FIELDS,
  earlier: {
    'profile-field.changed.v1': ({ fields }, { fieldId, field }) => ({
      field: earlierFields(
        fields.find((one) => one.fieldId === fieldId),
        field,
      ),
    }),
    'profile-field.removed.v1': ({ fields }, { fieldId }) => ({ field: fields.find((one) => one.fieldId === fieldId) }),
    'profile-fields.ordered.v1': ({ fields }) => ({ fieldIds: fields.map(({ fieldId }) => fieldId) }),
  },
  evolve: evolveProfileFields,
});
