// A built server as a process of its own, whose clock the session moves.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const BEGIN_MS = Date.UTC(2026, 0, 5, 9);
const START_WITHIN_MS = 90_000;
const CLOCK = fileURLToPath(new URL('clock.mjs', import.meta.url));

export const OWNER = { email: 'olive@example.test', name: 'Olive Owner', password: 'correct horse' };
export const JWT_KEY = 'the key of tokens that another system signs';
export const SITE = 'http://chat.example.test';

/** Settings that turn every feature on. `outside` is the address of the services that the session plays. */
const settings = (outside) => ({
  RATE_LIMITS: 'off',
  LOG_LEVEL: 'error',
  SITE_URL: SITE,
  SECRET_KEY: 'the secret of the recorded session, which is long',
  OWNER_EMAIL: OWNER.email,
  OWNER_NAME: OWNER.name,
  OWNER_PASSWORD: OWNER.password,
  DEV_LOGIN: 'on',
  JWT_AUTH_KEY: JWT_KEY,
  WEBHOOK_HOSTS: '127.0.0.1',
  WEBHOOK_NETWORKS: '127.0.0.0/8',
  PUSH_BOUNCER_URL: outside.replace('//', '//org:key@'),
  BIGBLUEBUTTON_URL: `${outside}/bigbluebutton`,
  BIGBLUEBUTTON_SECRET: 'a secret of the server of meetings',
  ZOOM_CLIENT_ID: 'chat',
  ZOOM_CLIENT_SECRET: 'the secret',
  ZOOM_OAUTH_URL: outside,
  ZOOM_API_URL: outside,
});

async function freePort() {
  const server = createServer();
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address();
  await new Promise((closed) => server.close(closed));
  return port;
}

export class Server {
  #child;
  #output = '';
  #nowMs = BEGIN_MS;
  url = '';

  /** @param checkout folder with `dist/`; `outside` is the address of services, `dataDir` one that was kept */
  constructor(checkout, outside, dataDir = mkdtempSync(join(tmpdir(), 'session-'))) {
    Object.assign(this, { checkout, outside, dataDir });
    this.clock = join(dataDir, 'session.clock');
  }

  get nowSeconds() {
    return Math.floor(this.#nowMs / 1000);
  }

  /** Moves the server's time. */
  pass(seconds) {
    this.#nowMs += seconds * 1000;
    // The server reads the old text or the new one, never half of it.
    writeFileSync(`${this.clock}.next`, String(this.#nowMs));
    renameSync(`${this.clock}.next`, this.clock);
  }

  async start() {
    try {
      this.#nowMs = Number(readFileSync(this.clock, 'utf8'));
    } catch {
      // A new data directory.
    }
    this.pass(0);
    const port = await freePort();
    this.url = `http://127.0.0.1:${port}`;
    this.#child = spawn(process.execPath, ['--import', CLOCK, 'dist/bin/api.js'], {
      cwd: this.checkout,
      env: { PATH: process.env.PATH, PORT: String(port), ...this.#environment() },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    // A session that is broken off leaves no server behind.
    const child = this.#child;
    process.once('exit', () => child.kill('SIGKILL'));
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream.on('data', (chunk) => (this.#output += chunk.toString()));
    const deadline = Date.now() + START_WITHIN_MS;
    while (!(await this.#isReady())) {
      if (this.#child.exitCode !== null || Date.now() > deadline)
        throw new Error(`The server of ${this.checkout} does not start:\n${this.#output}`);
      await new Promise((next) => setTimeout(next, 50));
    }
  }

  async #isReady() {
    return fetch(`${this.url}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  }

  #environment() {
    return { SESSION_CLOCK: this.clock, DATA_DIR: this.dataDir, ...settings(this.outside) };
  }

  /** Ends it in the ordinary way. */
  async stop() {
    if (this.#child === undefined || this.#child.exitCode !== null) return;
    const ended = new Promise((exit) => this.#child.once('exit', exit));
    this.#child.kill('SIGTERM');
    await ended;
  }

  /** The events of the log as the command line prints them. */
  log() {
    const env = { PATH: process.env.PATH, DATA_DIR: this.dataDir };
    const options = { cwd: this.checkout, env, encoding: 'utf8', maxBuffer: 2 ** 28 };
    const lines = execFileSync(process.execPath, ['dist/bin/cli.js', 'log'], options).trim().split('\n');
    return lines.map((line) => JSON.parse(line));
  }

  /** The mails that it has written into files. */
  mails() {
    const folder = join(this.dataDir, 'mail');
    return readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1'));
  }

  /** What it wrote to its output beyond the greeting. */
  get errors() {
    return this.#output.split('\n').filter((line) => line.startsWith('{'));
  }

  discard() {
    rmSync(this.dataDir, { recursive: true, force: true });
  }
}
