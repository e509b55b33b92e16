import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags, Caller, Params, PathId } from '#http';
import type { User } from '#organization';
import { ChangeDraftsCommand } from './change-drafts.js';
import { NO_SUCH_DRAFT } from './drafts.decider.js';
import { AddDraftsParams, ChangeDraftParams } from './drafts.params.js';
import { ListDraftsQuery } from './list-drafts.js';
import type { WireDraft } from './wire-draft.js';

/** The caller's drafts (endpoints.md §6). */
@ApiTags('drafts')
@Controller('api/v1/drafts')
export class DraftsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  async list(@Caller() viewer: User): Promise<{ count: number; drafts: readonly WireDraft[] }> {
    const drafts = await this.queries.execute(new ListDraftsQuery(viewer));
    return { count: drafts.length, drafts };
  }

  @Post()
  async add(@Caller() actor: User, @Params(AddDraftsParams) { drafts }: AddDraftsParams): Promise<{ ids: number[] }> {
    const events = await this.commands.execute(new ChangeDraftsCommand(actor, { type: 'add-drafts', drafts }));
    const added = events.flatMap((event) => (event.type === 'drafts.added.v1' ? event.data.drafts : []));
    return { ids: added.map(({ draftId }) => draftId) };
  }

  @Patch(':draft_id')
  async change(
    @Caller() actor: User,
    @PathId('draft_id', NO_SUCH_DRAFT) draftId: number,
    @Params(ChangeDraftParams) { draft }: ChangeDraftParams,
  ): Promise<void> {
    await this.commands.execute(new ChangeDraftsCommand(actor, { type: 'change-draft', draftId, draft }));
  }

  @Delete(':draft_id')
  async remove(@Caller() actor: User, @PathId('draft_id', NO_SUCH_DRAFT) draftId: number): Promise<void> {
    await this.commands.execute(new ChangeDraftsCommand(actor, { type: 'remove-draft', draftId }));
  }
}
