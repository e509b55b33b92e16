import { defineFeature } from '#feature';
import { BotClientEvents } from './bots.client-events.js';
import { BotFields } from './bots.fields.js';
import { BotsModule } from './bots.module.js';
import { botStorageEventTypes } from './storage/storage.events.js';
import { botStorageProjection } from './storage/storage.projection.js';
import { OwnerNotice } from './owner-notice.js';

/** Bots and what they keep on the server. Events of the bots themselves are those of the organization. */
export const bots = defineFeature({
  name: 'bots',
  events: botStorageEventTypes,
  projections: [botStorageProjection],
  clientEvents: [BotClientEvents],
  followUps: { 'bot.owner-changed.v1': OwnerNotice },
  register: [BotFields],
  module: BotsModule,
});
