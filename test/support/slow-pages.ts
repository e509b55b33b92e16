/** A slow line and a slow machine for the pages of browsers: finds what works only where an answer comes at once. */
import { type IncomingMessage, Server, type ServerResponse } from 'node:http';
import type { BrowserContext } from 'playwright-core';
import { SEED, seeded } from '#testing';

/** How late requests of pages, and the answers to them, are at most. Each by a chance of its own, so that they overtake each other. */
const LATE_MS = Number(process.env['TEST_SLOW_PAGES'] ?? 0);
/** Which of them are late: all, or `events` alone, so that answers come before their events, or `others` alone, so that they come after. */
const LATE = process.env['TEST_SLOW_ONLY'] ?? 'all';
/** How many times slower their scripts run. */
const CPU_SLOWER = Number(process.env['TEST_SLOW_CPU'] ?? 1);

const chance = seeded(SEED);
const later = (work: () => void): void => void setTimeout(work, chance() * LATE_MS);

/** Browsers name the site of a request; clients of the tests do not. */
const isLate = ({ headers, url = '' }: IncomingMessage): boolean =>
  headers['sec-fetch-site'] !== undefined &&
  (LATE === 'all' || LATE === (url.includes('/events?') ? 'events' : 'others'));

// In the server: Playwright's routes would turn off the browser's cache, and cannot let an answer come after the event of what was done.
if (LATE_MS > 0) {
  const emit = Server.prototype.emit as (this: Server, name: string, ...values: unknown[]) => boolean;
  Server.prototype.emit = function (this: Server, name: string, ...values: unknown[]): boolean {
    const [request, response] = values as [IncomingMessage, ServerResponse];
    if (name !== 'request' || !isLate(request)) return emit.call(this, name, ...values);
    delayAnswer(response);
    later(() => {
      // One that has stopped meanwhile takes no more.
      if (this.listening) emit.call(this, name, ...values);
      else request.socket.destroy();
    });
    return true;
  };
}

/** Keeps what is written until it may go. */
function delayAnswer(response: ServerResponse): void {
  let kept: (() => void)[] | undefined = [];
  const letGo = (): void => {
    const acts = kept;
    kept = undefined;
    for (const act of acts ?? []) act();
  };
  for (const name of ['write', 'end'] as const) {
    const act = response[name].bind(response) as (...values: unknown[]) => unknown;
    response[name] = ((...values: unknown[]) => {
      if (kept === undefined) return act(...values);
      if (kept.length === 0) later(letGo);
      kept.push(() => act(...values));
      return name === 'write' || response;
    }) as never;
  }
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
