import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Calls a running server with the owner's credentials. */
export class OperatorClient {
  readonly #site: string;
  readonly #authorization: string;

  constructor(dataDir: string) {
    const path = join(dataDir, 'owner.zuliprc');
    if (!existsSync(path))
      throw new Error(`There is no ${path}. Name the server's data directory with --data; its start writes this file.`);
    const zuliprc = readFileSync(path, 'utf8');
    const field = (name: string): string => new RegExp(`^${name}\\s*=\\s*(.*)$`, 'm').exec(zuliprc)?.[1] ?? '';
    this.#site = field('site');
    this.#authorization = `Basic ${Buffer.from(`${field('email')}:${field('key')}`).toString('base64')}`;
  }

  async call(method: 'GET' | 'POST', path: string): Promise<unknown> {
    const response = await this.#fetch(method, path);
    const body = (await response.json().catch(() => undefined)) as { result: string; msg: string } | undefined;
    if (body?.result !== 'success') throw new Error(body?.msg ?? `${this.#site} is not such a server.`);
    return body;
  }

  async #fetch(method: 'GET' | 'POST', path: string): Promise<Response> {
    try {
      return await fetch(`${this.#site}/api/v1/operator/${path}`, {
        method,
        headers: { authorization: this.#authorization },
      });
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : '';
      throw new Error(`The server does not answer at ${this.#site}${cause}. Is it running?`, { cause: error });
    }
  }
}
