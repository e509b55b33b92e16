// Cost of a long history for its readers: fetches by every kind of narrow, unread messages, a move. BENCH_MESSAGES sets
// its length; everything is compared with a history of a tenth of that.
import { join } from 'node:path';
import { measureMove } from './move.mjs';
import { measureNarrows } from './narrows.mjs';
import { writeHistory } from './support/history.mjs';
import { start, startServer, temporaryFolder } from './support/processes.mjs';
import { RawClient } from './support/raw-client.mjs';
import { measureUnread } from './unread.mjs';

const MESSAGES = Number(process.env.BENCH_MESSAGES ?? 1_000_000);

export async function measureHistory() {
  const sites = [];
  try {
    for (const size of [Math.floor(MESSAGES / 10), MESSAGES]) sites.push(await openSite(size));
    const [short, long] = sites;
    // Not earlier: an idle connection would be closed while a long history is built.
    for (const site of sites) await site.connect();
    return [
      ...(await measureNarrows(short, long)),
      ...(await measureUnread(short, long)),
      ...(await measureMove(short, long)),
    ];
  } finally {
    for (const { close } of sites) await close();
  }
}

/** An organization with a history, its server, and the floor on its read models. */
async function openSite(size) {
  const data = temporaryFolder();
  const scratch = temporaryFolder();
  const startedAt = performance.now();
  await writeHistory(data.folder, size);
  const writtenAt = performance.now();
  const server = await startServer(data.folder);
  const seconds = (from, to) => ((to - from) / 1000).toFixed(1);
  console.error(
    `  ${size.toLocaleString('en')} messages: written in ${seconds(startedAt, writtenAt)} s, read models built in ` +
      `${seconds(writtenAt, performance.now())} s`,
  );
  const floor = await start('bench/floors/kept-documents.mjs', [
    join(data.folder, 'read-models.db'),
    join(scratch.folder, 'scratch.db'),
  ]);
  const site = {
    size,
    connect: async () => {
      site.client = await RawClient.open(server.port);
      site.floor = await RawClient.open(floor.port);
    },
    close: async () => {
      site.client?.close();
      site.floor?.close();
      await floor.stop();
      await server.stop();
      data.remove();
      scratch.remove();
    },
  };
  return site;
}
