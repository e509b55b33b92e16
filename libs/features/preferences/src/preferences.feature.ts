import { defineFeature } from '#feature';
import { PreferencesClientEvents } from './preferences.client-events.js';
import { PreferencesModule } from './preferences.module.js';
import { PreferencesFields } from './register/preferences.fields.js';
import { SettingsFields } from './register/settings.fields.js';
import { MuteFollowUp } from './mute-follow-up.js';

/** Users' own preferences: settings, muted users, visibility of topics, alert words. */
export const preferences = defineFeature({
  name: 'preferences',
  clientEvents: [PreferencesClientEvents],
  followUps: { 'mute.added.v1': MuteFollowUp },
  register: [SettingsFields, PreferencesFields],
  module: PreferencesModule,
});
