/** Where the server is. */
export interface ServerAddress {
  /** For the driver alone: it holds the credentials. */
  readonly connectionString: string;
  /** For messages: hosts and ports. */
  readonly hosts: string;
}

const ADDRESS = /^(?:esdb|kurrentdb)(\+discover)?:\/\/(?:([^@?]*)@)?([^@/?#\s]+)\/*(?:\?([^?#\s]*))?$/;
const CREDENTIALS = /^[^:/]+:[^:/]+$/;
const HOST = /^[^:]+(?::\d{1,5})?$/;
const CONNECTION_NAME = 'connectionname';

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
 * Reads the address of a server: `esdb://user:password@host:2113?tls=true`, several hosts separated by commas, or
 * `esdb+discover://…` for a cluster; `kurrentdb` says the same as `esdb`. It is read strictly before the driver reads it,
 * since the driver prints an address with an unknown option, credentials and all.
 * @throws TypeError, which repeats nothing that could be a secret
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
  return { connectionString: `esdb${discover}://${login}${hosts}?${options.join('&')}`, hosts };
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
