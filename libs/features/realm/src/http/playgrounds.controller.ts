import { Controller, Delete, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags, Caller, Params, PathId } from '#http';
import type { User } from '#organization';
import { ChangePlaygroundsCommand } from '../commands/change-playgrounds.js';
import { AddPlaygroundParams } from './playgrounds.params.js';

/** Websites that run the code of code blocks (endpoints.md §12). */
@ApiTags('organization')
@Controller('api/v1/realm/playgrounds')
export class PlaygroundsController {
  constructor(private readonly commands: CommandBus) {}

  @Post()
  async add(@Caller() actor: User, @Params(AddPlaygroundParams) params: AddPlaygroundParams): Promise<{ id: number }> {
    const { name, pygments_language: pygmentsLanguage, url_template: urlTemplate } = params;
    const [added] = await this.commands.execute(
      new ChangePlaygroundsCommand(actor, { type: 'add-playground', name, pygmentsLanguage, urlTemplate }),
    );
    if (added?.type !== 'playground.added.v1') throw new Error('A playground was accepted and not added.');
    return { id: added.data.playgroundId };
  }

  @Delete(':playground_id')
  async remove(@Caller() actor: User, @PathId('playground_id') playgroundId: number): Promise<void> {
    await this.commands.execute(new ChangePlaygroundsCommand(actor, { type: 'remove-playground', playgroundId }));
  }
}
