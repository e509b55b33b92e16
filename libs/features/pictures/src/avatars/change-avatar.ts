import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandRunner } from '#event-store';
import { Clock } from '#kernel';
import { Directory, type User } from '#organization';
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
@CommandHandler(ChangeAvatarCommand)
export class ChangeAvatarHandler implements ICommandHandler<ChangeAvatarCommand> {
  constructor(
    private readonly runner: CommandRunner,
    private readonly directory: Directory,
    private readonly images: AvatarImages,
    private readonly clock: Clock,
  ) {}

  async execute({ actor, original }: ChangeAvatarCommand): Promise<void> {
    // What may not be done is refused before an image is drawn.
    assertMayChangeAvatar(this.directory, actor);
    const avatar = original === null ? null : await this.images.store(original);
    const command = { actorId: actor.userId, avatar, at: this.clock.nowSeconds() };
    await this.runner.runOn(this.directory, (directory) => ({ events: decideAvatar(directory, command) }));
  }
}
