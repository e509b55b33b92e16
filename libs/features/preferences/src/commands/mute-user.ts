import { Command } from '@nestjs/cqrs';
import { streams } from '#event-store';
import { command, inStream } from '#feature';
import { badRequest } from '#kernel';
import { Directory, mayKnowUser } from '#people';
import type { User } from '#users/model';
import { preferencesDecider } from '../model/preferences.decider.js';

/** Mutes or unmutes another user (endpoints.md §7, POST /users/me/muted_users/{muted_user_id}). */
export class MuteUserCommand extends Command<void> {
  constructor(
    readonly actor: User,
    readonly mutedUserId: number,
    readonly op: 'add' | 'remove',
  ) {
    super();
  }
}

export const muteUser = command(
  MuteUserCommand,
  { directory: Directory },
  ({ actor, mutedUserId, op }, { directory }) => {
    const { userId } = actor;
    const muted = directory.user(mutedUserId);
    if (muted === undefined || !mayKnowUser(directory, actor, muted)) throw badRequest('No such user');
    const type = op === 'add' ? ('mute-user' as const) : ('unmute-user' as const);
    return inStream(preferencesDecider, streams.user(userId), (at) => ({ type, userId, mutedUserId, at }));
  },
);
