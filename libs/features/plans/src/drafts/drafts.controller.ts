import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Answers, ApiTags, Caller, Params, PathId, Summary } from '#http';
import type { User } from '#users/model';
import { integer, list, object } from '#wire';
import { ChangeDraftsCommand } from './change-drafts.js';
import { NO_SUCH_DRAFT } from './drafts.decider.js';
import { AddDraftsParams, ChangeDraftParams } from './drafts.params.js';
import { ListDraftsQuery } from './list-drafts.js';
import type { WireDraft } from './wire-draft.js';
import { DraftSchema } from './wire-draft.js';

/** The caller's drafts (endpoints.md §6). */
@ApiTags('drafts')
@Controller('api/v1/drafts')
export class DraftsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @Answers(object({ count: integer, drafts: list(DraftSchema) }))
  @Summary("List the caller's drafts", 'The last edited first.')
  async list(@Caller() viewer: User): Promise<{ count: number; drafts: readonly WireDraft[] }> {
    const drafts = await this.queries.execute(new ListDraftsQuery(viewer));
    return { count: drafts.length, drafts };
  }

  @Post()
  @Answers(object({ ids: list(integer) }))
  @Summary('Save drafts', 'Answers with their IDs in the order of the drafts.')
  async add(@Caller() actor: User, @Params(AddDraftsParams) { drafts }: AddDraftsParams): Promise<{ ids: number[] }> {
    const events = await this.commands.execute(new ChangeDraftsCommand(actor, { type: 'add-drafts', drafts }));
    const added = events.flatMap((event) => (event.type === 'drafts.added.v1' ? event.data.drafts : []));
    return { ids: added.map(({ draftId }) => draftId) };
  }

  @Patch(':draft_id')
  @Answers()
  @Summary('Change a draft', 'The whole of it.')
  async change(
    @Caller() actor: User,
    @PathId('draft_id', NO_SUCH_DRAFT) draftId: number,
    @Params(ChangeDraftParams) { draft }: ChangeDraftParams,
  ): Promise<void> {
    await this.commands.execute(new ChangeDraftsCommand(actor, { type: 'change-draft', draftId, draft }));
  }

  @Delete(':draft_id')
  @Answers()
  @Summary('Delete a draft', "One of the caller's.")
  async remove(@Caller() actor: User, @PathId('draft_id', NO_SUCH_DRAFT) draftId: number): Promise<void> {
    await this.commands.execute(new ChangeDraftsCommand(actor, { type: 'remove-draft', draftId }));
  }
}
