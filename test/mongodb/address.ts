const PORT_DEFAULT = 27017;

/** A connection string, taken apart. */
export interface AddressParts {
  readonly credentials: string;
  readonly hosts: readonly string[];
  readonly database: string;
  readonly options: string;
}

/** @throws Error for what the proxy cannot stand before */
export function addressParts(url: string): AddressParts {
  const parts =
    /^mongodb:\/\/(?<credentials>[^/?]*@)?(?<hosts>[^/?@]+)(?:\/(?<database>[^?]*))?(?<options>\?.*)?$/.exec(
      url,
    )?.groups;
  // The text holds no address, since that may hold a password.
  if (parts === undefined || /(?:tls|ssl)=true/.test(url)) throw new Error('The proxy takes mongodb:// without TLS.');
  const { credentials = '', hosts = '', database = '', options = '' } = parts;
  return { credentials, hosts: hosts.split(','), database, options };
}

export function hostAndPort(text: string): readonly [string, number] {
  const [, host = text, port] = /^(.*?)(?::(\d+))?$/.exec(text) ?? [];
  return [host.toLowerCase(), Number(port ?? PORT_DEFAULT)];
}
