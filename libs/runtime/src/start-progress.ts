import type { Logger } from '#http';
import { type JsonObject, Refusal } from '#kernel';
import type { PassProgress } from '#read-store';

/** `opening`: stores are opened. `read_models`: read models are brought to the end of the log. `finishing`: the rest of the start. */
export type StartPhase = 'opening' | 'read_models' | 'finishing';

const TOLD_EVERY_MS = 5_000;

/** What a process that starts tells load balancers and its log: how far it has come. Nothing of it is confidential. */
export class StartProgress {
  #phase: StartPhase = 'opening';
  #reading: () => PassProgress | undefined = nothing;
  readonly #telling: NodeJS.Timeout;

  constructor(private readonly logger: Pick<Logger, 'info'>) {
    this.#telling = setInterval(() => {
      this.#tell();
    }, TOLD_EVERY_MS).unref();
  }

  /** @param reading how far the read models are; undefined while that is unknown, and when they are at the end */
  reads(reading: () => PassProgress | undefined): void {
    this.#phase = 'read_models';
    this.#reading = reading;
  }

  enters(phase: Exclude<StartPhase, 'read_models'>): void {
    this.#phase = phase;
    this.#reading = nothing;
  }

  /** Nothing is told any more. */
  end(): void {
    clearInterval(this.#telling);
  }

  /** Why the process is not ready, with `phase`, and `position`, `head`, `rate` and `estimate` while it reads. */
  get refusal(): Refusal {
    return new Refusal('SERVER_NOT_READY', STARTING, this.data);
  }

  get data(): JsonObject {
    return { phase: this.#phase, ...progressData(this.#reading()) };
  }

  #tell(): void {
    const reading = this.#reading();
    if (reading !== undefined)
      this.logger.info(progressData(reading), 'The read models are brought to the end of the log.');
  }
}

/** What everything but health checks gets meanwhile. */
export const STARTING = 'The server is starting.';

function nothing(): undefined {
  return undefined;
}

/** As members of an answer: `rate` in events a second, `estimate` in seconds, null while it is unknown. */
export function progressData(reading: PassProgress | undefined): JsonObject {
  if (reading === undefined) return {};
  const { position, head, eventsPerSecond, secondsLeft } = reading;
  return { position, head, rate: eventsPerSecond, estimate: secondsLeft ?? null };
}
