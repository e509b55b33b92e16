import type { CommandCall, CommandOption } from './command.js';
import { wholeNumber } from './option-values.js';

/** Option of commands that print tables. */
export const JSON_OPTION: Readonly<Record<'json', CommandOption>> = {
  json: { summary: 'JSON lines for programs, instead of a table' },
};

/** Option of commands that answer with a part of a list. */
export const LIMIT_OPTION: Readonly<Record<'limit', CommandOption>> = {
  limit: { value: 'N', summary: 'rows at most (default: 100)', check: wholeNumber(1, 1_000) },
};

export type Row = Readonly<Record<string, unknown>>;

/** Heading and text of a column. */
export type Columns<Shown extends Row> = Readonly<Record<string, (row: Shown) => unknown>>;

/** Prints rows as a table for people, or as JSON lines when `--json` asks for them. */
export async function printRows<Shown extends Row>(
  call: CommandCall,
  rows: readonly Shown[],
  columns: Columns<Shown>,
): Promise<void> {
  const lines = call.has('json') ? rows.map((row) => JSON.stringify(row)) : tableOf(rows, columns);
  for (const line of lines) await call.terminal.print(line);
}

/** Lines of a table, with its headings, whose columns are as wide as their widest cell. */
export function tableOf<Shown extends Row>(rows: readonly Shown[], columns: Columns<Shown>): readonly string[] {
  const cells = [Object.keys(columns), ...rows.map((row) => Object.values(columns).map((text) => cellOf(text(row))))];
  const widths = Object.keys(columns).map((_, index) => Math.max(...cells.map((line) => line[index]?.length ?? 0)));
  return cells.map((line) =>
    line
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** Control characters in a name must not move the cursor of a terminal. */
function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return (typeof value === 'string' ? value : JSON.stringify(value)).replaceAll(/\p{Cc}/gu, ' ');
}

/** Seconds since the epoch as a time that sorts and is read alike everywhere. */
export function timeOf(seconds: unknown): string {
  return typeof seconds === 'number' ? `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z` : '-';
}

/** A duration in its two largest units. */
export function durationOf(seconds: unknown): string {
  if (typeof seconds !== 'number') return '-';
  const units = [
    ['d', 86_400],
    ['h', 3_600],
    ['m', 60],
    ['s', 1],
  ] as const;
  const first = units.findIndex(([, size]) => Math.abs(seconds) >= size);
  if (first === -1) return '0s';
  let rest = Math.abs(Math.round(seconds));
  const parts: string[] = [];
  for (const [unit, size] of units.slice(first, first + 2)) {
    if (rest >= size || parts.length === 0) parts.push(`${Math.floor(rest / size)}${unit}`);
    rest %= size;
  }
  return `${seconds < 0 ? '-' : ''}${parts.join(' ')}`;
}
