import { Controller, Get, Patch, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags, Caller, OptionalAuth, Params, PathId } from '#http';
import { callerOrSpectator, Directory, type User } from '#organization';
import { ChangeFoldersCommand } from './change-folders.js';
import { ChangeFolderParams, CreateFolderParams, ListFoldersParams, ReorderFoldersParams } from './folders.params.js';
import { ListFoldersQuery } from './list-folders.js';
import type { WireFolder } from './wire-folder.js';

/** Channel folders (endpoints.md §8). */
@ApiTags('channels')
@Controller('api/v1/channel_folders')
export class FoldersController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly directory: Directory,
  ) {}

  @Get()
  @OptionalAuth()
  async list(
    @Caller() caller: User | undefined,
    @Params(ListFoldersParams) params: ListFoldersParams,
  ): Promise<{ channel_folders: readonly WireFolder[] }> {
    callerOrSpectator(this.directory, caller);
    return { channel_folders: await this.queries.execute(new ListFoldersQuery(params.include_archived)) };
  }

  @Post('create')
  async create(
    @Caller() actor: User,
    @Params(CreateFolderParams) { name, description }: CreateFolderParams,
  ): Promise<{ channel_folder_id: number }> {
    const [created] = await this.commands.execute(
      new ChangeFoldersCommand(actor, { type: 'create-folder', name, description }),
    );
    if (created?.type !== 'channel-folder.created.v1') throw new Error('A folder was accepted and not created.');
    return { channel_folder_id: created.data.folderId };
  }

  @Patch()
  async reorder(@Caller() actor: User, @Params(ReorderFoldersParams) { order }: ReorderFoldersParams): Promise<void> {
    await this.commands.execute(new ChangeFoldersCommand(actor, { type: 'reorder-folders', folderIds: order }));
  }

  @Patch(':channel_folder_id')
  async change(
    @Caller() actor: User,
    @PathId('channel_folder_id') folderId: number,
    @Params(ChangeFolderParams) { name, description, is_archived: isArchived }: ChangeFolderParams,
  ): Promise<void> {
    await this.commands.execute(
      new ChangeFoldersCommand(actor, { type: 'change-folder', folderId, name, description, isArchived }),
    );
  }
}
