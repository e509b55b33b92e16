import { directoryBook } from '#directory';
import { BotBook } from './bot-book.js';
import { botEventTypes } from './bot.events.js';

/** Settings of bots. */
export const botsPart = directoryBook({
  name: 'bots',
  events: botEventTypes,
  open: () => new BotBook(),
  earlier: {
    // What services let a bot in by, and what it is configured with, may be secret.
    'bot.configured.v1': (bots, { userId, sendsTo, listensTo, listensToAll }) => {
      const was = bots.get(userId);
      return {
        ...(sendsTo !== undefined && { sendsTo: was.sendsTo }),
        ...(listensTo !== undefined && { listensTo: was.listensTo }),
        ...(listensToAll !== undefined && { listensToAll: was.listensToAll }),
      };
    },
  },
});
