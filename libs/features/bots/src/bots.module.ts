import { Global, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { readerProvider } from '#feature';
import { MessagesModule } from '#messages';
import { PicturesModule } from '#pictures';
import { BotFields } from './bots.fields.js';
import { BotClientEvents } from './bots.client-events.js';
import { BotsController } from './http/bots.controller.js';
import { StorageController } from './http/storage.controller.js';
import { ListBotsHandler } from './list-bots.js';
import { OwnerNotice } from './owner-notice.js';
import { RunBotCommandHandler } from './run-bot-command.js';
import { ChangeStorageHandler } from './storage/change-storage.js';
import { ReadStorageHandler } from './storage/read-storage.js';
import { botStorageCollection } from './storage/storage.projection.js';
import { StorageReader } from './storage/storage.reader.js';

/** Bots and what they keep on the server. */
@Global()
@Module({
  imports: [CqrsModule, MessagesModule, PicturesModule],
  controllers: [BotsController, StorageController],
  providers: [
    readerProvider(StorageReader, botStorageCollection),
    BotClientEvents,
    BotFields,
    ChangeStorageHandler,
    ListBotsHandler,
    OwnerNotice,
    ReadStorageHandler,
    RunBotCommandHandler,
  ],
  exports: [BotClientEvents, BotFields],
})
export class BotsModule {}
