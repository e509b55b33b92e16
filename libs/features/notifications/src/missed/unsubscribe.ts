import { Command, CommandBus } from '@nestjs/cqrs';
import { ChangeSubscriptionsCommand } from '#channels';
import { streams } from '#event-store';
import { command, inStream } from '#feature';
import { Directory } from '#people';
import type { User } from '#users/model';
import { preferencesDecider } from '#preferences/model';

/** Turns off all mail about missed messages for a user who followed a link in one. */
export class UnsubscribeCommand extends Command<void> {
  constructor(readonly actor: User) {
    super();
  }
}

const OFF = {
  type: 'change-settings',
  settings: {
    enable_offline_email_notifications: false,
    enable_followed_topic_email_notifications: false,
    enable_stream_email_notifications: false,
  },
} as const;

export const unsubscribe = command(
  UnsubscribeCommand,
  { directory: Directory, commands: CommandBus },
  ({ actor }, { directory, commands }) => {
    const { userId } = actor;
    return inStream(preferencesDecider, streams.user(userId), (at) => ({ ...OFF, userId, at })).answering(async () => {
      const wanted = [...directory.subscriptionsOf(userId)]
        .filter(({ emailNotifications, active }) => active && emailNotifications === true)
        .map(({ channelId }) => ({ channelId, property: 'email_notifications', value: false }) as const);
      if (wanted.length > 0) await commands.execute(new ChangeSubscriptionsCommand(actor, wanted));
    });
  },
);
