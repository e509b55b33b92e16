import { Command } from '@nestjs/cqrs';
import { streams } from '#event-store';
import { command, inStream } from '#feature';
import type { OmitEach } from '#kernel';
import type { User } from '#users/model';
import type { PreferencesCommand } from '../model/preferences.commands.js';
import { preferencesDecider } from '../model/preferences.decider.js';

/** A change of the user's own preferences. */
export type PreferencesWish = OmitEach<PreferencesCommand, 'userId' | 'at'>;

/** Changes the actor's own preferences. @throws Refusal as `preferencesDecider` */
export class ChangePreferencesCommand extends Command<void> {
  constructor(
    readonly actor: User,
    readonly wish: PreferencesWish,
  ) {
    super();
  }
}

export const changePreferences = command(ChangePreferencesCommand, {}, ({ actor: { userId }, wish }) =>
  inStream(preferencesDecider, streams.user(userId), (at): PreferencesCommand => ({ ...wish, userId, at })),
);
