import 'reflect-metadata';
import { createLogger, faultText, ignoreOutputFailures } from '#http';
import { Refusal } from '#kernel';
import { SERVER_VERSION } from '#realm/model';
import {
  EndingSteps,
  endOnSignals,
  isShared,
  openMetrics,
  openSpans,
  PlainServer,
  Projector,
  readSettings,
  scrollback,
  SettingsError,
} from '#runtime';

const PORT = '9992';

const ELSEWHERE = new Refusal('NOT_FOUND', 'This is a projector: only /health/live and /health/ready are here.');

async function main(): Promise<void> {
  const settings = readSettings({ PORT, ...process.env });
  if (!isShared(settings)) {
    throw new SettingsError(
      'A separate projector needs EVENT_STORE_URL and READ_STORE_URL on servers; with embedded stores the server includes one.',
    );
  }
  const logger = createLogger(settings.logLevel);
  const served = await openMetrics(settings, logger);
  const spans = await openSpans(logger);
  const ending = new EndingSteps();
  const projector = new Projector(settings, logger, scrollback, { metrics: served?.metrics, spans, ending }).start();
  const health = await PlainServer.listen(settings.host, settings.port, () => projector.refusal, ELSEWHERE);
  console.log(`The projector answers health checks on http://${settings.host}:${health.port}`);
  projector.ended.catch(fail);
  const end = async (): Promise<void> => {
    await projector.stop();
    await ending.run('health checks and metrics', () => Promise.all([health.close(), served?.close()]));
  };
  endOnSignals({ end, steps: ending, logger });
}

/** An operator's error is shown as a sentence. */
function fail(error: unknown): never {
  console.error(error instanceof SettingsError ? error.message : faultText(error));
  process.exit(1);
}

if (process.argv.includes('--version')) {
  console.log(SERVER_VERSION);
  process.exit(0);
}
ignoreOutputFailures();
main().catch(fail);
