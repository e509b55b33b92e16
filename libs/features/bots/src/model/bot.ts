import type { BotConfigured } from './bot.events.js';

export const BOT_TYPE = { generic: 1, incomingWebhook: 2, outgoingWebhook: 3, embedded: 4 } as const;

/** Settings that only bots have. */
export interface Bot {
  /** ID of the channel for messages that name none. */
  readonly sendsTo: number | null;
  /** ID of the channel whose messages a queue without a narrow receives. */
  readonly listensTo: number | null;
  /** Whether a queue that says nothing of it receives messages of all public channels. */
  readonly listensToAll: boolean;
  /** Where an outgoing webhook bot calls. */
  readonly service?: BotService;
  readonly config: Readonly<Record<string, string>>;
}

export type BotService = Exclude<BotConfigured['data']['service'], undefined>;

export const NEW_BOT: Bot = { sendsTo: null, listensTo: null, listensToAll: false, config: {} };
