import type { Handlers } from '#directory';
import type { BotConfigured } from './bot.events.js';
import { type Bot, NEW_BOT } from './bot.js';

/** Settings of bots, a part of the directory. Records are replaced, never mutated. */
export class BotBook {
  readonly #bots = new Map<number, Bot>();

  readonly on: Handlers<BotConfigured> = {
    'bot.configured.v1': ({ data: { userId, isPrivate: _isPrivate, by: _by, at: _at, ...changes } }) => {
      this.#bots.set(userId, { ...this.get(userId), ...changes });
    },
  };

  /** Settings of a bot; one that was never configured has those of a new bot. */
  get(userId: number): Bot {
    return this.#bots.get(userId) ?? NEW_BOT;
  }

  snapshot(): readonly BotRecord[] {
    return [...this.#bots].map(([userId, bot]) => ({ userId, ...bot }));
  }

  /** @param bots absent in snapshots from before bots had settings */
  restore(bots: readonly BotRecord[] = []): void {
    for (const { userId, ...bot } of bots) this.#bots.set(userId, bot);
  }
}

export interface BotRecord extends Bot {
  readonly userId: number;
}
