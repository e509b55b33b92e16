import { Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiExcludeEndpoint, ApiTags, Caller, Files, type SmallFiles, TakesSmallFiles } from '#http';
import type { JsonObject } from '#kernel';
import { Directory, type User } from '#organization';
import { EMOJI_FILE_LIMIT_BYTES } from '../upload-limits.js';
import { AddEmojiCommand, DeactivateEmojiCommand } from './change-emoji.js';
import { wireEmojiMap } from './wire-emoji.js';
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
  list(): { emoji: JsonObject } {
    return { emoji: wireEmojiMap(this.directory.of(customEmojiPart)) };
  }

  @Post(':name')
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
  async deactivate(@Caller() actor: User, @Param('name') name: string): Promise<void> {
    await this.commands.execute(new DeactivateEmojiCommand(actor, name));
  }
}
