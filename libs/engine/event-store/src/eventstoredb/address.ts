/** Host and port of one node. */
export interface Endpoint {
  readonly address: string;
  readonly port: number;
}

/** Parsed address of a server or cluster. */
export interface ServerAddress {
  /** Nodes named in the address; a cluster reports its other nodes itself. */
  readonly seeds: readonly [Endpoint, ...Endpoint[]];
  /** True for a cluster, whose nodes are asked for the leader; false for a single node. */
  readonly isCluster: boolean;
  /** Hosts and ports, for messages. */
  readonly hosts: string;
  /** Connection string of one node, for the driver only: it contains the credentials. */
  connectionString(node: Endpoint): string;
}

const ADDRESS = /^(?:esdb|kurrentdb)(\+discover)?:\/\/(?:([^@?]*)@)?([^@/?#\s]+)\/*(?:\?([^?#\s]*))?$/;
const CREDENTIALS = /^[^:/]+:[^:/]+$/;
const HOST = /^[^:]+(?::\d{1,5})?$/;
const CONNECTION_NAME = 'connectionname';
const DEFAULT_PORT = '2113';

/** What the driver reads from the address, compared as it does: without case, dashes and underlines. */
const OPTIONS = new Set([
  'usercertfile',
  'userkeyfile',
  'maxdiscoverattempts',
  CONNECTION_NAME,
  'defaultdeadline',
  'discoveryinterval',
  'gossiptimeout',
  'nodepreference',
  'tls',
  'tlscafile',
  'keepaliveinterval',
  'keepalivetimeout',
]);

/**
 * Parses the address of a server: `esdb://user:password@host:2113?tls=true`, several hosts separated by commas, or
 * `esdb+discover://…` for a cluster; `kurrentdb` is the same as `esdb`. Strict, because the driver prints an address
 * that has an unknown option, including the credentials.
 * @throws TypeError, whose message repeats nothing that could be secret
 */
export function parseAddress(address: string): ServerAddress {
  const [, discover = '', credentials, hosts = '', query = ''] = ADDRESS.exec(address.trim()) ?? [];
  if (!hosts.split(',').every((host) => HOST.test(host))) {
    throw new TypeError('The address of an EventStoreDB server looks like esdb://user:password@host:2113?tls=true.');
  }
  if (credentials !== undefined && !isCredentials(credentials)) {
    throw new TypeError("In the event store's address, user:password@ must have / : @ ? # and % written as %XX.");
  }
  const options = query.split('&').filter((option) => option !== '');
  for (const option of options) assertOption(option);
  if (!options.some((option) => keyOf(option) === CONNECTION_NAME)) options.push('connectionName=scrollback');
  const login = credentials === undefined ? '' : `${credentials}@`;
  const [first, ...others] = hosts.split(',').map(endpointOf);
  if (first === undefined) throw new RangeError('Text split at commas has at least one part.');
  return {
    seeds: [first, ...others],
    isCluster: discover !== '' || others.length > 0,
    hosts,
    connectionString: ({ address: host, port }) => `esdb://${login}${host}:${port}?${options.join('&')}`,
  };
}

function endpointOf(host: string): Endpoint {
  const [address = '', port = DEFAULT_PORT] = host.split(':');
  return { address, port: Number(port) };
}

function isCredentials(text: string): boolean {
  try {
    return CREDENTIALS.test(text) && decodeURIComponent(text) !== '';
  } catch {
    return false;
  }
}

function assertOption(option: string): void {
  const name = /^[\w-]*/.exec(option)?.[0] ?? '';
  if (keyOf(option) === 'tlsverifycert') {
    throw new TypeError(
      "The event store's certificate is always verified: name its authority with tlsCAFile instead of tlsVerifyCert.",
    );
  }
  if (!OPTIONS.has(keyOf(option))) throw new TypeError(`The event store's address has an unknown option: ${name}.`);
  if (!/^[\w-]+=[^=]+$/.test(option)) throw new TypeError(`The event store's address gives ${name} no value.`);
}

function keyOf(option: string): string {
  return (option.split('=')[0] ?? '').toLowerCase().replace(/[_-]/g, '');
}
