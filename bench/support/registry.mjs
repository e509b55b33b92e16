import { EventRegistry } from '#event-store';
import { messageEventTypes } from '#messages';
import { organizationEventTypes } from '#people';
import { preferencesEventTypes } from '#preferences/model';
import { readingEventTypes } from '#reading';

/** The events that seeds are made of. */
export const registry = new EventRegistry([
  ...organizationEventTypes,
  ...preferencesEventTypes,
  ...messageEventTypes,
  ...readingEventTypes,
]);
