import type { Logger } from '#http';
import { within } from '#kernel';
import { SERVER_VERSION } from '#realm/model';
import type { Settings } from './settings/settings.js';
import { nowAndThen } from './stores/until-available.js';
import type { Looked } from './metrics/exposition.js';
import { Metrics } from './metrics/metrics.js';
import { placesOf } from './metrics/places.js';

/** A store that does not answer, or a disk, must not keep the rest from being read. */
const LOOK_LIMIT_MS = 2_000;

/** Metrics that somebody can read. */
export interface ServedMetrics {
  readonly metrics: Metrics;
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves metrics where `METRICS_ADDRESS` says.
 * @returns undefined without the setting: nothing is counted, and no library loaded
 * @throws SettingsError when the address cannot be used
 */
export async function openMetrics(settings: Settings, logger: Logger): Promise<ServedMetrics | undefined> {
  const { metricsAddress } = settings;
  if (metricsAddress === undefined) return undefined;
  const [{ Exposition }, { MetricsServer }] = await Promise.all([
    import('./metrics/exposition.js'),
    import('./metrics/metrics-server.js'),
  ]);
  const onError = nowAndThen((error) => {
    logger.warn({ err: error }, 'Metrics cannot be read in part.');
  });
  const metrics = new Metrics();
  const look = async (): Promise<Looked> => {
    const parts = [...metrics.parts].flatMap(({ pending }) => pending ?? []);
    const [places, ...waiting] = await Promise.all([
      inTime(() => placesOf(settings), onError),
      ...parts.map((ask) => inTime(ask, onError)),
    ]);
    return {
      places: places ?? [],
      pending: waiting.flatMap((part) => part?.pending ?? []),
      failing: waiting.flatMap((part) => part?.failing ?? []),
    };
  };
  const exposition = new Exposition({ metrics, version: SERVER_VERSION, look });
  const server = await MetricsServer.listen(metricsAddress, exposition, onError);
  logger.info({ url: server.url }, 'Metrics are served.');
  return { metrics, url: server.url, close: () => server.close() };
}

/** Undefined when the answer does not come in time. */
async function inTime<Answer>(
  ask: () => Promise<Answer>,
  onError: (error: unknown) => void,
): Promise<Answer | undefined> {
  try {
    return await within(LOOK_LIMIT_MS, ask, () => new Error('A part of the metrics does not answer in time.'));
  } catch (error) {
    onError(error);
    return undefined;
  }
}
