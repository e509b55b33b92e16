import type { CommandCall } from './command.js';
import { fieldsOf, type OperatorClient } from './operator-client.js';
import { type Row, tableOf, timeOf } from './table.js';

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** Prints how much there is and how it grows. @returns the exit code */
export async function printStatistics(call: CommandCall, server: OperatorClient): Promise<number> {
  const days = call.option('days');
  const stats = fieldsOf(await server.call('GET', 'stats', days === undefined ? {} : { days }));
  for (const line of call.has('json') ? [JSON.stringify(stats)] : linesOf(stats)) await call.terminal.print(line);
  return 0;
}

function linesOf(stats: Row): readonly string[] {
  const [log, models, expected] = [stats['log'], stats['read_models'], stats['forecast']] as (Row | null)[];
  const counted = { EVENTS: (row: Row) => row['events'], BYTES: (row: Row) => bytesOf(row['bytes']) };
  const growth = { ...counted, FILES: (row: Row) => bytesOf(row['file_bytes']) };
  const rows = [
    { ...log, what: 'now', models: models?.['bytes'] },
    ...(expected === null || expected === undefined
      ? []
      : [{ ...expected, what: 'in a year', models: expected['read_model_bytes'] }]),
  ];
  return [
    `Counted up to position ${String(stats['counted_to'])}.`,
    ...tableOf(rows, { '': (row: Row) => row['what'], ...growth, 'READ MODELS': (row: Row) => bytesOf(row['models']) }),
    '',
    ...tableOf(stats['types'] as readonly Row[], { TYPE: (row) => row['type'], ...counted }),
    '',
    ...tableOf(stats['days'] as readonly Row[], { DAY: (row) => row['day'], ...growth }),
    '',
    ...(models === null || models === undefined
      ? ['The read models are not measured yet.']
      : [
          `Read models, measured at ${timeOf(models['at'])}`,
          ...tableOf(models['collections'] as readonly Row[], {
            COLLECTION: (row) => row['name'],
            BYTES: (row) => bytesOf(row['bytes']),
          }),
        ]),
  ];
}

/** Bytes in the largest unit of which there is one. */
function bytesOf(value: unknown): string {
  if (typeof value !== 'number') return '-';
  const unit = value < 1 ? 0 : Math.min(Math.floor(Math.log10(value) / 3), UNITS.length - 1);
  const scaled = value / 1000 ** unit;
  return `${unit === 0 ? scaled : scaled.toFixed(1)} ${UNITS[unit] ?? ''}`;
}
