import type { LoggerService } from '@nestjs/common';
import type { DestinationStream, Logger } from 'pino';
import { destination, pino } from 'pino';

export type { Logger } from 'pino';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Lines are written in blocks: one write for each line would cost more than answering the request. */
const BLOCK_BYTES = 4096;
const FLUSH_INTERVAL_MS = 1000;
const STACK_LENGTH_MAX = 4000;

/** Structured logs on standard output. `silent` writes nothing. */
export function createLogger(level: LogLevel, stream?: DestinationStream): Logger {
  const options = { level, base: null, serializers: { err: describeError } };
  if (stream !== undefined || level === 'silent') return pino(options, stream);
  const output = destination({ dest: 1, sync: false, minLength: BLOCK_BYTES });
  const timer = setInterval(() => {
    output.flush();
  }, FLUSH_INTERVAL_MS);
  timer.unref();
  process.once('exit', () => {
    try {
      output.flushSync();
    } catch {
      // Standard output was never opened or is gone; nobody is left to be told.
    }
  });
  return pino(options, output);
}

/** Type, text and stack only: an error may carry a request or a row along, and those are nobody's business here. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error };
  const { name, message, stack, cause } = error;
  return {
    type: name,
    message,
    stack: stack?.slice(0, STACK_LENGTH_MAX),
    ...(cause instanceof Error && { cause: `${cause.name}: ${cause.message}` }),
  };
}

/** Lets Nest write its own messages into the same log. */
export class NestLog implements LoggerService {
  constructor(private readonly logger: Logger) {}

  /** Nest tells each route and module it starts: worth a line only to somebody looking for it. */
  log(message: unknown, context?: unknown): void {
    this.logger.debug({ context }, String(message));
  }

  error(message: unknown, ...details: unknown[]): void {
    if (message instanceof Error) this.logger.error({ err: message, context: details.at(-1) });
    else this.logger.error({ details: details.map(String) }, String(message));
  }

  warn(message: unknown, context?: unknown): void {
    this.logger.warn({ context }, String(message));
  }

  debug(message: unknown, context?: unknown): void {
    this.logger.debug({ context }, String(message));
  }

  verbose(message: unknown, context?: unknown): void {
    this.logger.trace({ context }, String(message));
  }

  fatal(message: unknown, context?: unknown): void {
    this.logger.fatal({ context }, String(message));
  }
}
