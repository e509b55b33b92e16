import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Answers, ApiTags, Caller, Params, PathId, RecordsNothing, Summary } from '#http';
import { badRequest } from '#kernel';
import { linkifierProblem, linksBy } from '#markdown';
import { Directory } from '#people';
import { assertAdministrator, type User } from '#users/model';
import { integer, list, object, text, type Wire } from '#wire';
import { ChangeLinkifiersCommand } from '../commands/change-linkifiers.js';
import { ListLinkifiersQuery } from '../queries/list-linkifiers.js';
import {
  FilterSchema,
  LinkifierSchema,
  type WireFilter,
  wireFilters,
  type WireLinkifier,
} from '../linkifiers/wire-linkifiers.js';
import { LinkifierParams, ReorderLinkifiersParams, TryLinkifierParams } from './linkifiers.params.js';

const FoundLinksSchema = object({ links: list(object({ text, url: text })) });

/** The organization's linkifiers (endpoints.md §12), formerly called filters. */
@ApiTags('organization')
@Controller('api/v1/realm')
export class LinkifiersController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly directory: Directory,
  ) {}

  @Get('linkifiers')
  @Answers(object({ linkifiers: list(LinkifierSchema) }))
  @Summary('List the linkifiers', 'In the order in which they apply.')
  async list(): Promise<{ linkifiers: readonly WireLinkifier[] }> {
    return { linkifiers: await this.queries.execute(new ListLinkifiersQuery()) };
  }

  @Patch('linkifiers')
  @Answers()
  @Summary('Order the linkifiers', 'Every one is named once. For administrators.')
  async reorder(
    @Caller() actor: User,
    @Params(ReorderLinkifiersParams) params: ReorderLinkifiersParams,
  ): Promise<void> {
    const linkifierIds = params.ordered_linkifier_ids;
    await this.commands.execute(new ChangeLinkifiersCommand(actor, { type: 'reorder-linkifiers', linkifierIds }));
  }

  @Post('linkifiers/try')
  @Answers(FoundLinksSchema)
  @Summary('Try a linkifier', 'What it alone would find in a text, whether or not it is there. For administrators.')
  @RecordsNothing()
  try(@Caller() actor: User, @Params(TryLinkifierParams) params: TryLinkifierParams): Wire<typeof FoundLinksSchema> {
    assertAdministrator(actor);
    const linkifier = { pattern: params.pattern, urlTemplate: params.url_template };
    const problem = linkifierProblem(linkifier);
    if (problem !== undefined) throw badRequest(problem);
    return { links: linksBy(linkifier, params.content) };
  }

  /** The older form, which is read-only. */
  @Get('filters')
  @Answers(object({ filters: list(FilterSchema) }))
  @Summary('List the linkifiers in the older form', 'Those that it can express.')
  listFilters(): { filters: readonly WireFilter[] } {
    return { filters: wireFilters(this.directory) };
  }

  @Post('filters')
  @Answers(object({ id: integer }))
  @Summary('Add a linkifier', 'A pattern and the template of an address. For administrators.')
  async add(@Caller() actor: User, @Params(LinkifierParams) params: LinkifierParams): Promise<{ id: number }> {
    const definition = { pattern: params.pattern, urlTemplate: params.url_template };
    const [added] = await this.commands.execute(
      new ChangeLinkifiersCommand(actor, { type: 'add-linkifier', ...definition }),
    );
    if (added?.type !== 'linkifier.added.v1') throw new Error('A linkifier was accepted and not added.');
    return { id: added.data.linkifierId };
  }

  @Patch('filters/:filter_id')
  @Answers()
  @Summary('Change a linkifier', 'For administrators.')
  async change(
    @Caller() actor: User,
    @PathId('filter_id') linkifierId: number,
    @Params(LinkifierParams) params: LinkifierParams,
  ): Promise<void> {
    const definition = { pattern: params.pattern, urlTemplate: params.url_template };
    await this.commands.execute(
      new ChangeLinkifiersCommand(actor, { type: 'change-linkifier', linkifierId, ...definition }),
    );
  }

  @Delete('filters/:filter_id')
  @Answers()
  @Summary('Remove a linkifier', 'For administrators.')
  async remove(@Caller() actor: User, @PathId('filter_id') linkifierId: number): Promise<void> {
    await this.commands.execute(new ChangeLinkifiersCommand(actor, { type: 'remove-linkifier', linkifierId }));
  }
}
