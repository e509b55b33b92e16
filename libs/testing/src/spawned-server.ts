import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { endWithTests } from './end-with-tests.js';
import { freePort } from './free-port.js';

/** Guards against hanging only. */
const START_LIMIT_MS = 120_000;
const STOP_LIMIT_MS = 5_000;

/** A server from outside, on its own port of this machine and with its own folder. */
export class SpawnedServer {
  readonly folder: string;
  #child: ChildProcess | undefined;
  #port = 0;

  /**
   * @param name of the program
   * @param binary is called with an address and the folder
   * @param environment beside that of this process
   */
  constructor(
    private readonly name: string,
    private readonly binary: string,
    private readonly environment: Readonly<Record<string, string>> = {},
  ) {
    this.folder = mkdtempSync(join(tmpdir(), `${name}-`));
  }

  /** 0 before the first start. */
  get port(): number {
    return this.#port;
  }

  /** Starts on the port and with the data of the last time. */
  async start(): Promise<void> {
    if (this.#port === 0) this.#port = await freePort();
    const child = spawn(this.binary, [`127.0.0.1:${this.#port}`, this.folder], {
      stdio: 'ignore',
      env: { ...process.env, ...this.environment },
    });
    this.#child = child;
    endWithTests(child);
    const limitMs = performance.now() + START_LIMIT_MS;
    while (!(await answers(this.#port))) {
      if (child.exitCode !== null || performance.now() > limitMs) throw new Error(`${this.name} did not start.`);
      await pause(20);
    }
  }

  /** Suspends the server until `thaw`: it accepts connections but does not answer. */
  freeze(): void {
    this.#child?.kill('SIGSTOP');
  }

  thaw(): void {
    this.#child?.kill('SIGCONT');
  }

  /** Ends the server; the data stays. */
  async kill(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child?.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolved) => child.once('exit', resolved));
    child.kill(signal);
    // It may wait for its clients to disconnect.
    const killing = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
    await ended;
    clearTimeout(killing);
  }

  /** Restarts without data. */
  async forget(): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true });
    mkdirSync(this.folder);
    await this.start();
  }

  async stop(): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

async function answers(port: number): Promise<boolean> {
  return new Promise((answered) => {
    const socket = connect(port, '127.0.0.1');
    const done = (isThere: boolean): void => {
      socket.destroy();
      answered(isThere);
    };
    socket.once('connect', () => done(true)).once('error', () => done(false));
  });
}
