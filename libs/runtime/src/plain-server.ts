import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { acceptsHtml, failureBody, JSON_TYPE, PAGE_HEADERS, STATUS, waitingPage } from '#http';
import type { Refusal } from '#kernel';
import { closeAtOnce, listenOn } from './listening.js';

const HEADERS = { 'content-type': JSON_TYPE, 'cache-control': 'no-store' };

/**
 * Minimal server that answers health checks and refuses everything else: until the read models are at the end of the log, and in a
 * projector. It listens before anything is opened or created: a first start that cannot serve must not create an
 * organization whose password was never shown. A browser gets a page that asks again by itself.
 */
export class PlainServer {
  private constructor(private readonly server: Server) {}

  /**
   * @param complaint why it is not ready; undefined when it is
   * @param refusal answer to everything except health checks
   * @throws SettingsError when the address cannot be used
   */
  static async listen(
    host: string,
    port: number,
    complaint: () => Refusal | undefined,
    refusal: Refusal,
  ): Promise<PlainServer> {
    const server = createServer((request, response) => {
      request.resume();
      const path = request.url?.split('?')[0];
      if (path === '/health/live') succeed(response, 'live');
      else if (path !== '/health/ready') refuse(response, refusal, isAskedByPerson(request));
      else {
        const complained = complaint();
        if (complained === undefined) succeed(response, 'ready');
        else refuse(response, complained);
      }
    });
    await listenOn(server, { host, port });
    return new PlainServer(server);
  }

  get port(): number {
    return (this.server.address() as { port: number }).port;
  }

  close(): Promise<void> {
    return closeAtOnce(this.server);
  }
}

function succeed(response: ServerResponse, status: string): void {
  response.writeHead(200, HEADERS).end(JSON.stringify({ result: 'success', msg: '', status }));
}

/** Whether a browser opens the address. Its scripts and programs want JSON. */
function isAskedByPerson({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && acceptsHtml(headers.accept);
}

function refuse(response: ServerResponse, { code, message, data }: Refusal, isByPerson = false): void {
  const status = STATUS[code];
  const retry = status === 503 ? { 'retry-after': '1' } : {};
  if (isByPerson && status === 503) {
    const headers = { ...PAGE_HEADERS, 'cache-control': 'no-store', vary: 'accept', ...retry };
    response.writeHead(status, headers).end(waitingPage(message));
    return;
  }
  response.writeHead(status, { ...HEADERS, ...retry }).end(failureBody({ code, message, data }));
}
