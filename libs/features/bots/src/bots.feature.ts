import { defineFeature, readerProvider } from '#feature';
import { BotClientEvents } from './bots.client-events.js';
import { BotFields } from './bots.fields.js';
import { BotsController } from './http/bots.controller.js';
import { StorageController } from './http/storage.controller.js';
import { listBots } from './list-bots.js';
import { OwnerNotice } from './owner-notice.js';
import { runBotCommand } from './run-bot-command.js';
import { changeStorage } from './storage/change-storage.js';
import { readStorage } from './storage/read-storage.js';
import { botStorageEventTypes } from './storage/storage.events.js';
import { botStorageProjection, botStorageCollection } from './storage/storage.projection.js';
import { StorageReader } from './storage/storage.reader.js';
import { botsPart } from './model/bots.part.js';
import { botEventSchemas, botFieldSchemas } from './wire-bot.js';

/** Bots and what they keep on the server. Their accounts are those of users. */
export const bots = defineFeature({
  name: 'bots',
  directory: [botsPart],
  events: botStorageEventTypes,
  projections: [botStorageProjection],
  clientEvents: [BotClientEvents],
  eventSchemas: [botEventSchemas],
  followUps: { 'bot.owner-changed.v1': OwnerNotice },
  register: [BotFields],
  registerSchemas: [botFieldSchemas],
  commands: [changeStorage, runBotCommand],
  queries: [listBots, readStorage],
  controllers: [BotsController, StorageController],
  providers: [readerProvider(StorageReader, botStorageCollection)],
});
