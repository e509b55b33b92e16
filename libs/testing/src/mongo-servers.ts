import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import os, { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const ROOT = resolve(__dirname, '../../..');
const FERRETDB_DEFAULT = join(ROOT, 'node_modules/.cache/scrollback/ferretdb');
/** Guards against hanging only. */
const START_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 5_000;

/** A server with MongoDB's protocol, for a suite. */
export interface MongoForTests {
  /** Address of a new database. */
  freshUrl(): string;
}

/**
 * Runs a suite on the server that `READ_STORE_URL` names, when it is a mongodb:// address, or else on its own FerretDB,
 * whose binary is at `FERRETDB_BIN` (test/ferretdb explains how to build it). Without either it is reported as skipped.
 */
export function describeOnMongo(name: string, suite: (server: MongoForTests) => void): void {
  if (GivenMongo.url !== undefined) {
    const given = new GivenMongo(GivenMongo.url);
    describe(name, () => {
      afterAll(() => given.dropAll());
      suite(given);
    });
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

/** The server that `READ_STORE_URL` names: creates databases with random names, which `dropAll` removes. */
export class GivenMongo implements MongoForTests {
  readonly #databases: string[] = [];

  constructor(private readonly url: string) {}

  /** Undefined when the tests start their own server. */
  static get url(): string | undefined {
    const given = process.env['READ_STORE_URL'];
    return given !== undefined && /^mongodb(?:\+srv)?:/.test(given) ? given : undefined;
  }

  freshUrl(): string {
    const database = freshName();
    this.#databases.push(database);
    return withDatabase(this.url, database);
  }

  /** Drops every database that `freshUrl` named so far. */
  async dropAll(): Promise<void> {
    // Loaded here, because every spec imports this library and few need the driver.
    const { MongoClient } = await import('mongodb');
    const client = new MongoClient(this.url, { runtimeAdapters: { os } });
    for (const database of this.#databases) await client.db(database).dropDatabase();
    await client.close();
  }
}

/** A FerretDB on its own port and folder. */
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

  /** Starts on the port and with the data of the last time. */
  async start(): Promise<void> {
    if (this.#port === 0) this.#port = await freePort();
    const child = spawn(binary(), [`127.0.0.1:${this.#port}`, this.#folder], { stdio: 'ignore' });
    this.#child = child;
    // Leaves no server behind when the tests are interrupted.
    process.once('exit', () => child.kill('SIGKILL'));
    const limitMs = performance.now() + START_LIMIT_MS;
    while (!(await answers(this.#port))) {
      if (child.exitCode !== null || performance.now() > limitMs) throw new Error('FerretDB did not start.');
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
    // It waits for its clients to disconnect.
    const killing = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
    await ended;
    clearTimeout(killing);
  }

  /** Restarts without data. */
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
