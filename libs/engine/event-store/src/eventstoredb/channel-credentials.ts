import { isIP } from 'node:net';
import { type Channel, type Client, partsOf } from './driver.js';

/**
 * Internals of a grpc-js channel: its credentials build the options of `tls.connect`, and decide which channels share a
 * connection.
 */
interface ChannelParts {
  readonly internalChannel?: { readonly credentials?: ChannelCredentials };
}

interface ChannelCredentials {
  _createSecureConnector: (...parameters: unknown[]) => { connectionOptions?: { servername?: string } };
  _equals: (other: unknown) => boolean;
}

/**
 * Changes how the client's channels connect, in two ways for which neither the client nor grpc-js has an option.
 * IP addresses are not sent as the server name of TLS: RFC 6066 forbids it and Node warns (DEP0123). The certificate is
 * still verified against the address, since Node falls back to the host.
 * Connections are not shared with other clients of the process. A new client would otherwise reuse the connection of
 * the client that was abandoned because it got no answer; and one to a node that was down would wait for the reconnect
 * backoff of grpc-js, which grows to two minutes.
 */
export async function useOwnConnections(client: Client): Promise<void> {
  const channel = (await partsOf(client).getChannel()) as Channel & ChannelParts;
  const credentials = channel.internalChannel?.credentials;
  if (credentials === undefined) return;
  credentials._equals = (other) => other === credentials;
  const create = credentials._createSecureConnector.bind(credentials);
  credentials._createSecureConnector = (...parameters) => {
    const connector = create(...parameters);
    const options = connector.connectionOptions;
    if (options?.servername !== undefined && isIP(options.servername) !== 0) delete options.servername;
    return connector;
  };
}
