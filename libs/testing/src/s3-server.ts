import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, utimesSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { SpawnedServer } from './spawned-server.js';

const DEFAULT_BINARY = join(resolve(__dirname, '../../..'), 'node_modules/.cache/scrollback/s3');

/**
 * A server with S3's protocol on its own port and folder. Its binary is at `S3_SERVER_BIN`; `go build` in `test/s3` makes it.
 */
export class S3Server extends SpawnedServer {
  readonly #key: string;
  readonly #secret: string;

  constructor() {
    // A slash and a plus have a meaning in addresses.
    const [key, secret] = [`key-${randomBytes(4).toString('hex')}`, `a/secret+${randomBytes(12).toString('hex')}`];
    super('s3-server', binary(), { ROOT_ACCESS_KEY: key, ROOT_SECRET_KEY: secret });
    [this.#key, this.#secret] = [key, secret];
  }

  static get isBuilt(): boolean {
    return existsSync(binary());
  }

  /** Address of a new bucket, for the setting UPLOADS_URL. */
  freshUrl(): string {
    const bucket = `files-${randomBytes(6).toString('hex')}`;
    // The server keeps buckets as folders.
    mkdirSync(join(this.folder, 'objects', bucket), { recursive: true });
    return `s3://${this.#key}:${encodeURIComponent(this.#secret)}@127.0.0.1:${this.port}/${bucket}?tls=false`;
  }

  /** Secrets that no log and no error may contain. */
  get secrets(): readonly string[] {
    return [this.#key, this.#secret, encodeURIComponent(this.#secret)];
  }

  /** Keys of all objects in the bucket of an address. */
  keys(url: string): string[] {
    return readdirSync(this.folderOf(url), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.parentPath.includes('.sgwtmp'))
      .map((entry) => join(entry.parentPath, entry.name).slice(this.folderOf(url).length + 1));
  }

  /** IDs of uploads in parts that are neither completed nor aborted, in the bucket of an address. */
  incompleteUploads(url: string): string[] {
    const folder = join(this.folderOf(url), '.sgwtmp', 'multipart');
    if (!existsSync(folder)) return [];
    return readdirSync(folder).flatMap((object) => readdirSync(join(folder, object)));
  }

  /** Sets the time at which an object was stored. */
  age(url: string, key: string, at: Date): void {
    utimesSync(join(this.folderOf(url), key), at, at);
  }

  /** Where the objects of the bucket of an address lie. */
  folderOf(url: string): string {
    return join(this.folder, 'objects', new URL(url).pathname.split('/')[1] ?? '');
  }
}

/** Runs a suite on its own server; without a binary it is reported as skipped. */
export function describeOnS3(name: string, suite: (server: S3Server) => void): void {
  if (!S3Server.isBuilt) {
    describe.skip(`${name} (needs S3_SERVER_BIN)`, () => suite(undefined as never));
    return;
  }
  describe(name, () => {
    const server = new S3Server();
    beforeAll(() => server.start());
    afterAll(() => server.stop());
    suite(server);
  });
}

function binary(): string {
  return process.env['S3_SERVER_BIN'] ?? DEFAULT_BINARY;
}
