import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { MessagesModule } from '#messages';
import { ChangePreferencesHandler } from './commands/change-preferences.js';
import { MuteUserHandler } from './commands/mute-user.js';
import { AlertWordsController } from './http/alert-words.controller.js';
import { MutedUsersController } from './http/muted-users.controller.js';
import { SettingsController } from './http/settings.controller.js';
import { UserTopicsController } from './http/user-topics.controller.js';
import { MuteFollowUp } from './mute-follow-up.js';
import { PreferencesClientEvents } from './preferences.client-events.js';

/** What users decide for themselves: settings, muted users, topics' visibility, alert words. */
@Module({
  imports: [CqrsModule, MessagesModule],
  controllers: [AlertWordsController, MutedUsersController, SettingsController, UserTopicsController],
  providers: [ChangePreferencesHandler, MuteFollowUp, MuteUserHandler, PreferencesClientEvents],
  exports: [PreferencesClientEvents],
})
export class PreferencesModule {}
