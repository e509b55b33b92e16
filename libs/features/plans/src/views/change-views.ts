import { Command } from '@nestjs/cqrs';
import { streams } from '#event-store';
import { command, inStream } from '#feature';
import type { User } from '#users/model';
import type { ViewRequest } from './views.commands.js';
import { viewsDecider } from './views.decider.js';

/** Changes the actor's own navigation views. @throws Refusal as `viewsDecider` */
export class ChangeViewsCommand extends Command<void> {
  constructor(
    readonly actor: User,
    readonly request: ViewRequest,
  ) {
    super();
  }
}

export const changeViews = command(ChangeViewsCommand, {}, ({ actor: { userId }, request }) =>
  inStream(viewsDecider, streams.plans(userId), (at) => ({ ...request, userId, at })),
);
