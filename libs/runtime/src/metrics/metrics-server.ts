import { createServer, type Server } from 'node:http';
import { SingleFlight } from '#kernel';
import { closeAtOnce, listenOn } from '../listening.js';
import type { MetricsAddress } from '../settings/metrics-address.js';

/** Scrapers of one installation. */
const CONNECTIONS_MAX = 16;
/** Prometheus waits for 10 s by default. */
const SCRAPE_LIMIT_MS = 8_000;
const TEXT = 'text/plain; charset=utf-8';

/** Serves `GET /metrics`, and nothing else. Scrapes at the same time share one. */
export class MetricsServer {
  private constructor(
    private readonly server: Server,
    private readonly host: string,
  ) {}

  /** @throws SettingsError when the address cannot be used */
  static async listen(
    { host, port }: MetricsAddress,
    exposition: { readonly contentType: string; text(): Promise<string> },
    onError: (error: unknown) => void,
  ): Promise<MetricsServer> {
    const scrapes = new SingleFlight(() => exposition.text(), {
      limitMs: SCRAPE_LIMIT_MS,
      late: () => new Error('The metrics could not be read in time.'),
    });
    const server = createServer(
      { requestTimeout: SCRAPE_LIMIT_MS, headersTimeout: SCRAPE_LIMIT_MS },
      (request, response) => {
        request.resume();
        if (request.url?.split('?', 1)[0] !== '/metrics') {
          response.writeHead(404, { 'content-type': TEXT }).end('Metrics are at /metrics.\n');
        } else if (request.method !== 'GET' && request.method !== 'HEAD') {
          response.writeHead(405, { 'content-type': TEXT, allow: 'GET, HEAD' }).end();
        } else {
          scrapes.run().then(
            (text) => response.writeHead(200, { 'content-type': exposition.contentType }).end(text),
            (error: unknown) => {
              onError(error);
              response.writeHead(503, { 'content-type': TEXT }).end('The metrics cannot be read at the moment.\n');
            },
          );
        }
      },
    );
    server.maxConnections = CONNECTIONS_MAX;
    await listenOn(server, { host, port }, 'METRICS_ADDRESS');
    return new MetricsServer(server, host);
  }

  get url(): string {
    const { port } = this.server.address() as { port: number };
    return `http://${this.host.includes(':') ? `[${this.host}]` : this.host}:${port}/metrics`;
  }

  close(): Promise<void> {
    return closeAtOnce(this.server);
  }
}
