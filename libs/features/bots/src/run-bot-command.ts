import { Command } from '@nestjs/cqrs';
import { command, inOrganization } from '#feature';
import { Clock, type OmitEach } from '#kernel';
import { Directory } from '#people';
import type { User } from '#users/model';
import { AvatarImages } from '#pictures';
import type { AccountEvent } from '#users';
import type { BotCommand } from './bots.commands.js';
import { decideBot } from './bots.decider.js';

/** Creates, changes or deactivates a bot, and resolves to what was recorded. @throws Refusal as `decideBot`, BAD_IMAGE, SERVER_NOT_READY */
export class RunBotCommand extends Command<readonly AccountEvent[]> {
  constructor(
    readonly actor: User,
    readonly asked: OmitEach<BotCommand, 'at'>,
    /** An image file: the bot's new picture. */
    readonly original?: Buffer,
  ) {
    super();
  }
}

export const runBotCommand = command(
  RunBotCommand,
  { directory: Directory, avatars: AvatarImages, clock: Clock },
  async ({ asked, original }, { directory, avatars, clock }) => {
    // What may not be done is refused before an image is drawn.
    if (original !== undefined) decideBot(directory, { ...asked, at: clock.nowSeconds() });
    const drawn = original === undefined ? {} : { avatar: await avatars.store(original) };
    return inOrganization((now, at) => decideBot(now, { ...asked, ...drawn, at })).answering(({ events }) => events);
  },
);
