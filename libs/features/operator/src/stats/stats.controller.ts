import { Controller, Get } from '@nestjs/common';
import { Answers, ApiTags, Caller, Params, Summary, TakesOperator } from '#http';
import { assertOwner, type User } from '#users/model';
import { described, integer, list, nullable, object, text, type Wire } from '#wire';
import { forecast, FORECAST_DAYS, type Sizes } from './forecast.js';
import { type LogCounts, totalOf } from './log-counts.js';
import { LogStatistics } from './log-statistics.js';
import { StatsParams } from './stats.params.js';

const bytes = described(integer, 'Of data and metadata as JSON.');
const fileBytes = described(integer, 'Of uploaded files, less those of removed ones.');
const counted = { events: integer, bytes };

const StatsAnswerSchema = object({
  counted_to: described(integer, 'Position of the log up to which events are counted; 0 before the first count.'),
  log: object({ ...counted, file_bytes: fileBytes }),
  types: described(list(object({ type: text, ...counted })), 'The largest first.'),
  days: described(list(object({ day: text, ...counted, file_bytes: fileBytes })), 'In UTC, the oldest first.'),
  read_models: described(
    nullable(object({ at: integer, bytes: integer, collections: list(object({ name: text, bytes: integer })) })),
    'As measured at a time in UNIX seconds, within the last hour; null before the first measurement.',
  ),
  forecast: described(
    nullable(object({ ...counted, file_bytes: fileBytes, read_model_bytes: nullable(integer), days: integer })),
    'In a year, if it goes on as on the last whole days, four weeks at most; null without a whole day.',
  ),
});

/** How much there is, and how it grows. What is answered was counted beforehand. */
@ApiTags('operations')
@TakesOperator()
@Controller('api/v1/operator/stats')
export class StatsController {
  constructor(private readonly statistics: LogStatistics) {}

  @Get()
  @Answers(StatsAnswerSchema)
  @Summary(
    'Show how the log grows',
    'Events and bytes by type and day, sizes of the read models, and a forecast for a year. For the operator and owners.',
  )
  async stats(
    @Caller() caller: User,
    @Params(StatsParams) { days }: StatsParams,
  ): Promise<Wire<typeof StatsAnswerSchema>> {
    assertOwner(caller);
    const [total, recent, sizes] = await Promise.all([
      this.statistics.total(),
      this.statistics.days(Math.max(days, FORECAST_DAYS + 1)),
      this.statistics.sizes(),
    ]);
    const types = [...total.types].map(([type, { events, bytes: size }]) => ({ type, events, bytes: size }));
    const collections = [...(sizes?.bytes ?? [])].map(([name, size]) => ({ name, bytes: size }));
    const modelBytes = collections.reduce((sum, { bytes: size }) => sum + size, 0);
    const log = sizesOf(total);
    return {
      counted_to: total.through,
      log: rowOf(log),
      types: types.sort((one, other) => other.bytes - one.bytes),
      days: recent.slice(-days).map(({ day, counts }) => ({ day, ...rowOf(sizesOf(counts)) })),
      read_models:
        sizes === undefined
          ? null
          : {
              at: Math.floor(sizes.atMs / 1000),
              bytes: modelBytes,
              collections: collections.sort((one, other) => other.bytes - one.bytes),
            },
      forecast: forecastOf(
        log,
        recent.map(({ counts }) => counts),
        sizes && modelBytes,
      ),
    };
  }
}

/** Read models follow from the log, so they grow as it does. */
function forecastOf(
  log: Sizes,
  recent: readonly LogCounts[],
  modelBytes: number | undefined,
): Wire<typeof StatsAnswerSchema>['forecast'] {
  // Without today, and without the days before there was anything.
  const whole = recent.slice(-FORECAST_DAYS - 1, -1).map(sizesOf);
  const from = whole.findIndex(({ events }) => events > 0);
  const days = from < 0 ? [] : whole.slice(from);
  const expected = forecast(log, days);
  if (expected === undefined) return null;
  const isKnown = modelBytes !== undefined && log.bytes > 0;
  return {
    ...rowOf(expected),
    read_model_bytes: isKnown ? Math.round((modelBytes * expected.bytes) / log.bytes) : null,
    days: days.length,
  };
}

function sizesOf(counts: LogCounts): Sizes {
  return { ...totalOf(counts), fileBytes: counts.fileBytes };
}

function rowOf({ events, bytes: size, fileBytes: files }: Sizes): {
  readonly events: number;
  readonly bytes: number;
  readonly file_bytes: number;
} {
  return { events, bytes: size, file_bytes: files };
}
