import { Controller, Delete, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Answers, ApiTags, Caller, Params, PathId, Summary } from '#http';
import type { User } from '#users/model';
import { integer, object } from '#wire';
import { ChangePlaygroundsCommand } from '../commands/change-playgrounds.js';
import { AddPlaygroundParams } from './playgrounds.params.js';

/** Websites that run the code of code blocks (endpoints.md §12). */
@ApiTags('organization')
@Controller('api/v1/realm/playgrounds')
export class PlaygroundsController {
  constructor(private readonly commands: CommandBus) {}

  @Post()
  @Answers(object({ id: integer }))
  @Summary('Add a code playground', 'A website that opens code blocks of a language. For administrators.')
  async add(@Caller() actor: User, @Params(AddPlaygroundParams) params: AddPlaygroundParams): Promise<{ id: number }> {
    const { name, pygments_language: pygmentsLanguage, url_template: urlTemplate } = params;
    const [added] = await this.commands.execute(
      new ChangePlaygroundsCommand(actor, { type: 'add-playground', name, pygmentsLanguage, urlTemplate }),
    );
    if (added?.type !== 'playground.added.v1') throw new Error('A playground was accepted and not added.');
    return { id: added.data.playgroundId };
  }

  @Delete(':playground_id')
  @Answers()
  @Summary('Remove a code playground', 'For administrators.')
  async remove(@Caller() actor: User, @PathId('playground_id') playgroundId: number): Promise<void> {
    await this.commands.execute(new ChangePlaygroundsCommand(actor, { type: 'remove-playground', playgroundId }));
  }
}
