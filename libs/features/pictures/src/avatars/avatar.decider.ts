import { badRequest } from '#kernel';
import { type AvatarChanged, ROLE, type User } from '#users/model';
import type { Directory } from '#people';
import { presentActor } from '#users';
import type { ChangeAvatar } from './avatar.commands.js';

/**
 * Changes one's own picture (endpoints.md §7, /users/me/avatar), at the revision of the organization's stream.
 * @throws Refusal BAD_REQUEST, USER_DEACTIVATED
 */
export function decideAvatar(directory: Directory, { actorId, avatar, at }: ChangeAvatar): readonly AvatarChanged[] {
  const actor = presentActor(directory, actorId);
  assertMayChangeAvatar(directory, actor);
  if (avatar === null && actor.avatar === undefined) return [];
  const version = actor.avatarVersion + 1;
  return [{ type: 'user.avatar-changed.v1', data: { userId: actorId, avatar, version, by: actorId, at } }];
}

/** @throws Refusal BAD_REQUEST */
export function assertMayChangeAvatar({ settings }: Pick<Directory, 'settings'>, actor: User): void {
  if (settings.avatar_changes_disabled && actor.role > ROLE.administrator)
    throw badRequest('Avatar changes are disabled in this organization.');
}
