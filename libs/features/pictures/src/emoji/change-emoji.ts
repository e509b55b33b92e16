import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandRunner } from '#event-store';
import { Clock } from '#kernel';
import { Directory, type User } from '#organization';
import type { EmojiCommand } from './emoji.commands.js';
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
@CommandHandler(AddEmojiCommand)
export class AddEmojiHandler implements ICommandHandler<AddEmojiCommand> {
  constructor(
    private readonly runner: CommandRunner,
    private readonly directory: Directory,
    private readonly images: EmojiImages,
    private readonly clock: Clock,
  ) {}

  async execute({ actor, name, original }: AddEmojiCommand): Promise<void> {
    // What may not be done is refused before an image is drawn.
    assertMayAddEmoji(this.directory, actor, name);
    const picture = await this.images.store(original);
    const at = this.clock.nowSeconds();
    const command: EmojiCommand = { type: 'add-emoji', actorId: actor.userId, name, picture, at };
    await this.runner.runOn(this.directory, (directory) => ({ events: decideEmoji(directory, command) }));
  }
}

/** @throws Refusal BAD_REQUEST, NOT_FOUND */
@CommandHandler(DeactivateEmojiCommand)
export class DeactivateEmojiHandler implements ICommandHandler<DeactivateEmojiCommand> {
  constructor(
    private readonly runner: CommandRunner,
    private readonly directory: Directory,
    private readonly clock: Clock,
  ) {}

  async execute({ actor, name }: DeactivateEmojiCommand): Promise<void> {
    const at = this.clock.nowSeconds();
    const command: EmojiCommand = { type: 'deactivate-emoji', actorId: actor.userId, name, at };
    await this.runner.runOn(this.directory, (directory) => ({ events: decideEmoji(directory, command) }));
  }
}
