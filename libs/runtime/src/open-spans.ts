import type { Logger } from '#http';
import type { Spans } from '#kernel';
import { SERVER_VERSION } from '#realm/model';

/**
 * Spans for the OpenTelemetry SDK that the operator has loaded before the server (`--import`).
 * @returns undefined without one: then nothing is observed
 */
export async function openSpans(logger: Logger): Promise<Spans | undefined> {
  const { OpenTelemetrySpans } = await import('./tracing/open-telemetry-spans.js');
  return OpenTelemetrySpans.open(SERVER_VERSION, (text) => {
    logger.warn(text);
  });
}
