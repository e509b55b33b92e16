import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exchange } from './answers.js';
import type { Answer } from './client.js';

type Params = Readonly<Record<string, string>>;

/** The operator of a server, by the token in its data directory. */
export class OperatorCalls {
  constructor(private readonly server: { readonly dataDir: string; readonly url: string }) {}

  call(method: 'GET' | 'POST', path: string, params: Params = {}): Promise<Answer> {
    const { dataDir, url } = this.server;
    const authorization = `Bearer ${readFileSync(join(dataDir, 'operator.token'), 'utf8').trim()}`;
    const query = method === 'GET' ? `?${new URLSearchParams(params).toString()}` : '';
    return exchange(`${url}/api/v1/operator/${path}${query}`, {
      method,
      headers: { authorization },
      ...(method === 'POST' && { body: new URLSearchParams(params) }),
    });
  }

  /** @throws Error unless it succeeds */
  async ok(method: 'GET' | 'POST', path: string, params: Params = {}): Promise<Answer['body']> {
    const { status, body } = await this.call(method, path, params);
    if (status !== 200) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(body)}`);
    return body;
  }
}
