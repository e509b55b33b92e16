import { Agent, type IncomingMessage, request, type RequestOptions } from 'node:http';

/** Well before the server closes an idle connection: a request that is sent meanwhile would fail. */
const IDLE_LIMIT_MS = 1000;
/** Of one spec file, since each loads this module: no request takes a connection to a server of an earlier one. */
const agent = new Agent({ keepAlive: true, timeout: IDLE_LIMIT_MS });

const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];
/** Answers that have no body, which Response demands. */
const WITHOUT_BODY: readonly number[] = [204, 205, 304];

/** @throws Error without an answer */
export async function ask(
  url: string | URL,
  options: RequestOptions,
  body: string | Buffer = '',
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const fail = (cause: Error): void => reject(new Error(`No answer: ${cause.message}`, { cause }));
    request(url, { agent, ...options }, resolve)
      .on('error', fail)
      .end(body);
  });
}

export function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2) headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
  return headers;
}

/**
 * As the global function, which suites do not use: it keeps connections for the whole process, and takes several times the
 * processor time. For HTTP without encodings; follows redirects by GET.
 */
export async function fetch(address: string | URL, init: RequestInit = {}): Promise<Response> {
  const { method = 'GET', redirect, signal } = init;
  const url = new URL(address);
  // Makes the bytes of any kind of body, and the header that tells its kind.
  const sent = new Response(init.body);
  const body = Buffer.from(await sent.arrayBuffer());
  const headers = new Headers({ accept: '*/*', 'user-agent': 'node', ...Object.fromEntries(sent.headers) });
  new Headers(init.headers).forEach((value, name) => {
    headers.set(name, value);
  });
  if (body.length > 0) headers.set('content-length', String(body.length));
  const answer = await ask(url, { method, headers: Object.fromEntries(headers), ...(signal && { signal }) }, body);
  const { statusCode: status = 0 } = answer;
  const received = headersOf(answer);
  const location = received.get('location');
  if (redirect !== 'manual' && location !== null && REDIRECTS.includes(status)) {
    answer.resume();
    return fetch(new URL(location, url));
  }
  const content = Buffer.concat(await answer.toArray());
  const response = new Response(WITHOUT_BODY.includes(status) ? null : content, { status, headers: received });
  return Object.defineProperty(response, 'url', { value: url.href });
}
