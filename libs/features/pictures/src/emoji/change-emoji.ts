import { Command } from '@nestjs/cqrs';
import { command, inOrganization } from '#feature';
import { Directory } from '#people';
import type { User } from '#users/model';
import { assertMayAddEmoji, decideEmoji } from './emoji.decider.js';
import { EmojiImages } from './emoji-images.js';

/** Adds a custom emoji. */
export class AddEmojiCommand extends Command<void> {
  constructor(
    readonly actor: User,
    readonly name: string,
    /** An image file. */
    readonly original: Buffer,
  ) {
    super();
  }
}

/** Deactivates the custom emoji of a name. */
export class DeactivateEmojiCommand extends Command<void> {
  constructor(
    readonly actor: User,
    readonly name: string,
  ) {
    super();
  }
}

/** @throws Refusal BAD_REQUEST, BAD_IMAGE, SERVER_NOT_READY */
export const addEmoji = command(
  AddEmojiCommand,
  { directory: Directory, images: EmojiImages },
  async ({ actor, name, original }, { directory, images }) => {
    // What may not be done is refused before an image is drawn.
    assertMayAddEmoji(directory, actor, name);
    const picture = await images.store(original);
    const added = { type: 'add-emoji', actorId: actor.userId, name, picture } as const;
    return inOrganization((now, at) => decideEmoji(now, { ...added, at }));
  },
);

/** @throws Refusal BAD_REQUEST, NOT_FOUND */
export const deactivateEmoji = command(DeactivateEmojiCommand, {}, ({ actor, name }) =>
  inOrganization((directory, at) =>
    decideEmoji(directory, { type: 'deactivate-emoji', actorId: actor.userId, name, at }),
  ),
);
