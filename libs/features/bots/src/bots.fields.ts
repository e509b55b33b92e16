import { Injectable } from '@nestjs/common';
import { type JsonFields, type RegisterContext, RegisterFields, wants } from '#feature';
import { originFrom } from '#kernel';
import { ApiKeys } from '#users';
import { UseLog } from '#uses';
import { maySeeBot } from './bots.access.js';
import { type WireBot, wireBot } from './wire-bot.js';

/** Bots that the viewer administers (register.md §2). */
@Injectable()
export class BotFields extends RegisterFields {
  override readonly keys = ['realm_bot'];

  constructor(
    private readonly apiKeys: ApiKeys,
    private readonly uses: UseLog,
  ) {
    super();
  }

  override addTo(fields: JsonFields, context: RegisterContext): void {
    if (!wants(context, 'realm_bot')) return;
    const { directory, viewer } = context;
    const bots: WireBot[] = [];
    const seen: { readonly userId: number; readonly key: number }[] = [];
    for (const user of directory.bots()) {
      if (!maySeeBot(directory, viewer, user)) continue;
      const bot = wireBot(directory, this.apiKeys, viewer, user);
      bots.push(bot);
      if (bot.api_key !== '') seen.push({ userId: user.userId, key: user.apiKey?.generation ?? 1 });
    }
    this.uses.noteKeysSeen(originFrom(viewer), seen);
    fields.add('realm_bots', bots);
  }
}
