import { Command } from '@nestjs/cqrs';
import { command, inOrganization } from '#feature';
import type { User } from '#users/model';
import type { PlaygroundRequest } from '../playgrounds/playgrounds.commands.js';
import { playgroundsDecider } from '../playgrounds/playgrounds.decider.js';
import type { PlaygroundEvent } from '../model/playgrounds/playground.events.js';
import { playgroundsPart } from '../model/playgrounds/playgrounds.part.js';

/** Changes the organization's code playgrounds. Resolves to what changed, when clients know. */
export class ChangePlaygroundsCommand extends Command<readonly PlaygroundEvent[]> {
  constructor(
    readonly actor: User,
    readonly asked: PlaygroundRequest,
  ) {
    super();
  }
}

export const changePlaygrounds = command(ChangePlaygroundsCommand, {}, ({ actor, asked }) =>
  inOrganization((directory, at) =>
    playgroundsDecider.decide(directory.of(playgroundsPart), { ...asked, actor, at }),
  ).answering(({ events }) => events),
);
