import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { parsedJson } from '#kernel';
import type { ServerAccess } from './operator-access.js';
import { encoded, type Params, sendRequest } from './server-request.js';
import type { Row } from './table.js';

/** An answer of the server, at most some hundred kilobytes. */
interface Answer {
  readonly result?: string;
  readonly msg?: string;
  readonly [field: string]: unknown;
}

/** What an answer tells, without what only says that it is one. */
export function fieldsOf({ result: _, msg: __, ...fields }: Answer): Row {
  return fields;
}

/** Calls a running server, or the proxy in front of several. */
export class OperatorClient {
  constructor(private readonly access: ServerAccess) {}

  /**
   * @param params of the query of a GET, or of the form of a POST
   * @throws Error with the server's message, or why it cannot be reached
   */
  async call(method: 'GET' | 'POST', path: string, params: Params = {}): Promise<Answer> {
    return this.#read(await this.#send(method, `operator/${path}`, encoded(params), text));
  }

  /**
   * Has a request held where clients poll for events.
   * @param beginAtOnce the answer begins before the wait; otherwise nothing comes until the end, as of a poll
   * @returns its answer, and after which part of its time its beginning was here
   * @throws Error as `call`
   */
  async hold(seconds: string, beginAtOnce: boolean): Promise<{ readonly answer: Answer; readonly beganAfter: number }> {
    const sentMs = performance.now();
    let beganMs: number | undefined;
    const params = encoded({ seconds, begin_at_once: String(beginAtOnce) });
    const held = await this.#send('GET', 'events/held', params, (response) => {
      response.once('data', () => (beganMs = performance.now() - sentMs));
      return text(response);
    });
    return { answer: this.#read(held), beganAfter: (beganMs ?? 0) / (performance.now() - sentMs) };
  }

  #read(content: string): Answer {
    const answer = parsedJson(content) as Answer | undefined;
    if (answer?.result !== 'success')
      throw new Error(answer === undefined ? `${this.access.site} is not such a server.` : refusalOf(answer));
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
  async #send(
    method: 'GET' | 'POST',
    path: string,
    params: string,
    read: (response: IncomingMessage) => Promise<string>,
  ): Promise<string> {
    const { site, authorization } = this.access;
    const query = method === 'GET' && params !== '' ? `?${params}` : '';
    const form = method === 'POST' ? params : '';
    try {
      const url = `${site}/api/v1/${path}${query}`;
      return await read(await sendRequest(url, { method, headers: { authorization }, form }));
    } catch (error) {
      const advice = method === 'GET' ? 'Is it running?' : 'What was begun may go on: look at the status.';
      throw new Error(`The server does not answer at ${site}: ${(error as Error).message}. ${advice}`, {
        cause: error,
      });
    }
  }
}

/** The text of a refusal, and of whom it says what, as those of invitations do: `errors` are `[address, reason, …]`. */
function refusalOf({ msg = 'The server refuses it.', errors }: Answer): string {
  const rows = Array.isArray(errors) ? (errors as readonly unknown[]).filter((row) => Array.isArray(row)) : [];
  return [msg, ...rows.map(([about, reason]) => `${String(about)}: ${String(reason)}`)].join('\n');
}
