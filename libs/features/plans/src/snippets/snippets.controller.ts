import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Answers, ApiTags, Caller, Params, PathId, Summary } from '#http';
import type { User } from '#users/model';
import { integer, list, object } from '#wire';
import { ChangeSnippetsCommand } from './change-snippets.js';
import { NO_SUCH_SNIPPET } from './snippets.decider.js';
import { ListSnippetsQuery } from './list-snippets.js';
import { AddSnippetParams, ChangeSnippetParams } from './snippets.params.js';
import type { WireSnippet } from './wire-snippet.js';
import { SnippetSchema } from './wire-snippet.js';

/** The caller's saved snippets (endpoints.md §6). */
@ApiTags('saved snippets')
@Controller('api/v1/saved_snippets')
export class SnippetsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @Answers(object({ saved_snippets: list(SnippetSchema) }))
  @Summary("List the caller's saved snippets", 'Texts to be used again.')
  async list(@Caller() viewer: User): Promise<{ saved_snippets: readonly WireSnippet[] }> {
    return { saved_snippets: await this.queries.execute(new ListSnippetsQuery(viewer)) };
  }

  @Post()
  @Answers(object({ saved_snippet_id: integer }))
  @Summary('Save a snippet', 'A title and a text.')
  async add(
    @Caller() actor: User,
    @Params(AddSnippetParams) { title, content }: AddSnippetParams,
  ): Promise<{ saved_snippet_id: number }> {
    const [added] = await this.commands.execute(
      new ChangeSnippetsCommand(actor, { type: 'add-snippet', title, content }),
    );
    if (added?.type !== 'snippet.added.v1') throw new Error('A snippet was accepted and not added.');
    return { saved_snippet_id: added.data.snippet.snippetId };
  }

  @Patch(':saved_snippet_id')
  @Answers()
  @Summary('Change a saved snippet', 'Title or text.')
  async change(
    @Caller() actor: User,
    @PathId('saved_snippet_id', NO_SUCH_SNIPPET) snippetId: number,
    @Params(ChangeSnippetParams) { title, content }: ChangeSnippetParams,
  ): Promise<void> {
    await this.commands.execute(
      new ChangeSnippetsCommand(actor, { type: 'change-snippet', snippetId, title, content }),
    );
  }

  @Delete(':saved_snippet_id')
  @Answers()
  @Summary('Delete a saved snippet', "One of the caller's.")
  async remove(@Caller() actor: User, @PathId('saved_snippet_id', NO_SUCH_SNIPPET) snippetId: number): Promise<void> {
    await this.commands.execute(new ChangeSnippetsCommand(actor, { type: 'remove-snippet', snippetId }));
  }
}
