import { Command, CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { badRequest } from '#kernel';
import { MarkRead } from '#messages';
import { Directory, type User } from '#organization';
import { ChangePreferencesCommand } from './change-preferences.js';

/** Mutes another user, or ends that (specification, POST /users/me/muted_users/{muted_user_id}). */
export class MuteUserCommand extends Command<void> {
  constructor(
    readonly actor: User,
    readonly mutedUserId: number,
    readonly op: 'add' | 'remove',
  ) {
    super();
  }
}

@CommandHandler(MuteUserCommand)
export class MuteUserHandler implements ICommandHandler<MuteUserCommand> {
  constructor(
    private readonly directory: Directory,
    private readonly commands: CommandBus,
    private readonly marks: MarkRead,
  ) {}

  /** What comes after the mute arrives read; what was there before is marked as read after it, so that nothing slips between. */
  async execute({ actor, mutedUserId, op }: MuteUserCommand): Promise<void> {
    if (this.directory.user(mutedUserId) === undefined) throw badRequest('No such user');
    const type = op === 'add' ? 'mute-user' : 'unmute-user';
    await this.commands.execute(new ChangePreferencesCommand(actor, { type, mutedUserId }));
    if (op === 'add') await this.marks.sentBy(actor.userId, mutedUserId);
  }
}
