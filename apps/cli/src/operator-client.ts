import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { request as requestSecurely } from 'node:https';
import type { OperatorAccess } from './operator-access.js';
import type { Row } from './table.js';

/** An answer of the server, at most some hundred kilobytes. */
interface Answer {
  readonly result?: string;
  readonly msg?: string;
  readonly [field: string]: unknown;
}

/** Those that are undefined are left out. */
type Params = Readonly<Record<string, string | undefined>>;

/** Calls a running server, or the proxy in front of several. */
export class OperatorClient {
  constructor(private readonly access: OperatorAccess) {}

  /**
   * @param params of the query of a GET, or of the form of a POST
   * @throws Error with the server's message, or why it cannot be reached
   */
  async call(method: 'GET' | 'POST', path: string, params: Params = {}): Promise<Answer> {
    const text = await this.#send(method, path, queryOf(params));
    const answer = parsed(text);
    if (answer?.result !== 'success') throw new Error(answer?.msg ?? `${this.access.site} is not such a server.`);
    return answer;
  }

  /**
   * All rows of a list that is answered in pages.
   * @param field of the answer that has the rows
   * @param id field of a row by which the pages are in order
   */
  async rows(path: string, field: string, id: string): Promise<readonly Row[]> {
    const rows: Row[] = [];
    for (let after = 0; ;) {
      const page = await this.call('GET', path, { after: String(after) });
      rows.push(...(page[field] as readonly Row[]));
      if (page['is_last'] !== false) return rows;
      after = Number(rows.at(-1)?.[id]);
    }
  }

  /** Has no timeout: a rebuild is answered when it is done, which may take an hour. */
  #send(method: 'GET' | 'POST', path: string, params: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const fail = ({ message }: Error): void => {
        const advice = method === 'GET' ? 'Is it running?' : 'What was begun may go on: look at the status.';
        reject(new Error(`The server does not answer at ${this.access.site}: ${message}. ${advice}`));
      };
      const query = method === 'GET' && params !== '' ? `?${params}` : '';
      const form = method === 'POST' ? params : '';
      const url = `${this.access.site}/api/v1/operator/${path}${query}`;
      const headers = {
        authorization: this.access.authorization,
        ...(form === '' ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
      };
      const send = url.startsWith('https:') ? requestSecurely : request;
      const sent: ClientRequest = send(url, { method, headers }, (response: IncomingMessage) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => (text += chunk));
        response.on('end', () => resolve(text));
        response.on('error', fail);
      });
      sent.on('error', fail);
      sent.end(form);
    });
  }
}

function queryOf(params: Params): string {
  const given = Object.entries(params).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return new URLSearchParams(given).toString();
}

function parsed(text: string): Answer | undefined {
  try {
    return JSON.parse(text) as Answer;
  } catch {
    return undefined;
  }
}
