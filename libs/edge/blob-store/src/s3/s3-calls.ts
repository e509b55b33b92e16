import type * as Sdk from '@aws-sdk/client-s3';
import { readFileSync } from 'node:fs';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { setTimeout as pause } from 'node:timers/promises';
import { Backoff, within } from '#kernel';
import { BlobStoreUnavailable } from '../blob-store.js';
import type { S3Address } from './s3-address.js';

/** Limits of one call, each in milliseconds. */
export interface S3Limits {
  /** Until a connection is made. */
  readonly connectMs: number;
  /** For a call that carries no content, and until content begins to arrive. */
  readonly callMs: number;
  /** For a call that sends content: a part of 5 MiB, while three others are sent over the same line. */
  readonly sendMs: number;
  /** Without a byte, while content arrives. */
  readonly idleMs: number;
  /** The first pause before another attempt. */
  readonly pauseMs: number;
}

export const S3_LIMITS: S3Limits = { connectMs: 3_000, callMs: 5_000, sendMs: 60_000, idleMs: 10_000, pauseMs: 100 };

const ATTEMPTS_MAX = 3;

const nothing = (): void => undefined;
/** The client would write warnings to the console; what fails is reported by its caller. */
const SILENT = { debug: nothing, info: nothing, warn: nothing, error: nothing };

/** Client and settings of a call. */
export interface S3Session {
  readonly sdk: typeof Sdk;
  readonly client: Sdk.S3Client;
  readonly bucket: string;
  /** Aborts when the call takes too long. */
  readonly signal: AbortSignal;
}

/**
 * Calls a server through S3's official client, with a deadline for each attempt and a bounded number of attempts. The client
 * is loaded at the first call: a server whose files are on disk never does.
 */
export class S3Calls {
  readonly #agent: HttpAgent;
  #loading: Promise<Pick<S3Session, 'sdk' | 'client'>> | undefined;

  /**
   * @param connectionsMax connections at the same time; further calls wait for one
   * @throws errors of the file system when the certificates to trust cannot be read
   */
  constructor(
    private readonly address: S3Address,
    readonly limits: S3Limits,
    connectionsMax: number,
  ) {
    const options = { keepAlive: true, maxSockets: connectionsMax };
    this.#agent = address.endpoint.startsWith('http:')
      ? new HttpAgent(options)
      : new HttpsAgent({ ...options, ...(address.caFile && { ca: readFileSync(address.caFile) }) });
  }

  /**
   * Makes a call; `work` may run several times, and must then begin anew.
   * @param options.limitMs for each attempt
   * @throws BlobStoreUnavailable
   */
  async call<Result>(
    work: (session: S3Session) => Promise<Result>,
    { limitMs = this.limits.callMs, attempts = ATTEMPTS_MAX }: { limitMs?: number; attempts?: number } = {},
  ): Promise<Result> {
    const backoff = new Backoff(this.limits.pauseMs, this.limits.callMs);
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#attempt(work, limitMs);
      } catch (error) {
        if (isFault(error)) throw error;
        if (attempt >= attempts || !isTransient(error)) throw this.unavailable(error);
      }
      await pause(backoff.next());
    }
  }

  async #attempt<Result>(work: (session: S3Session) => Promise<Result>, limitMs: number): Promise<Result> {
    const { sdk, client } = await (this.#loading ??= this.#load());
    const ending = new AbortController();
    const session = { sdk, client, bucket: this.address.bucket, signal: ending.signal };
    try {
      return await within(
        limitMs,
        () => work(session),
        () => new DOMException(`no answer within ${limitMs} ms`, 'TimeoutError'),
      );
    } catch (error) {
      ending.abort();
      throw error;
    }
  }

  async #load(): Promise<Pick<S3Session, 'sdk' | 'client'>> {
    // Versions of Node are chosen with this server, not by its operator, whose log it would be in.
    process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
    const sdk = await import('@aws-sdk/client-s3');
    const { endpoint, region, isPathStyle, credentials } = this.address;
    const config: Sdk.S3ClientConfig = {
      endpoint,
      region,
      forcePathStyle: isPathStyle,
      ...(credentials && { credentials }),
      // `call` repeats, with a deadline for each attempt.
      maxAttempts: 1,
      // Content is signed with its SHA-256 instead, which older servers know as well.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      expectContinueHeader: false,
      logger: SILENT,
      requestHandler: {
        httpAgent: this.#agent,
        httpsAgent: this.#agent,
        connectionTimeout: this.limits.connectMs,
        logger: SILENT,
      },
    };
    return { sdk, client: new sdk.S3Client(config) };
  }

  /** Without the original error: errors of the client carry requests with their keys and signatures. */
  unavailable(error: unknown): BlobStoreUnavailable {
    if (error instanceof BlobStoreUnavailable) return error;
    return new BlobStoreUnavailable(`The storage of files at ${this.address.endpoint} fails: ${reasonOf(error)}.`);
  }
}

interface ClientError {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly message?: unknown;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

const SKEWED = 'RequestTimeTooSkewed';

/**
 * Whether another attempt may succeed: 409 tells of another call at the same moment, and after an answer about its clock the
 * client corrects the time of its signatures.
 */
function isTransient(error: unknown): boolean {
  const { name, $metadata } = error as ClientError;
  const status = $metadata?.httpStatusCode;
  return status === undefined || status >= 500 || [408, 409, 429].includes(status) || name === SKEWED;
}

/** Whether the error is one of this program or of the local disk, and not of the server or the connection. */
function isFault(error: unknown): boolean {
  return (
    error instanceof BlobStoreUnavailable ||
    ((error instanceof TypeError || error instanceof RangeError) && !('$metadata' in error))
  );
}

/** Codes alone: texts of the server may repeat keys. */
function reasonOf(error: unknown): string {
  const { name, code, message, $metadata } = error as ClientError;
  if (error instanceof DOMException && name === 'TimeoutError') return String(message);
  const status = $metadata?.httpStatusCode;
  if (status !== undefined && status < 300) return 'its answer is not one of S3';
  // The client may wrap errors of the system, without their code.
  const system = status === undefined ? /\bE[A-Z]{3,20}\b/.exec(String(message))?.[0] : undefined;
  const told = [code, system, name].find((text) => typeof text === 'string' && /^[A-Za-z0-9_]{1,60}$/.test(text));
  return status === undefined ? String(told) : `${status} ${String(told)}`;
}

/** Whether the server has answered that there is no such object or upload. A missing bucket is another matter. */
export function isMissing(error: unknown): boolean {
  const { name } = error as ClientError;
  return name === 'NoSuchKey' || name === 'NotFound' || name === 'NoSuchUpload';
}
