import { Command } from '@nestjs/cqrs';
import { command, inOrganization } from '#feature';
import type { User } from '#users/model';
import type { RealmEvent } from '../model/realm.events.js';
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

export const changeDomains = command(ChangeDomainsCommand, {}, ({ actor, asked }) =>
  inOrganization((directory, at) =>
    decideDomain({ domains: directory.of(domainsPart), settings: directory.settings }, { ...asked, actor, at }),
  ).answering(({ events }) => events),
);
