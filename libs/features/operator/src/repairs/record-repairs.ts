import { Injectable } from '@nestjs/common';
import { EventStore, type RepairNote, repairNotes, removeRepairNotes, streams, withOrigin } from '#event-store';
import { BY_OPERATOR } from '#kernel';
import type { LogRepaired } from './repair.events.js';

/** Ranges of positions in an event: some 20 kB. */
const RANGES_MAX = 1_000;
/** Notes that are looked for among what is recorded: more repairs than anybody makes between two starts. */
const RECENT_MAX = 100;

/** Records at a start what `repair` did while the server was stopped. */
@Injectable()
export class RecordRepairs {
  constructor(private readonly events: EventStore) {}

  /** @param log file of the log */
  async record(log: string): Promise<void> {
    const notes = repairNotes(log);
    if (notes.length === 0) return;
    const recent = await this.events.readStream(streams.repairs, { direction: 'backwards', limit: RECENT_MAX });
    const known = new Set(recent.map(({ id }) => id));
    const news = notes.filter(({ id }) => !known.has(id));
    const events = news.map((note) => withOrigin({ id: note.id, ...eventOf(note) }, BY_OPERATOR));
    for (const event of events) await this.events.append(streams.repairs, 'any', [event]);
    removeRepairNotes(log);
  }
}

function eventOf({ at, replaced, left }: RepairNote): LogRepaired {
  return { type: 'log.repaired.v1', data: { replaced: recordsIn(replaced), left: recordsIn(left), at } };
}

function recordsIn(ranges: RepairNote['replaced']): LogRepaired['data']['replaced'] {
  const count = ranges.reduce((sum, [first, last]) => sum + last - first + 1, 0);
  return { count, ranges: ranges.slice(0, RANGES_MAX) };
}
