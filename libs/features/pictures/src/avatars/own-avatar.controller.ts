import { Controller, Delete, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Answers, ApiTags, Caller, Files, type SmallFiles, Summary, TakesSmallFiles } from '#http';
import { avatarAddress, type User } from '#users/model';
import { Directory } from '#people';
import { LIMITS } from '#realm/model';
import { object, text } from '#wire';
import { ChangeAvatarCommand } from './change-avatar.js';
import { MIB_BYTES } from '../upload-limits.js';

/** One's own picture (endpoints.md §7). */
@ApiTags('users')
@Controller('api/v1/users/me/avatar')
export class OwnAvatarController {
  constructor(
    private readonly commands: CommandBus,
    private readonly directory: Directory,
  ) {}

  @Post()
  @Answers(object({ avatar_url: text }))
  @Summary("Set the caller's picture", 'One file, which is drawn anew.')
  @TakesSmallFiles(LIMITS.max_avatar_file_size_mib * MIB_BYTES)
  async upload(@Caller() actor: User, @Files() files: SmallFiles): Promise<{ avatar_url: string }> {
    const { bytes } = files.only('You must upload exactly one avatar.');
    await this.commands.execute(new ChangeAvatarCommand(actor, bytes));
    return this.#current(actor);
  }

  @Delete()
  @Answers(object({ avatar_url: text }))
  @Summary("Remove the caller's picture", 'Answers with the picture that everybody begins with.')
  async remove(@Caller() actor: User): Promise<{ avatar_url: string }> {
    await this.commands.execute(new ChangeAvatarCommand(actor, null));
    return this.#current(actor);
  }

  #current({ userId }: User): { avatar_url: string } {
    const user = this.directory.user(userId);
    if (user === undefined) throw new Error(`There is no user ${userId}.`);
    return { avatar_url: avatarAddress(user) };
  }
}
