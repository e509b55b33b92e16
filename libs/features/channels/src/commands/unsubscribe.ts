import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandRunner, streams } from '#event-store';
import { FollowUps } from '#follow-ups';
import { Clock, nextSlice } from '#kernel';
import { Directory, type User } from '#organization';
import { MANY_PRINCIPALS } from '../principals.js';
import { decideUnsubscribe, type Unsubscribed } from '../unsubscribe.decider.js';

/** Ends subscriptions by channel name. Unread messages there become read for the users who left. */
export class UnsubscribeCommand extends Command<Unsubscribed> {
  constructor(
    readonly actor: User,
    readonly names: readonly string[],
    readonly principals: readonly (number | string)[] | undefined,
  ) {
    super();
  }
}

@CommandHandler(UnsubscribeCommand)
export class UnsubscribeHandler implements ICommandHandler<UnsubscribeCommand> {
  constructor(
    private readonly runner: CommandRunner,
    private readonly directory: Directory,
    private readonly followUps: FollowUps,
    private readonly clock: Clock,
  ) {}

  async execute({ actor, names, principals }: UnsubscribeCommand): Promise<Unsubscribed> {
    if (principals !== undefined && principals.length > MANY_PRINCIPALS) await nextSlice();
    const at = this.clock.nowSeconds();
    const { appended, ...unsubscribed } = await this.runner.runOn(this.directory, (directory) =>
      decideUnsubscribe(directory, { type: 'unsubscribe', actor, names, principals, at }),
    );
    await this.followUps.carryOut(streams.organization, appended, unsubscribed.events);
    return unsubscribed;
  }
}
