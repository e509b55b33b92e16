import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const ROOT = resolve(__dirname, '../../..');
const FERRETDB_DEFAULT = join(ROOT, 'node_modules/.cache/scrollback/ferretdb');
const START_LIMIT_MS = 15_000;
const STOP_LIMIT_MS = 5_000;

/** A server that speaks MongoDB's protocol, for a suite. */
export interface MongoForTests {
  /** The address of a database that nobody has used. */
  freshUrl(): string;
}

/**
 * A suite on the server that `READ_STORE_URL` names, when it is a mongodb:// address, or else on a FerretDB of its own, whose
 * binary is at `FERRETDB_BIN` (test/ferretdb says how to build it). Without either it is reported as skipped.
 */
export function describeOnMongo(name: string, suite: (server: MongoForTests) => void): void {
  const given = process.env['READ_STORE_URL'];
  if (given !== undefined && /^mongodb(?:\+srv)?:/.test(given)) {
    describe(name, () => suite({ freshUrl: () => withDatabase(given, freshName()) }));
    return;
  }
  if (!FerretDb.isBuilt) {
    describe.skip(`${name} (needs FERRETDB_BIN, or READ_STORE_URL=mongodb://…)`, () => suite({ freshUrl: () => '' }));
    return;
  }
  describe(name, () => {
    const ferretDb = new FerretDb();
    beforeAll(() => ferretDb.start());
    afterAll(() => ferretDb.stop());
    suite({ freshUrl: () => withDatabase(ferretDb.url, freshName()) });
  });
}

/** A FerretDB on a port and in a folder of its own. */
export class FerretDb {
  readonly #folder = mkdtempSync(join(tmpdir(), 'ferretdb-'));
  #child: ChildProcess | undefined;
  #port = 0;

  static get isBuilt(): boolean {
    return existsSync(binary());
  }

  get url(): string {
    return `mongodb://127.0.0.1:${this.#port}/`;
  }

  /** On the port and with the data of the last time. */
  async start(): Promise<void> {
    if (this.#port === 0) this.#port = await freePort();
    const child = spawn(binary(), [`127.0.0.1:${this.#port}`, this.#folder], { stdio: 'ignore' });
    this.#child = child;
    // Whoever ends the tests early leaves no server behind.
    process.once('exit', () => child.kill('SIGKILL'));
    const limitMs = performance.now() + START_LIMIT_MS;
    while (!(await answers(this.#port))) {
      if (child.exitCode !== null || performance.now() > limitMs) throw new Error('FerretDB did not start.');
      await pause(20);
    }
  }

  /** The server is there, and says nothing until `thaw`. */
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
    // It waits for its clients to go.
    const killing = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
    await ended;
    clearTimeout(killing);
  }

  /** Goes on with nothing stored. */
  async forget(): Promise<void> {
    await this.kill();
    rmSync(this.#folder, { recursive: true });
    mkdirSync(this.#folder);
    await this.start();
  }

  async stop(): Promise<void> {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function binary(): string {
  return process.env['FERRETDB_BIN'] ?? FERRETDB_DEFAULT;
}

function freshName(): string {
  return `t${randomUUID().replaceAll('-', '').slice(0, 20)}`;
}

function withDatabase(url: string, database: string): string {
  const { groups } = /^(?<server>[^:]+:\/\/[^/?]+)\/?[^?]*(?<options>\?.*)?$/.exec(url) ?? {};
  return `${groups?.['server'] ?? url}/${database}${groups?.['options'] ?? ''}`;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  await new Promise((closed) => server.close(closed));
  if (address === null || typeof address === 'string') throw new Error('There is no port.');
  return address.port;
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
