import { Controller, Delete, Get, Put } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Answers, ApiTags, Caller, Params, Summary } from '#http';
import type { User } from '#users/model';
import { map, object, text } from '#wire';
import { ChangeStorageCommand } from '../storage/change-storage.js';
import { ReadStorageQuery } from '../storage/read-storage.js';
import { SetStorageParams, StorageKeysParams } from './storage.params.js';

/** Key-value storage of a bot: texts by key, kept between two runs of it (endpoints.md §9). */
@ApiTags('bots')
@Controller('api/v1/bot_storage')
export class StorageController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @Answers(object({ storage: map(text) }))
  @Summary("Read the bot's storage", 'Texts by key that the calling bot keeps here.')
  async read(
    @Caller() viewer: User,
    @Params(StorageKeysParams) { keys }: StorageKeysParams,
  ): Promise<{ storage: Readonly<Record<string, string>> }> {
    return { storage: await this.queries.execute(new ReadStorageQuery(viewer, keys)) };
  }

  @Put()
  @Answers()
  @Summary("Write into the bot's storage", 'Replaces the texts of these keys. 10 million characters in all.')
  async set(@Caller() actor: User, @Params(SetStorageParams) { storage: values }: SetStorageParams): Promise<void> {
    await this.commands.execute(new ChangeStorageCommand(actor, { type: 'set-storage', values }));
  }

  @Delete()
  @Answers()
  @Summary("Remove from the bot's storage", 'All keys, unless some are named.')
  async remove(@Caller() actor: User, @Params(StorageKeysParams) { keys }: StorageKeysParams): Promise<void> {
    await this.commands.execute(new ChangeStorageCommand(actor, { type: 'remove-storage', keys }));
  }
}
