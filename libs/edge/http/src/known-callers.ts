import { timingSafeEqual } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Caller } from './authentication.js';

const KNOWN = Symbol('caller of the last request');

interface Known {
  readonly authorization: Buffer;
  readonly caller: Caller;
}

/** A connection, with the caller that its last checked credentials proved. */
type Connection = Socket & { [KNOWN]?: Known };

/** The caller whom the same header proved on this connection before: clients send it with each request. */
export function knownCaller(connection: Connection, authorization: string | undefined): Caller | undefined {
  const known = connection[KNOWN];
  if (known === undefined || authorization?.length !== known.authorization.length) return undefined;
  // A proxy may send requests of several callers on one connection.
  return timingSafeEqual(Buffer.from(authorization, 'latin1'), known.authorization) ? known.caller : undefined;
}

export function rememberCaller(connection: Connection, authorization: string | undefined, caller: Caller): void {
  if (authorization !== undefined) connection[KNOWN] = { authorization: Buffer.from(authorization, 'latin1'), caller };
}
