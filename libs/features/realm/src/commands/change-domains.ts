import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandRunner } from '#event-store';
import { Clock } from '#kernel';
import { Directory, type RealmEvent, type User } from '#organization';
import type { DomainRequest } from '../domains/domains.commands.js';
import { decideDomain } from '../domains/domains.decider.js';
import type { DomainsEvent } from '../model/domains/domain.events.js';
import { domainsPart } from '../model/domains/domains.part.js';

/** Changes the organization's domains. Resolves to what changed, when clients know. */
export class ChangeDomainsCommand extends Command<readonly (DomainsEvent | RealmEvent)[]> {
  constructor(
    readonly actor: User,
    readonly asked: DomainRequest,
  ) {
    super();
  }
}

@CommandHandler(ChangeDomainsCommand)
export class ChangeDomainsHandler implements ICommandHandler<ChangeDomainsCommand> {
  constructor(
    private readonly runner: CommandRunner,
    private readonly directory: Directory,
    private readonly clock: Clock,
  ) {}

  async execute({ actor, asked }: ChangeDomainsCommand): Promise<readonly (DomainsEvent | RealmEvent)[]> {
    const at = this.clock.nowSeconds();
    const { events } = await this.runner.runOn(this.directory, (directory) => ({
      events: decideDomain(
        { domains: directory.of(domainsPart), settings: directory.settings },
        { ...asked, actor, at },
      ),
    }));
    return events;
  }
}
