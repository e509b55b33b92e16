import type { MongoClient } from 'mongodb';

/**
 * Timeout of the driver's server check. A check that begins on a connection that the server is just closing never ends,
 * and the driver uses no server meanwhile (mongodb 7.8).
 */
export const LOOK_LIMIT_MS = 1_000;
/** How long a call may still use a connection after the driver found connections closed: longer than a tail waits. */
const CLOSED_LIMIT_MS = 1_500;

/**
 * Calls back repeatedly while a server check of the driver that began at this time, on an existing connection, has not
 * ended.
 */
export function whenLooksHang(client: MongoClient, isConnected: boolean, hangs: (sinceMs: number) => void): void {
  const looks = new Map<string, NodeJS.Timeout>();
  /** Whether the previous check succeeded: after a failed one the driver uses a new connection. */
  const wentWell = new Map<string, boolean>();
  const over = (address: string, isWell: boolean): void => {
    clearInterval(looks.get(address));
    looks.delete(address);
    wentWell.set(address, isWell);
  };
  client.on('serverHeartbeatStarted', ({ connectionId: address, awaited }) => {
    // A server that streams its changes answers when there is one.
    if (awaited || !(wentWell.get(address) ?? isConnected)) return;
    const sinceMs = performance.now();
    clearInterval(looks.get(address));
    looks.set(address, setInterval(() => hangs(sinceMs), LOOK_LIMIT_MS).unref());
  });
  client.on('serverHeartbeatSucceeded', ({ connectionId }) => over(connectionId, true));
  client.on('serverHeartbeatFailed', ({ connectionId }) => over(connectionId, false));
  client.on('serverClosed', ({ address }) => over(address, false));
}

/**
 * Calls back when a call still uses a connection of a pool that the driver cleared at this time, because it found one of
 * them closed. A call that takes a connection which is just closing never ends: its socket takes no bytes and says
 * nothing any more (mongodb 7.8).
 */
export function whenCallsHang(client: MongoClient, hangs: (closedMs: number) => void): void {
  const inUse = new Set<string>();
  client.on('connectionCheckedOut', ({ address, connectionId }) => inUse.add(`${address}/${connectionId}`));
  client.on('connectionCheckedIn', ({ address, connectionId }) => inUse.delete(`${address}/${connectionId}`));
  client.on('connectionPoolCleared', ({ address }) => {
    const closedMs = performance.now();
    const suspects = [...inUse].filter((connection) => connection.startsWith(`${address}/`));
    const look = (): void => {
      if (suspects.some((connection) => inUse.has(connection))) hangs(closedMs);
    };
    if (suspects.length > 0) setTimeout(look, CLOSED_LIMIT_MS).unref();
  });
}
