import { Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Answers, ApiExcludeEndpoint, ApiTags, Caller, Files, type SmallFiles, Summary, TakesSmallFiles } from '#http';
import { Directory } from '#people';
import type { User } from '#users/model';
import { object, type Wire } from '#wire';
import { EMOJI_FILE_LIMIT_BYTES } from '../upload-limits.js';
import { AddEmojiCommand, DeactivateEmojiCommand } from './change-emoji.js';
import { CustomEmojiMapSchema, wireEmojiMap } from './wire-emoji.js';
import { customEmojiPart } from '../model/emoji/custom-emoji.part.js';

/** Custom emoji (endpoints.md §12). */
@ApiTags('organization')
@Controller('api/v1/realm/emoji')
export class EmojiController {
  constructor(
    private readonly commands: CommandBus,
    private readonly directory: Directory,
  ) {}

  @Get()
  @Answers(object({ emoji: CustomEmojiMapSchema }))
  @Summary('List custom emoji', 'By ID; deactivated ones as well, since messages have them.')
  list(): { emoji: Wire<typeof CustomEmojiMapSchema> } {
    return { emoji: wireEmojiMap(this.directory.of(customEmojiPart).inOrder) };
  }

  @Post(':name')
  @Answers()
  @Summary('Add a custom emoji', 'One file. For `can_add_custom_emoji_group`.')
  @TakesSmallFiles(EMOJI_FILE_LIMIT_BYTES)
  async add(@Caller() actor: User, @Param('name') name: string, @Files() files: SmallFiles): Promise<void> {
    const { bytes } = files.only('You must upload exactly one file.');
    await this.commands.execute(new AddEmojiCommand(actor, name, bytes));
  }

  /** A name with a slash is refused like other names that no emoji can have. */
  @Post('*')
  @ApiExcludeEndpoint()
  @TakesSmallFiles(EMOJI_FILE_LIMIT_BYTES)
  addNamedByPath(@Caller() actor: User, @Param('*') name: string, @Files() files: SmallFiles): Promise<void> {
    return this.add(actor, name, files);
  }

  @Delete(':name')
  @Answers()
  @Summary('Deactivate a custom emoji', 'For its author and administrators. Messages keep it.')
  async deactivate(@Caller() actor: User, @Param('name') name: string): Promise<void> {
    await this.commands.execute(new DeactivateEmojiCommand(actor, name));
  }
}
