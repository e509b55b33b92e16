import { RawClient } from './raw-client.mjs';

const CONNECTIONS_MAX = 2_000;

export function percentile(sorted, share) {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

/**
 * Clients that each send one request after the other.
 * @returns requests per second, and latencies in ms, sorted
 */
export async function closedLoop({ port, clients, seconds, warmupSeconds = 1, makeRequest }) {
  const connections = await Promise.all(Array.from({ length: clients }, () => RawClient.open(port)));
  const start = performance.now() + warmupSeconds * 1000;
  const end = start + seconds * 1000;
  const latencies = [];
  await Promise.all(
    connections.map(async (client, index) => {
      for (let round = 0; ; round++) {
        const sentAt = performance.now();
        if (sentAt >= end) break;
        const { status, body } = await client.request(makeRequest(index, round));
        if (status !== 200) throw new Error(`HTTP ${status}: ${body}`);
        if (sentAt >= start) latencies.push(performance.now() - sentAt);
      }
      client.close();
    }),
  );
  latencies.sort((a, b) => a - b);
  return { perSecond: latencies.length / seconds, latencies };
}

/**
 * Requests at a fixed rate, independent of the server; latency counts from when a request was due.
 * @param isOver ends it before its time
 */
export async function openLoop({ port, clients, perSecond, seconds, makeRequest, isOver = () => false }) {
  const free = await Promise.all(Array.from({ length: clients }, () => RawClient.open(port)));
  const all = [...free];
  /** A server that falls behind gets more clients, as in production. */
  const connectMore = async () => {
    if (all.length >= CONNECTIONS_MAX) throw new Error('The server fell behind: every connection is busy.');
    const client = await RawClient.open(port);
    all.push(client);
    return client;
  };
  const latencies = [];
  const pending = [];
  const start = performance.now();
  const total = Math.round(perSecond * seconds);
  let sent = 0;
  while (sent < total && !isOver()) {
    const due = Math.min(total, Math.floor(((performance.now() - start) / 1000) * perSecond) + 1);
    for (; sent < due; sent++) {
      // In rotation: an unused connection is closed after a while.
      const client = free.shift() ?? (await connectMore());
      const dueAt = start + (sent / perSecond) * 1000;
      pending.push(
        client.request(makeRequest(sent)).then(({ status, body }) => {
          if (status !== 200) throw new Error(`HTTP ${status}: ${body}`);
          latencies.push(performance.now() - dueAt);
          free.push(client);
        }),
      );
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await Promise.all(pending);
  for (const client of all) client.close();
  return latencies.sort((a, b) => a - b);
}
