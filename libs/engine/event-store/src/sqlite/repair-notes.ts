import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs';

/** Positions, inclusive and ascending. */
export type PositionRanges = [first: number, last: number][];

/** What a repair did, for the next start. */
export interface RepairNote {
  /** UUID. */
  readonly id: string;
  /** Seconds since the epoch. */
  readonly at: number;
  readonly replaced: PositionRanges;
  readonly left: PositionRanges;
}

export function addRepairNote(log: string, note: RepairNote): void {
  appendFileSync(fileOf(log), `${JSON.stringify(note)}\n`, { mode: 0o600, flush: true });
}

/** Notes beside a log; those that a crash cut short are left out. */
export function repairNotes(log: string): readonly RepairNote[] {
  const file = fileOf(log);
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => (line.startsWith('{') && line.endsWith('}') ? (JSON.parse(line) as RepairNote) : []));
}

export function removeRepairNotes(log: string): void {
  rmSync(fileOf(log), { force: true });
}

function fileOf(log: string): string {
  return `${log}.repairs`;
}
