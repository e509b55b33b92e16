import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { streams } from '#event-store';
import { FollowUps } from '#follow-ups';
import { Clock } from '#kernel';
import { OrganizationWrites, type User } from '#organization';
import { decideUnsubscribe, type Unsubscribed } from '../unsubscribe.decider.js';

/** Ends subscriptions by channel name. What was unread there becomes read for who left. */
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
    private readonly writes: OrganizationWrites,
    private readonly followUps: FollowUps,
    private readonly clock: Clock,
  ) {}

  async execute({ actor, names, principals }: UnsubscribeCommand): Promise<Unsubscribed> {
    const at = this.clock.nowSeconds();
    let decided: Unsubscribed | undefined;
    const { events, appended } = await this.writes.run((directory) => {
      decided = decideUnsubscribe(directory, { type: 'unsubscribe', actor, names, principals, at });
      return decided.events;
    });
    if (decided === undefined) throw new Error('A subscription ended without a decision.');
    await this.followUps.carryOut(streams.organization, appended, events);
    return decided;
  }
}
