import { Injectable } from '@nestjs/common';
import { type JsonFields, type RegisterContext, RegisterFields, wants } from '#feature';
import { ApiKeys } from '#users';
import { maySeeBot } from './bots.access.js';
import { type WireBot, wireBot } from './wire-bot.js';

/** Bots that the viewer administers (register.md §2). */
@Injectable()
export class BotFields extends RegisterFields {
  override readonly keys = ['realm_bot'];

  constructor(private readonly apiKeys: ApiKeys) {
    super();
  }

  override addTo(fields: JsonFields, context: RegisterContext): void {
    if (!wants(context, 'realm_bot')) return;
    const { directory, viewer } = context;
    const bots: WireBot[] = [];
    for (const user of directory.bots())
      if (maySeeBot(directory, viewer, user)) bots.push(wireBot(directory, this.apiKeys, viewer, user));
    fields.add('realm_bots', bots);
  }
}
