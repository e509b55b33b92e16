import { Global, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { MessagesModule } from '#messages';
import { ChangePreferencesHandler } from './commands/change-preferences.js';
import { ChangeUserDefaultsHandler } from './commands/change-user-defaults.js';
import { MuteUserHandler } from './commands/mute-user.js';
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

/** Users' own preferences: settings, muted users, visibility of topics, alert words. */
@Global()
@Module({
  imports: [CqrsModule, MessagesModule],
  controllers: [
    AlertWordsController,
    MutedUsersController,
    OnboardingController,
    SettingsController,
    UserDefaultsController,
    UserTopicsController,
    ZcommandController,
  ],
  providers: [
    ChangePreferencesHandler,
    ChangeUserDefaultsHandler,
    MuteFollowUp,
    MuteUserHandler,
    PreferencesClientEvents,
    PreferencesFields,
    SettingsFields,
  ],
  exports: [PreferencesClientEvents, PreferencesFields, SettingsFields],
})
export class PreferencesModule {}
