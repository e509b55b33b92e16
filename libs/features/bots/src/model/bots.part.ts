import { directoryBook } from '#directory';
import { BotBook } from './bot-book.js';
import { botEventTypes } from './bot.events.js';

/** Settings of bots. */
export const botsPart = directoryBook({ name: 'bots', events: botEventTypes, open: () => new BotBook() });
