import { createLogger } from '#http';
import type { ReadStoreDamaged } from '#read-store';
import { EndingSteps, openMetrics, openSpans, scrollback, type Settings } from '#runtime';
import { startOnce, type StartedServer } from './server.js';

/** A disk that damages read models more often than this is not worth another attempt. */
const STARTS_AGAIN_AFTER_MS = 10 * 60_000;

/** A server that starts again by itself when its read models are damaged. */
export interface RunningServer extends StartedServer {
  /** Resolves with the reason when it cannot go on. */
  readonly lost: Promise<unknown>;
  /** Address of the metrics, when they are served. */
  readonly metricsUrl: string | undefined;
}

/**
 * Starts the server.
 * @param signal ends the start at once, which rejects then; it has no effect afterwards
 * @param steps are told what a stop is doing
 */
export async function startServer(
  settings: Settings,
  logger = createLogger(settings.logLevel),
  composition = scrollback,
  signal?: AbortSignal,
  steps = new EndingSteps(),
): Promise<RunningServer> {
  let lose: (reason: unknown) => void = () => undefined;
  const lost = new Promise<unknown>((resolve) => (lose = resolve));
  const ending = new AbortController();
  const ended = signal === undefined ? ending.signal : AbortSignal.any([ending.signal, signal]);
  let damagedMs = -Infinity;
  let { port } = settings;
  const served = await openMetrics(settings, logger);
  const observers = { metrics: served?.metrics, spans: await openSpans(logger), ending: steps };
  const start = (): Promise<StartedServer> =>
    startOnce({ ...settings, port }, logger, composition, observers, (damage) => void again(damage).catch(lose), ended);
  const again = async (damage: ReadStoreDamaged): Promise<void> => {
    const before = await current;
    if (ended.aborted) return;
    const isOften = performance.now() - damagedMs < STARTS_AGAIN_AFTER_MS;
    damagedMs = performance.now();
    logger.error('The server starts again, to build its read models from the log.');
    current = before.stop().then(() => (isOften ? Promise.reject(damage) : start()));
    await current;
  };
  let current = start();
  const first = await current.catch(async (error: unknown) => {
    await served?.close();
    throw error;
  });
  ({ port } = first);
  return {
    ...first,
    lost,
    metricsUrl: served?.url,
    stop: async () => {
      ending.abort();
      // A start that this has ended has closed everything.
      const running = await current.catch(() => undefined);
      await running?.stop();
      await steps.run('metrics', () => served?.close());
    },
  };
}
