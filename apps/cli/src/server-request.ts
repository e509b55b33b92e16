import { type IncomingMessage, request } from 'node:http';
import { request as requestSecurely } from 'node:https';
import { SERVER_VERSION } from '#realm/model';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
/** Names the program in what is recorded of calls by auditors and operators. */
const AGENT = { 'user-agent': `scrollback-cli/${SERVER_VERSION}` };

/** Those that are undefined are left out. */
export type Params = Readonly<Record<string, string | undefined>>;

export interface ServerRequest {
  readonly method?: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  /** Parameters in the body, as `encoded` writes them. */
  readonly form?: string;
  /** The call is given up when nothing comes for so long; it may be silent for ever when absent. */
  readonly silentMs?: number;
}

/**
 * Sends a request; resolves when the headers of the answer have arrived.
 * @throws Error that names the call, also while the answer is read, when nothing was received for `silentMs`
 */
export function sendRequest(
  url: string,
  { method = 'GET', headers, form = '', silentMs }: ServerRequest,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const send = url.startsWith('https:') ? requestSecurely : request;
    const options = { method, headers: { ...AGENT, ...headers, ...(form !== '' && FORM) } };
    let answer: IncomingMessage | undefined;
    const asked = send(url, options, (response) => resolve((answer = response)));
    asked.on('error', reject).end(form);
    if (silentMs === undefined) return;
    asked.setTimeout(silentMs, () => {
      const call = `${method} ${new URL(url).pathname}`;
      const late = new Error(`${call} has sent nothing for ${silentMs / 1000} seconds, and was given up.`);
      (answer ?? asked).destroy(late);
    });
  });
}

/** Parameters as a query or a form. */
export function encoded(params: Params): string {
  const given = Object.entries(params).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return new URLSearchParams(given).toString();
}
