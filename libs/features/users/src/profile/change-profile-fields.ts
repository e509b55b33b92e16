import { Command } from '@nestjs/cqrs';
import { command, inOrganization } from '#feature';
import type { ProfileFieldEvent } from '../model/profile-fields/profile-field.events.js';
import type { User } from '../model/user.js';
import type { ProfileFieldRequest } from './profile-fields.commands.js';
import { decideProfileFields } from './profile-fields.decider.js';

/** Changes the fields of people's profiles. Resolves with the changes. */
export class ChangeProfileFieldsCommand extends Command<readonly ProfileFieldEvent[]> {
  constructor(
    readonly actor: User,
    readonly request: ProfileFieldRequest,
  ) {
    super();
  }
}

export const changeProfileFields = command(ChangeProfileFieldsCommand, {}, ({ actor, request }) =>
  inOrganization((directory, at) =>
    decideProfileFields(directory, { ...request, actorId: actor.userId, at }),
  ).answering(({ events }) => events),
);
