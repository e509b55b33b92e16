import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { endWithTests, fetch, freePort } from '#testing';
import { ApiClient } from './client.js';

const ROOT = resolve(__dirname, '../..');
/** Guards against hanging only: a busy machine takes long to load a process. */
const READY_WITHIN_MS = 240_000;

/** Result of a health check. */
export interface Health {
  /** 0 without an answer. */
  readonly status: number;
  readonly headers: Headers;
  readonly body: any;
}

/** Brings dist/ up to date; costs nothing without changes. */
export function build(): void {
  execFileSync(process.execPath, ['tools/build.mjs'], { cwd: ROOT, stdio: 'ignore' });
}

/** An app as a separate process, which can be killed and started again with the same data, on the same port. */
export class ServerProcess {
  readonly dataDir = mkdtempSync(join(tmpdir(), 'scrollback-process-'));
  #child: ChildProcess | undefined;
  #port = 0;
  #output = '';
  #errors = '';

  /** @param environment settings for every start, beside the usual ones of tests */
  constructor(
    private readonly app: 'api' | 'projector' = 'api',
    private readonly environment: Record<string, string> = {},
  ) {}

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** All of its output so far. */
  get output(): string {
    return this.#output;
  }

  /** Its standard error stream. */
  get errors(): string {
    return this.#errors;
  }

  /** Resolves when it is ready. */
  async start(environment: Record<string, string> = {}): Promise<void> {
    await this.launch(environment);
    await this.ready();
  }

  /**
   * Starts it without waiting.
   * @param output file for its output
   */
  async launch(environment: Record<string, string> = {}, output: number | 'pipe' = 'pipe'): Promise<void> {
    if (this.#port === 0) this.#port = await freePort();
    const child = spawn(process.execPath, [`dist/bin/${this.app}.js`], {
      cwd: ROOT,
      env: {
        PATH: process.env['PATH'],
        DATA_DIR: this.dataDir,
        PORT: String(this.#port),
        RATE_LIMITS: 'off',
        LOG_LEVEL: 'warn',
        OWNER_EMAIL: 'olive@example.test',
        OWNER_PASSWORD: 'correct horse',
        ...this.environment,
        ...environment,
      },
      stdio: ['ignore', output, output],
    });
    this.#child = child;
    endWithTests(child);
    child.stdout?.on('data', (chunk: Buffer) => (this.#output += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => {
      this.#output += chunk.toString();
      this.#errors += chunk.toString();
    });
  }

  /** Stops reading its output; `isTold` says whether the process notices that its output is not read. */
  stopReading(isTold: boolean): void {
    for (const stream of [this.#child?.stdout, this.#child?.stderr]) {
      if (isTold) stream?.destroy();
      else stream?.pause();
    }
  }

  async ready(): Promise<void> {
    const child = this.#child;
    const deadline = Date.now() + READY_WITHIN_MS;
    while ((await this.health()) !== 200) {
      if (child?.exitCode !== null || Date.now() > deadline)
        throw new Error(`The server does not start:\n${this.#output}`);
      await new Promise((next) => setTimeout(next, 20));
    }
  }

  /** Sends a signal and waits until it has ended. */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
    const child = this.#child;
    if (child?.exitCode !== null || child.signalCode !== null) return null;
    const ended = this.ended();
    child.kill(signal);
    return ended;
  }

  /** Stops it for a while as the machine would that it runs on. */
  async suspend(ms: number): Promise<void> {
    this.#child?.kill('SIGSTOP');
    await new Promise((next) => setTimeout(next, ms));
    this.#child?.kill('SIGCONT');
  }

  /** Resolves with its exit code when it has ended. */
  async ended(): Promise<number | null> {
    const child = this.#child;
    if (child?.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null;
    return new Promise<number | null>((exit) => child.once('exit', exit));
  }

  owner(): ApiClient {
    const zuliprc = readFileSync(join(this.dataDir, 'owner.zuliprc'), 'utf8');
    const field = (name: string): string => new RegExp(`^${name}=(.*)$`, 'm').exec(zuliprc)?.[1] ?? '';
    return new ApiClient(() => this.url, field('email'), field('key'), 'Owner');
  }

  /** Ends it and removes its data. */
  async discard(): Promise<void> {
    await this.end('SIGKILL');
    rmSync(this.dataDir, { recursive: true, force: true });
  }

  /** Status of its readiness; 0 without an answer. */
  async health(): Promise<number> {
    return (await this.check('ready')).status;
  }

  async check(path: 'live' | 'ready'): Promise<Health> {
    try {
      const response = await fetch(`${this.url}/health/${path}`, { signal: AbortSignal.timeout(5_000) });
      return { status: response.status, headers: response.headers, body: await response.json() };
    } catch {
      return { status: 0, headers: new Headers(), body: undefined };
    }
  }

  /**
   * Resolves when its readiness has this status.
   * @returns milliseconds until then
   * @throws Error when it takes longer than the limit
   */
  async turns(status: 200 | 503, withinMs: number): Promise<number> {
    const sinceMs = performance.now();
    for (;;) {
      const { status: found, body } = await this.check('ready');
      if (found === status) break;
      if (performance.now() - sinceMs > withinMs) {
        const said = `${found} ${JSON.stringify(body)}`;
        throw new Error(
          `The readiness of the ${this.app} did not turn ${status} in ${withinMs} ms: ${said}\n${this.#output}`,
        );
      }
      await new Promise((next) => setTimeout(next, 50));
    }
    return Math.round(performance.now() - sinceMs);
  }
}
