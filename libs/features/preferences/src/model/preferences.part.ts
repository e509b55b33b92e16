import { directoryBook } from '#directory';
import { PreferencesBook } from './preferences-book.js';
import { preferencesEventTypes } from './preferences.events.js';

/** Users' own preferences. */
export const preferencesPart = directoryBook({
  name: 'preferences',
  events: preferencesEventTypes,
  open: () => new PreferencesBook(),
});
