import type { LoggerService } from '@nestjs/common';
import type { DestinationStream, Logger } from 'pino';
import { pino, stdTimeFunctions } from 'pino';
import { withCauses } from '#kernel';
import { LogOutput, standardOutput } from './log-output.js';

export type { Logger } from 'pino';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const STACK_LENGTH_MAX = 4000;

/** Structured logs on standard output, a line each: JSON with the time in ISO 8601 and the level as a word. `silent` writes nothing. */
export function createLogger(level: LogLevel, stream?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: describeError },
  };
  if (stream !== undefined || level === 'silent') return pino(options, stream);
  const output = new LogOutput(standardOutput());
  process.once('exit', () => {
    output.close();
  });
  return pino(options, output);
}

/** Type, text and stack only: an error may carry a request or a row, whose contents must not be logged. */
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

/** A fault for the standard error stream: like the log, without the properties of errors. */
export function faultText(error: unknown): string {
  if (!(error instanceof Error)) return `A ${typeof error} was thrown.`;
  return withCauses(error)
    .map(({ name, message, stack = `${name}: ${message}` }) => stack)
    .join('\nCaused by ');
}

/** Redirects Nest's own messages to the same log. */
export class NestLog implements LoggerService {
  constructor(private readonly logger: Logger) {}

  /** Nest reports each route and module at the start: logged at debug level only. */
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
