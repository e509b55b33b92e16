import type { Logger } from 'pino';

export interface RequestLine {
  readonly method: string;
  /** The route's pattern, never the address, which may contain names and search terms. */
  readonly route: string | null;
  /** null when the client disconnected before the whole answer was sent. */
  readonly status: number | null;
  readonly ms: number;
  /** Bytes that were written to the connection, headers among them. */
  readonly bytes: number;
  readonly requestId: string;
  readonly userId: number | 'operator' | undefined;
  /** Name of the client program, from its User-Agent. */
  readonly client: string;
  /** Address of the caller, as the setting `LOG_ADDRESSES` says; undefined for none. */
  readonly address: string | undefined;
}

const SUMMARY_EVERY_MS = 60_000;
/** Refusals that are counted at a time, about 200 bytes each. */
const REFUSALS_MAX = 10_000;

const RATE_LIMITED = 429;

interface Repeated {
  readonly first: Partial<RequestLine>;
  count: number;
}

/**
 * Logs one line per request. A refusal of the same kind to the same caller is logged at once the first time, and then as a number each
 * minute: a client that repeats a request without a pause would fill the log.
 */
export class RequestLog {
  readonly #refusals = new Map<string, Repeated>();
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly logger: Logger) {}

  get isEnabled(): boolean {
    return this.logger.isLevelEnabled('info');
  }

  /**
   * @param status of the answer, also when it was not sent
   * @param network of the caller, as the rate limits count it; never logged
   */
  log(line: RequestLine, status: number, network: string): void {
    if (status >= 400 && status < 500 && this.#isRepeated(line, status, network)) return;
    this.logger.info(line, 'request');
  }

  /** Logs how often refusals were repeated. Those that were not are forgotten. */
  summarize(): void {
    for (const [key, refusal] of this.#refusals) {
      const { first, count } = refusal;
      if (count === 0) this.#refusals.delete(key);
      else this.logger.info({ ...first, count }, 'requests refused again');
      refusal.count = 0;
    }
    if (this.#refusals.size === 0) this.#stop();
  }

  close(): void {
    this.summarize();
    this.#refusals.clear();
    this.#stop();
  }

  #isRepeated({ method, route, userId, client, address }: RequestLine, status: number, network: string): boolean {
    // The limit of calls is about the caller, whatever the call.
    const kind = status === RATE_LIMITED ? { status, userId } : { method, route, status, userId };
    const key = JSON.stringify([userId ?? network, kind]);
    const known = this.#refusals.get(key);
    if (known !== undefined) {
      known.count++;
      return true;
    }
    if (this.#refusals.size >= REFUSALS_MAX) this.close();
    this.#refusals.set(key, { first: { ...kind, client, address }, count: 0 });
    this.#timer ??= setInterval(() => {
      this.summarize();
    }, SUMMARY_EVERY_MS).unref();
    return false;
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
