import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';

/** The caller's end of a connection, as Fastify tells it: the connection's own or, behind a trusted proxy, what the proxy says. */
export class Proxies {
  constructor(private readonly areTrusted: boolean) {}

  /** undefined when the connection has ended. */
  addressOf({ headers, socket }: IncomingMessage): string | undefined {
    const told = this.areTrusted ? headers['x-forwarded-for'] : undefined;
    const own = socket.remoteAddress;
    if (typeof told !== 'string') return own;
    for (const address of told.split(',')) if (address.trim() !== '') return address.trim();
    return own;
  }

  protocolOf({ headers, socket }: IncomingMessage): string {
    const told = this.areTrusted ? headers['x-forwarded-proto'] : undefined;
    if (typeof told === 'string' && told !== '') return told.slice(told.lastIndexOf(',') + 1).trim();
    return (socket as Partial<TLSSocket>).encrypted === true ? 'https' : 'http';
  }
}
