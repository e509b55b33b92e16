import { existsSync, readFileSync } from 'node:fs';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { request as requestSecurely } from 'node:https';

/** An answer of the server, a few kilobytes. */
interface Answer {
  readonly result?: string;
  readonly msg?: string;
}

/** Calls a running server, or the proxy in front of several, with an owner's credentials. */
export class OperatorClient {
  readonly #site: string;
  readonly #authorization: string;

  /**
   * @param credentials file with the key of any owner
   * @param site its address, when it differs from the clients' address
   */
  constructor(credentials: string, site?: string) {
    if (!existsSync(credentials))
      throw new Error(
        `There is no ${credentials}. Name the server's data directory with --data, whose owner.zuliprc its start writes, or the key of an owner with --credentials.`,
      );
    const zuliprc = readFileSync(credentials, 'utf8');
    const field = (name: string): string => new RegExp(`^${name}\\s*=\\s*(.*)$`, 'm').exec(zuliprc)?.[1] ?? '';
    this.#site = site?.replace(/\/+$/, '') ?? field('site');
    if (!/^https?:\/\/[^/]+$/.test(this.#site)) throw new Error(`${this.#site} is not the address of a server.`);
    this.#authorization = `Basic ${Buffer.from(`${field('email')}:${field('key')}`).toString('base64')}`;
  }

  /** @throws Error with the server's message, or why it cannot be reached */
  async call(method: 'GET' | 'POST', path: string): Promise<unknown> {
    const text = await this.#send(method, path);
    const answer = parsed(text);
    if (answer?.result !== 'success') throw new Error(answer?.msg ?? `${this.#site} is not such a server.`);
    return answer;
  }

  /** Has no timeout: a rebuild is answered when it is done, which may take an hour. */
  #send(method: 'GET' | 'POST', path: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const fail = ({ message }: Error): void => {
        const advice = method === 'GET' ? 'Is it running?' : 'What was begun may go on: look at the status.';
        reject(new Error(`The server does not answer at ${this.#site}: ${message}. ${advice}`));
      };
      const url = `${this.#site}/api/v1/operator/${path}`;
      const options = { method, headers: { authorization: this.#authorization } };
      const send = url.startsWith('https:') ? requestSecurely : request;
      const sent: ClientRequest = send(url, options, (response: IncomingMessage) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => (text += chunk));
        response.on('end', () => resolve(text));
        response.on('error', fail);
      });
      sent.on('error', fail);
      sent.end();
    });
  }
}

function parsed(text: string): Answer | undefined {
  try {
    return JSON.parse(text) as Answer;
  } catch {
    return undefined;
  }
}
