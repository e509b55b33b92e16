import { Injectable } from '@nestjs/common';
import { fieldText } from '#feature';
import { Clock } from '#kernel';
import { apiEmail, Directory, knowing, type User } from '#organization';
import type { Presence } from './presence-book.js';
import { Presences } from './presences.js';
import { legacyPresences, wirePresence } from './wire-presence.js';

const DAY_S = 86_400;

export interface PresencesAsked {
  readonly format: 'modern' | 'legacy';
  /** Of people seen in so many days; 0 for the viewer alone. */
  readonly historyDays: number;
  /** What changed after this update, whenever it was; everything for -1. */
  readonly since: number;
}

/** Presence of all users as JSON text: with ten thousand users it is most of a reply. */
@Injectable()
export class PresenceLists {
  /** Modern texts by record. Records are replaced, never mutated. */
  readonly #texts = new WeakMap<Presence, string>();

  constructor(
    private readonly directory: Directory,
    private readonly presences: Presences,
    private readonly clock: Clock,
  ) {}

  /** The fields `presences` and `server_timestamp`. */
  fields(viewer: User, asked: PresencesAsked): string {
    const nowMs = this.clock.nowMs();
    const texts: string[] = [];
    if (!this.directory.settings.presence_disabled) {
      const seenSince = asked.since > 0 ? 0 : Math.floor(nowMs / 1000) - asked.historyDays * DAY_S;
      const isKnown = knowing(this.directory, viewer);
      for (const { user, presence } of this.presences.since(asked.since)) {
        if (!isKnown(user)) continue;
        if (asked.historyDays === 0 ? user.userId !== viewer.userId : presence.connectedAt < seenSince) continue;
        texts.push(asked.format === 'modern' ? this.#modernText(presence, user) : legacyText(presence, user));
      }
    }
    return `"presences":{${texts.join(',')}},"server_timestamp":${nowMs / 1000}`;
  }

  /** Goes with a list of what changed after `since`: that update when there was none later; -1 when there was none at all. */
  lastUpdateId(since: number): number {
    return this.directory.settings.presence_disabled ? -1 : Math.max(this.presences.lastUpdateId, since);
  }

  #modernText(presence: Presence, user: User): string {
    let text = this.#texts.get(presence);
    if (text === undefined) {
      text = fieldText(String(user.userId), JSON.stringify(wirePresence(presence, user)));
      this.#texts.set(presence, text);
    }
    return text;
  }
}

function legacyText(presence: Presence, user: User): string {
  return fieldText(apiEmail(user), JSON.stringify(legacyPresences(presence)));
}
