import { withCauses } from './with-causes.js';

/** Told of one failure: the error and its causes. */
const ERRORS_MAX = 5;

/** A failure of a service that is not ours, as the log may hold it. */
export interface ServiceFailure {
  readonly service: string;
  /** Kinds and codes, without texts: these may repeat what was sent, such as tokens. */
  readonly cause: string;
}

/** Tells the operator of failures of other services; the user that asked is only told that it did not work. */
export class ServiceReports {
  constructor(private readonly tell: (failure: ServiceFailure) => void = () => undefined) {}

  failed(service: string, error: unknown): void {
    this.tell({ service, cause: withCauses(error).slice(0, ERRORS_MAX).map(kindOf).join(' < ') || typeof error });
  }
}

function kindOf(error: Error): string {
  // `error` is the code of an answer by OAuth.
  const { code, status, error: refusal } = error as { code?: unknown; status?: unknown; error?: unknown };
  const details = [code, status, refusal].filter((detail) => typeof detail === 'number' || isCode(detail));
  return [error.name, ...details].join(' ');
}

function isCode(text: unknown): boolean {
  return typeof text === 'string' && /^[A-Za-z0-9_]{1,50}$/.test(text);
}
