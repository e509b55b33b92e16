export { ACTIVE_BOTS_MAX, assertRoomForBot, mayCreateBot } from './bot-creation.access.js';
export type { BotEvent } from './bot.events.js';
export { BOT_TYPE, type BotService } from './bot.js';
export { botsPart } from './bots.part.js';
export { type NewSecrets, handedOver } from './handed-over.js';
