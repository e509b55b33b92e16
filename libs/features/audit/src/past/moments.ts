import { Injectable } from '@nestjs/common';
import { EventStore, messageIdOf, streams } from '#event-store';
import { isEventUpTo, type Moment } from '../moment.js';
import type { LogEvent } from '../rows.js';

/** Finds where streams stood at a moment, by halving: some twenty reads of one event each. */
@Injectable()
export class Moments {
  constructor(private readonly store: EventStore) {}

  /** ID of the last message sent up to the moment; 0 for none. */
  async lastMessageId(moment: Moment): Promise<number> {
    return messageIdOf(await this.lastRevision(streams.messages, moment));
  }

  /** Revision of the last event of a stream up to the moment; -1 for none. */
  async lastRevision(stream: string, moment: Moment): Promise<number> {
    const [last] = (await this.store.readStream(stream, { direction: 'backwards', limit: 1 })) as readonly LogEvent[];
    if (last === undefined || isEventUpTo(moment, last)) return last?.revision ?? -1;
    let [known, beyond] = [-1, last.revision];
    while (beyond - known > 1) {
      const middle = Math.floor((known + beyond) / 2);
      const [event] = (await this.store.readStream(stream, { from: middle, limit: 1 })) as readonly LogEvent[];
      if (event !== undefined && isEventUpTo(moment, event)) known = middle;
      else beyond = middle;
    }
    return known;
  }

  /** Position after which subscriptions and other facts of the organization are later than the moment. */
  async organizationPosition(moment: Moment): Promise<number> {
    if (moment.kind === 'now') return Number.MAX_SAFE_INTEGER;
    if (moment.kind === 'position') return moment.position;
    const revision = await this.lastRevision(streams.organization, moment);
    const [event] = revision < 0 ? [] : await this.store.readStream(streams.organization, { from: revision, limit: 1 });
    return event?.position ?? 0;
  }
}
