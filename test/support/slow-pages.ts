/** A slow line and a slow machine for the pages of browsers: finds what works only where an answer comes at once. */
import { type IncomingMessage, Server, type ServerResponse } from 'node:http';
import type { BrowserContext } from 'playwright-core';
import { SEED, seeded } from '#testing';

/** How late requests of pages, and the answers to them, are at most. Each by a chance of its own, so that they overtake each other. */
const LATE_MS = Number(process.env['TEST_SLOW_PAGES'] ?? 0);
/** How many times slower their scripts run. */
const CPU_SLOWER = Number(process.env['TEST_SLOW_CPU'] ?? 1);

const chance = seeded(SEED);
const later = (work: () => void): void => void setTimeout(work, chance() * LATE_MS);

/** Browsers name the site of a request; clients of the tests do not. */
const isOfPage = ({ headers }: IncomingMessage): boolean => headers['sec-fetch-site'] !== undefined;

// In the server: Playwright's routes would turn off the browser's cache, and cannot let an answer come after the event of what was done.
if (LATE_MS > 0) {
  const emit = Server.prototype.emit as (this: Server, name: string, ...values: unknown[]) => boolean;
  Server.prototype.emit = function (this: Server, name: string, ...values: unknown[]): boolean {
    const [request, response] = values as [IncomingMessage, ServerResponse];
    if (name !== 'request' || !isOfPage(request)) return emit.call(this, name, ...values);
    const end = response.end.bind(response) as (...values: unknown[]) => ServerResponse;
    response.end = ((...chunks: unknown[]) => {
      later(() => end(...chunks));
      return response;
    }) as typeof response.end;
    later(() => {
      // One that has stopped meanwhile takes no more.
      if (this.listening) emit.call(this, name, ...values);
      else request.socket.destroy();
    });
    return true;
  };
}

/** Slows down the pages of a context. */
export function slowDown(context: BrowserContext): void {
  if (CPU_SLOWER === 1) return;
  context.on('page', (page) => {
    const slow = async (): Promise<void> => {
      const session = await context.newCDPSession(page);
      await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWER });
    };
    // It may be closed already.
    slow().catch(() => undefined);
  });
}
