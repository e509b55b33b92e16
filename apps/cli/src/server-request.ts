import { type IncomingMessage, request } from 'node:http';
import { request as requestSecurely } from 'node:https';

/** Those that are undefined are left out. */
export type Params = Readonly<Record<string, string | undefined>>;

export interface ServerRequest {
  readonly method?: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends a request without a timeout; resolves when the headers of the answer have arrived. */
export function sendRequest(url: string, { body = '', ...options }: ServerRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const send = url.startsWith('https:') ? requestSecurely : request;
    send(url, options, resolve).on('error', reject).end(body);
  });
}

/** Parameters as a query or a form. */
export function encoded(params: Params): string {
  const given = Object.entries(params).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return new URLSearchParams(given).toString();
}
