import type { Logger } from '#http';
import { withCauses } from '#kernel';

/** Maximum time of a shutdown; supervisors of the process group rely on it. */
const END_WITHIN_MS = 24_000;

/** Steps of a shutdown that are in progress: one that has to be cut off is named in the log. */
export class EndingSteps {
  readonly #current = new Set<{ readonly step: string }>();

  /** Names of the steps in progress, an outer one before its inner ones. */
  get current(): readonly string[] {
    return Array.from(this.#current, ({ step }) => step);
  }

  /** @param step names the work in the log */
  async run<Result>(step: string, work: () => Result | Promise<Result>): Promise<Result> {
    const entry = { step };
    this.#current.add(entry);
    try {
      return await work();
    } finally {
      this.#current.delete(entry);
    }
  }
}

export interface EndingParts {
  /** Stops what the process does; resolves when everything is closed. */
  readonly end: () => Promise<void>;
  readonly steps: EndingSteps;
  readonly logger: Logger;
}

/**
 * Ends the process when a supervisor or a person wants that: with code 0, and with code 1 when something went wrong or lasted too long. The
 * log says what; where its level leaves that out, a line of the standard error stream does. An error outside of promises, which would
 * otherwise end the process at once, leaves the remaining steps to be done: a lease that is not released keeps the next process waiting.
 */
export function endOnSignals(
  { end, steps, logger }: EndingParts,
  process: Pick<NodeJS.Process, 'on' | 'exit'> = globalThis.process,
): void {
  let isEnding = false;
  let code = 0;
  const tell = (level: 'error' | 'fatal', text: string, error?: unknown): void => {
    const { current } = steps;
    if (logger.isLevelEnabled(level))
      logger[level]({ ...(error !== undefined && { err: error }), steps: current }, text);
    else console.error([text, ...current.map((step) => `Step: ${step}.`), ...reasonsOf(error)].join(' '));
  };
  const fail = (error: unknown): void => {
    code = 1;
    tell('error', 'An error while the process ends.', error);
  };
  const onSignal = (): void => {
    if (isEnding) return; // npm forwards a signal that the process group received as well.
    isEnding = true;
    process.on('uncaughtException', fail);
    setTimeout(() => {
      tell('fatal', 'The process is cut off: it could not end in time.');
      process.exit(1);
    }, END_WITHIN_MS).unref();
    void end()
      .catch(fail)
      .then(() => process.exit(code));
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}

/** Type and text of an error and of its causes, in one line: the properties of errors may have contents. */
function reasonsOf(error: unknown): readonly string[] {
  if (error === undefined) return [];
  const errors = withCauses(error);
  const last = errors.length === 0 ? error : errors.at(-1)?.cause;
  const reasons = errors.map(({ name, message }) => `${name}: ${message.replaceAll(/\s+/g, ' ')}`);
  if (last !== undefined && !(last instanceof Error)) reasons.push(`A ${typeof last} was thrown.`);
  return reasons.map((reason, index) => (index === 0 ? reason : `(${reason})`));
}
