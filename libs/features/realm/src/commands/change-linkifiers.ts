import { Command } from '@nestjs/cqrs';
import { command, inOrganization } from '#feature';
import type { User } from '#users/model';
import type { LinkifierRequest } from '../linkifiers/linkifiers.commands.js';
import { linkifiersDecider } from '../linkifiers/linkifiers.decider.js';
import type { LinkifierEvent } from '../model/linkifiers/linkifier.events.js';
import { linkifiersPart } from '../model/linkifiers/linkifiers.part.js';

/** Changes the organization's linkifiers. Resolves with the changes, when they apply to messages and clients know. */
export class ChangeLinkifiersCommand extends Command<readonly LinkifierEvent[]> {
  constructor(
    readonly actor: User,
    readonly asked: LinkifierRequest,
  ) {
    super();
  }
}

export const changeLinkifiers = command(ChangeLinkifiersCommand, {}, ({ actor, asked }) =>
  inOrganization((directory, at) =>
    linkifiersDecider.decide(directory.of(linkifiersPart), { ...asked, actor, at }),
  ).answering(({ events }) => events),
);
