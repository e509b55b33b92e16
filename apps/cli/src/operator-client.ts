import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Calls a running server with the owner's credentials. */
export class OperatorClient {
  readonly #site: string;
  readonly #authorization: string;

  constructor(dataDir: string) {
    const zuliprc = readFileSync(join(dataDir, 'owner.zuliprc'), 'utf8');
    const field = (name: string): string => new RegExp(`^${name}\\s*=\\s*(.*)$`, 'm').exec(zuliprc)?.[1] ?? '';
    this.#site = field('site');
    this.#authorization = `Basic ${Buffer.from(`${field('email')}:${field('key')}`).toString('base64')}`;
  }

  async call(method: 'GET' | 'POST', path: string): Promise<unknown> {
    const response = await fetch(`${this.#site}/api/v1/operator/${path}`, {
      method,
      headers: { authorization: this.#authorization },
    });
    const body = (await response.json()) as { result: string; msg: string };
    if (body.result !== 'success') throw new Error(body.msg);
    return body;
  }
}
