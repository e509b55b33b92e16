import { Controller, Delete, Get, Param as PathText, Patch, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Answers, ApiExcludeEndpoint, ApiTags, Caller, Params, Summary } from '#http';
import type { User } from '#users/model';
import { list, object } from '#wire';
import { ChangeViewsCommand } from './change-views.js';
import { ListViewsQuery } from './list-views.js';
import { AddViewParams, ChangeViewParams } from './views.params.js';
import type { WireView } from './wire-view.js';
import { ViewSchema } from './wire-view.js';

/** The caller's navigation views (endpoints.md §6). In paths, slashes of a fragment may be percent-encoded or stand as they are. */
@ApiTags('navigation views')
@Controller('api/v1/navigation_views')
export class ViewsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @Answers(object({ navigation_views: list(ViewSchema) }))
  @Summary("List the caller's navigation views", 'Those that differ from the built-in ones.')
  async list(@Caller() viewer: User): Promise<{ navigation_views: readonly WireView[] }> {
    return { navigation_views: await this.queries.execute(new ListViewsQuery(viewer)) };
  }

  @Post()
  @Answers()
  @Summary('Add a navigation view', 'A place in the client, by the fragment of its address.')
  async add(@Caller() actor: User, @Params(AddViewParams) params: AddViewParams): Promise<void> {
    const { fragment, is_pinned: isPinned, name } = params;
    await this.commands.execute(new ChangeViewsCommand(actor, { type: 'add-view', fragment, isPinned, name }));
  }

  @Patch(':fragment')
  @Answers()
  @Summary('Change a navigation view', 'Its name, and whether it is pinned.')
  async change(
    @Caller() actor: User,
    @PathText('fragment') fragment: string,
    @Params(ChangeViewParams) { is_pinned: isPinned, name }: ChangeViewParams,
  ): Promise<void> {
    await this.commands.execute(new ChangeViewsCommand(actor, { type: 'change-view', fragment, isPinned, name }));
  }

  @Patch('*')
  @Answers()
  @Summary('Change a navigation view', 'As `change`.')
  @ApiExcludeEndpoint()
  async changeBySegments(
    @Caller() actor: User,
    @PathText('*') fragment: string,
    @Params(ChangeViewParams) params: ChangeViewParams,
  ): Promise<void> {
    await this.change(actor, fragment, params);
  }

  @Delete(':fragment')
  @Answers()
  @Summary('Remove a navigation view', 'A built-in one becomes as it was.')
  async remove(@Caller() actor: User, @PathText('fragment') fragment: string): Promise<void> {
    await this.commands.execute(new ChangeViewsCommand(actor, { type: 'remove-view', fragment }));
  }

  @Delete('*')
  @Answers()
  @Summary('Remove a navigation view', 'As `remove`.')
  @ApiExcludeEndpoint()
  async removeBySegments(@Caller() actor: User, @PathText('*') fragment: string): Promise<void> {
    await this.remove(actor, fragment);
  }
}
