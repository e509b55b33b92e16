import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandRunner, streams } from '#event-store';
import { FollowUps } from '#follow-ups';
import { badRequest, Clock } from '#kernel';
import { Directory, mayKnowUser, preferencesDecider, type User } from '#organization';

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

@CommandHandler(MuteUserCommand)
export class MuteUserHandler implements ICommandHandler<MuteUserCommand> {
  constructor(
    private readonly directory: Directory,
    private readonly runner: CommandRunner,
    private readonly followUps: FollowUps,
    private readonly clock: Clock,
  ) {}

  async execute({ actor, mutedUserId, op }: MuteUserCommand): Promise<void> {
    const { userId } = actor;
    const muted = this.directory.user(mutedUserId);
    if (muted === undefined || !mayKnowUser(this.directory, actor, muted)) throw badRequest('No such user');
    const type = op === 'add' ? 'mute-user' : 'unmute-user';
    const command = { type, userId, mutedUserId, at: this.clock.nowSeconds() } as const;
    const stream = streams.user(userId);
    const { events, appended } = await this.runner.run(preferencesDecider, stream, command);
    await this.followUps.carryOut(stream, appended, events);
  }
}
