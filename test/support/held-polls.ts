import { until } from '#testing';
import { readExposition } from './exposition.js';
import type { TestServer } from './server.js';

/** What a server needs for `untilHeld`. */
export const COUNTS_POLLS = { METRICS_ADDRESS: '0' };

/** Resolves once as many polls wait at the server, however long their requests take to it. @param server with `COUNTS_POLLS` */
export const untilHeld = (server: TestServer, count = 1): Promise<void> =>
  until(async () => readExposition(await server.metrics()).value('scrollback_held_polls') === count);
