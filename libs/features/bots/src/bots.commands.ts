import type { Avatar } from '#users/model';
import type { BotService } from './model/bot.js';
import type { NewSecrets } from './model/handed-over.js';

interface ByActor {
  /** Looked up again when the command is decided, since roles may have changed meanwhile. */
  readonly actorId: number;
  /** Seconds since the epoch. */
  readonly at: number;
}

/** Settings that only bots have; undefined stays as it is. */
export interface BotSettings {
  /** Name of a channel; null for none. */
  readonly sendsTo?: string | null | undefined;
  /** Name of a channel; null for none. */
  readonly listensTo?: string | null | undefined;
  readonly listensToAll?: boolean | undefined;
  readonly config?: Readonly<Record<string, string>> | undefined;
  /** The new picture, whose content is stored already. */
  readonly avatar?: Avatar;
}

export interface CreateBot extends ByActor, BotSettings {
  readonly type: 'create-bot';
  readonly fullName: string;
  /** First part of the bot's address. */
  readonly shortName: string;
  readonly botType: number;
  /** Last part of the bot's address. */
  readonly domain: string;
  /** Where an outgoing webhook bot calls. */
  readonly service: BotService;
  /** Hash of the bot's first API key, by its future user ID. */
  readonly apiKeyHash: (userId: number) => string;
}

export interface ChangeBot extends ByActor, BotSettings {
  readonly type: 'change-bot';
  readonly botId: number;
  readonly fullName?: string | undefined;
  readonly role?: number | undefined;
  readonly ownerId?: number | undefined;
  readonly serviceUrl?: string | undefined;
  readonly serviceInterface?: number | undefined;
  /** Of the bot if it gets another owner. */
  readonly secrets: NewSecrets;
}

export interface DeactivateBot extends ByActor {
  readonly type: 'deactivate-bot';
  readonly botId: number;
}

export interface RegenerateBotKey extends ByActor {
  readonly type: 'regenerate-bot-key';
  readonly botId: number;
  readonly apiKeyHash: (userId: number, generation: number) => string;
}

export type BotCommand = CreateBot | ChangeBot | DeactivateBot | RegenerateBotKey;
