import { EventRegistry } from '#event-store';
import { followUpEventTypes } from '#follow-ups';
import { messageEventTypes, sendEventTypes } from '#messages';
import { organizationEventTypes, preferencesEventTypes } from '#organization';

/** Every event type that this version knows (DESIGN, decision 6). */
export const eventRegistry = new EventRegistry([
  ...organizationEventTypes,
  ...preferencesEventTypes,
  ...messageEventTypes,
  ...sendEventTypes,
  ...followUpEventTypes,
]);
