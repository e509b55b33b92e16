import { defineFeature } from '#feature';
import { changePreferences } from './commands/change-preferences.js';
import { changeUserDefaults } from './commands/change-user-defaults.js';
import { muteUser } from './commands/mute-user.js';
import { AlertWordsController } from './http/alert-words.controller.js';
import { MutedUsersController } from './http/muted-users.controller.js';
import { OnboardingController } from './http/onboarding.controller.js';
import { SettingsController } from './http/settings.controller.js';
import { UserDefaultsController } from './http/user-defaults.controller.js';
import { UserTopicsController } from './http/user-topics.controller.js';
import { ZcommandController } from './http/zcommand.controller.js';
import { MuteFollowUp } from './mute-follow-up.js';
import { PreferencesClientEvents } from './preferences.client-events.js';
import { PreferencesFields } from './register/preferences.fields.js';
import { SettingsFields } from './register/settings.fields.js';
import { preferencesPart } from './model/preferences.part.js';
import { preferenceEventSchemas } from './preference-events.schema.js';
import { preferenceFieldSchemas } from './register/preference-fields.schema.js';

/** Users' own preferences: settings, muted users, visibility of topics, alert words. */
export const preferences = defineFeature({
  name: 'preferences',
  directory: [preferencesPart],
  clientEvents: [PreferencesClientEvents],
  eventSchemas: [preferenceEventSchemas],
  followUps: { 'mute.added.v1': MuteFollowUp },
  register: [SettingsFields, PreferencesFields],
  registerSchemas: [preferenceFieldSchemas],
  commands: [changePreferences, changeUserDefaults, muteUser],
  controllers: [
    AlertWordsController,
    MutedUsersController,
    OnboardingController,
    SettingsController,
    UserDefaultsController,
    UserTopicsController,
    ZcommandController,
  ],
});
