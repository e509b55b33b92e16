import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { request as requestSecurely } from 'node:https';
import type { OperatorAccess } from './operator-access.js';

/** An answer of the server, a few kilobytes. */
interface Answer {
  readonly result?: string;
  readonly msg?: string;
}

/** Calls a running server, or the proxy in front of several. */
export class OperatorClient {
  constructor(private readonly access: OperatorAccess) {}

  /** @throws Error with the server's message, or why it cannot be reached */
  async call(method: 'GET' | 'POST', path: string): Promise<unknown> {
    const text = await this.#send(method, path);
    const answer = parsed(text);
    if (answer?.result !== 'success') throw new Error(answer?.msg ?? `${this.access.site} is not such a server.`);
    return answer;
  }

  /** Has no timeout: a rebuild is answered when it is done, which may take an hour. */
  #send(method: 'GET' | 'POST', path: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const fail = ({ message }: Error): void => {
        const advice = method === 'GET' ? 'Is it running?' : 'What was begun may go on: look at the status.';
        reject(new Error(`The server does not answer at ${this.access.site}: ${message}. ${advice}`));
      };
      const url = `${this.access.site}/api/v1/operator/${path}`;
      const options = { method, headers: { authorization: this.access.authorization } };
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
