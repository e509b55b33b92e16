import { Controller, Get, Patch, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Answers, ApiTags, Caller, OptionalAuth, Params, PathId, Summary } from '#http';
import { callerOrSpectator, Directory } from '#people';
import type { User } from '#users/model';
import { integer, list, object } from '#wire';
import { ChangeFoldersCommand } from './change-folders.js';
import { ChangeFolderParams, CreateFolderParams, ListFoldersParams, ReorderFoldersParams } from './folders.params.js';
import { ListFoldersQuery } from './list-folders.js';
import type { WireFolder } from './wire-folder.js';
import { FolderSchema } from './wire-folder.js';

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
  @Answers(object({ channel_folders: list(FolderSchema) }))
  @Summary('List channel folders', 'In their order.')
  @OptionalAuth()
  async list(
    @Caller() caller: User | undefined,
    @Params(ListFoldersParams) params: ListFoldersParams,
  ): Promise<{ channel_folders: readonly WireFolder[] }> {
    callerOrSpectator(this.directory, caller);
    return { channel_folders: await this.queries.execute(new ListFoldersQuery(params.include_archived)) };
  }

  @Post('create')
  @Answers(object({ channel_folder_id: integer }))
  @Summary('Create a channel folder', 'For administrators.')
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
  @Answers()
  @Summary('Order the channel folders', 'Every folder is named once. For administrators.')
  async reorder(@Caller() actor: User, @Params(ReorderFoldersParams) { order }: ReorderFoldersParams): Promise<void> {
    await this.commands.execute(new ChangeFoldersCommand(actor, { type: 'reorder-folders', folderIds: order }));
  }

  @Patch(':channel_folder_id')
  @Answers()
  @Summary('Change a channel folder', 'Name, description, and whether it is archived. For administrators.')
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
