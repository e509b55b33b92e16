import { directoryValue } from '#directory';
import { profileFieldEventTypes } from './profile-field.events.js';
import { evolveProfileFields, NO_PROFILE_FIELDS } from './profile-fields.js';

/** Fields of people's profiles, in their order. Their values are those of the users. */
export const profileFieldsPart = directoryValue({
  name: 'profileFields',
  events: profileFieldEventTypes,
  initial: NO_PROFILE_FIELDS,
  evolve: evolveProfileFields,
});
