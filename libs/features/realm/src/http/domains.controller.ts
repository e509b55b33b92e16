import { Controller, Delete, Get, Param, Patch, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Answers, ApiTags, Caller, Params, Summary } from '#http';
import type { User } from '#users/model';
import { integer, list, object, text, tuple } from '#wire';
import { ChangeDomainsCommand } from '../commands/change-domains.js';
import { ListDomainsQuery } from '../queries/list-domains.js';
import type { WireDomain } from '../domains/wire-domains.js';
import { AddDomainParams, ChangeDomainParams } from './domains.params.js';
import { DomainSchema } from '../domains/wire-domains.js';

/** Domains of e-mail addresses that belong to the organization (endpoints.md §12). */
@ApiTags('organization')
@Controller('api/v1/realm/domains')
export class DomainsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @Answers(object({ domains: list(DomainSchema) }))
  @Summary("List the organization's domains", 'In the order in which they were added.')
  async list(@Caller() viewer: User): Promise<{ domains: readonly WireDomain[] }> {
    return { domains: await this.queries.execute(new ListDomainsQuery(viewer)) };
  }

  @Post()
  @Answers(object({ new_domain: tuple(integer, text) }))
  @Summary('Add a domain', 'For owners.')
  async add(
    @Caller() actor: User,
    @Params(AddDomainParams) { domain, allow_subdomains: allowSubdomains }: AddDomainParams,
  ): Promise<{ new_domain: readonly [number, string] }> {
    const [added] = await this.commands.execute(
      new ChangeDomainsCommand(actor, { type: 'add-domain', domain, allowSubdomains }),
    );
    if (added?.type !== 'domain.added.v1') throw new Error('A domain was accepted and not added.');
    return { new_domain: [added.data.domainId, added.data.domain] };
  }

  @Patch(':domain')
  @Answers()
  @Summary('Change a domain', 'Whether its subdomains count. For owners.')
  async change(
    @Caller() actor: User,
    @Param('domain') domain: string,
    @Params(ChangeDomainParams) { allow_subdomains: allowSubdomains }: ChangeDomainParams,
  ): Promise<void> {
    await this.commands.execute(new ChangeDomainsCommand(actor, { type: 'change-domain', domain, allowSubdomains }));
  }

  @Delete(':domain')
  @Answers()
  @Summary('Remove a domain', 'For owners.')
  async remove(@Caller() actor: User, @Param('domain') domain: string): Promise<void> {
    await this.commands.execute(new ChangeDomainsCommand(actor, { type: 'remove-domain', domain }));
  }
}
