import { Command } from '@nestjs/cqrs';
import { command, inOrganization } from '#feature';
import { Directory } from '#people';
import type { User } from '#users/model';
import { assertMayChangeAvatar, decideAvatar } from './avatar.decider.js';
import { AvatarImages } from './avatar-images.js';

/** Changes the actor's own picture. */
export class ChangeAvatarCommand extends Command<void> {
  constructor(
    readonly actor: User,
    /** An image file; null for the picture that the server draws. */
    readonly original: Buffer | null,
  ) {
    super();
  }
}

/** @throws Refusal BAD_REQUEST, BAD_IMAGE, SERVER_NOT_READY */
export const changeAvatar = command(
  ChangeAvatarCommand,
  { directory: Directory, images: AvatarImages },
  async ({ actor, original }, { directory, images }) => {
    // What may not be done is refused before an image is drawn.
    assertMayChangeAvatar(directory, actor);
    const avatar = original === null ? null : await images.store(original);
    return inOrganization((now, at) => decideAvatar(now, { actorId: actor.userId, avatar, at }));
  },
);
