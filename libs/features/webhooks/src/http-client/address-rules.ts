import { BlockList, isIP } from 'node:net';

/** Networks that are no public part of the Internet (IANA's special-purpose registries). */
const SPECIAL_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];
/** Of IPv6 only `2000::/3` is public, without documentation, and without tunnels, which lead to IPv4. */
const PUBLIC_IPV6 = ['2000::/3'];
const SPECIAL_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const special = listOf([...SPECIAL_IPV4, ...SPECIAL_IPV6]);
const publicIpv6 = listOf(PUBLIC_IPV6);

/** Which hosts and addresses the server may call. */
export class AddressRules {
  readonly #networks: BlockList;

  /**
   * @param hosts names or addresses, each alone or with a port; `*.domain` for all names below a domain, `*` for all
   * @param networks such as `10.1.0.0/16`, which may be called although they are not public
   */
  constructor(
    private readonly hosts: readonly string[],
    networks: readonly string[],
  ) {
    this.#networks = listOf(networks);
  }

  /** Whether the host is among those that may be called. */
  allowsHost({ hostname, host, port, protocol }: URL): boolean {
    const withPort = port === '' ? `${host}:${protocol === 'https:' ? 443 : 80}` : host;
    return this.hosts.some(
      (rule) =>
        rule === '*' ||
        rule === hostname ||
        rule === withPort ||
        (rule.startsWith('*.') && hostname.endsWith(rule.slice(1))),
    );
  }

  /** Whether the address is public, or in a network that may be called. */
  allowsAddress(address: string): boolean {
    // An address of IPv4 in the form of IPv6.
    const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
    if (mapped !== undefined) return this.allowsAddress(mapped);
    const family = familyOf(address);
    if (family === undefined) return false;
    if (this.#networks.check(address, family)) return true;
    if (special.check(address, family)) return false;
    return family === 'ipv4' || publicIpv6.check(address, family);
  }
}

/** @throws Error for what is no network */
function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits = ''] = network.split('/');
    const family = familyOf(address);
    if (family === undefined || !/^\d{1,3}$/.test(bits) || Number(bits) > (family === 'ipv4' ? 32 : 128))
      throw new Error(`${network} is no network, such as 10.1.0.0/16.`);
    list.addSubnet(address, Number(bits), family);
  }
  return list;
}

function familyOf(address: string): 'ipv4' | 'ipv6' | undefined {
  const version = isIP(address);
  return version === 0 ? undefined : version === 4 ? 'ipv4' : 'ipv6';
}
