import { Injectable } from '@nestjs/common';
import { Clock } from '#kernel';
import { Directory, isLimitedViewer, knowing } from '#people';
import type { User } from '#users/model';
import { Presences } from './presences.js';
import { RunTexts } from './run-texts.js';
import { legacyEntry, modernEntry } from './wire-presence.js';

const DAY_S = 86_400;
const NOTHING = new Uint8Array();

export interface PresencesAsked {
  readonly format: 'modern' | 'legacy';
  /** Of people seen in so many days; 0 for nobody. */
  readonly historyDays: number;
  /** What changed after this update, whenever it was; everything for -1. */
  readonly since: number;
}

/** Presence of all users as JSON text: with ten thousand users it is most of a reply. */
@Injectable()
export class PresenceLists {
  readonly #texts: Readonly<Record<PresencesAsked['format'], RunTexts>>;

  constructor(
    private readonly directory: Directory,
    private readonly presences: Presences,
    private readonly clock: Clock,
  ) {
    this.#texts = {
      modern: new RunTexts(directory, presences, modernEntry),
      legacy: new RunTexts(directory, presences, legacyEntry),
    };
  }

  /** The fields `presences` and `server_timestamp`, in pieces. */
  fields(viewer: User, asked: PresencesAsked): readonly (string | Uint8Array)[] {
    const nowMs = this.clock.nowMs();
    const runs = this.directory.settings.presence_disabled ? [] : this.#entries(viewer, asked, nowMs);
    const [first, ...others] = runs.filter((bytes) => bytes.length > 0);
    const entries = first === undefined ? [] : [first.subarray(','.length), ...others];
    return ['"presences":{', ...entries, `},"server_timestamp":${nowMs / 1000}`];
  }

  /** Goes with a list of what changed after `since`: that update when there was none later; -1 when there was none at all. */
  lastUpdateId(since: number): number {
    return this.directory.settings.presence_disabled ? -1 : Math.max(this.presences.lastUpdateId, since);
  }

  /** Entries with a comma before each. */
  #entries(viewer: User, { format, historyDays, since }: PresencesAsked, nowMs: number): readonly Uint8Array[] {
    const texts = this.#texts[format];
    const runs = this.presences.since(since);
    if (historyDays === 0) return [];
    const seenSince = since > 0 ? 0 : Math.floor(nowMs / 1000) - historyDays * DAY_S;
    if (isLimitedViewer(this.directory, viewer)) {
      const isKnown = knowing(this.directory, viewer);
      return runs.map(
        (run) => texts.select(run, (user, { connectedAt }) => connectedAt >= seenSince && isKnown(user)).bytes,
      );
    }
    return runs.map((run) => {
      const text = texts.of(run);
      if (text.seenFrom >= seenSince) return text.bytes;
      if (text.seenUntil < seenSince) return NOTHING;
      return texts.select(run, (_, { connectedAt }) => connectedAt >= seenSince).bytes;
    });
  }
}
