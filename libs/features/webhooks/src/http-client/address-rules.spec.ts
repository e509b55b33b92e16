import { AddressRules } from './address-rules.js';

const open = new AddressRules(['*'], []);

test.each(['93.184.216.34', '8.8.8.8', '2606:2800:220:1:248:1893:25c8:1946', '::ffff:8.8.8.8'])(
  '%s is public',
  (address) => {
    expect(open.allowsAddress(address)).toBe(true);
  },
);

test.each([
  '127.0.0.1',
  '127.1.2.3',
  '0.0.0.0',
  '10.0.0.1',
  '100.64.0.1',
  '169.254.169.254',
  '172.31.255.255',
  '192.168.1.1',
  '192.0.2.1',
  '198.19.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::7f00:1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  '2001:0:1::1',
  '2001:db8::1',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'ff02::1',
  'no address',
  '',
])('%s is not', (address) => {
  expect(open.allowsAddress(address)).toBe(false);
});

test('networks that the operator names may be called, and no others', () => {
  const rules = new AddressRules(['*'], ['10.1.0.0/16', 'fd00::/8']);
  expect(['10.1.2.3', '::ffff:10.1.2.3', 'fd12::1'].every((address) => rules.allowsAddress(address))).toBe(true);
  expect(['10.2.0.1', '127.0.0.1', 'fe80::1'].some((address) => rules.allowsAddress(address))).toBe(false);
  for (const network of ['10.1.0.0', 'example.org/8', '10.0.0.0/x', '10.0.0.0/99'])
    expect(() => new AddressRules([], [network])).toThrow();
});

test.each([
  [['hooks.example.org'], 'https://hooks.example.org/a', true],
  [['hooks.example.org'], 'http://hooks.example.org:8080/', true],
  [['hooks.example.org:443'], 'https://HOOKS.example.org/', true],
  [['hooks.example.org:443'], 'http://hooks.example.org/', false],
  [['hooks.example.org'], 'https://evil.hooks.example.org/', false],
  [['hooks.example.org'], 'https://hooks.example.org.evil.test/', false],
  [['*.example.org'], 'https://a.b.example.org/', true],
  [['*.example.org'], 'https://example.org/', false],
  [['*.example.org'], 'https://evilexample.org/', false],
  [['*'], 'https://anything.test/', true],
  [['127.0.0.1:80'], 'http://2130706433/', true],
  [['[::1]:8080'], 'http://[::1]:8080/', true],
  [[], 'https://hooks.example.org/', false],
])('%j and %s: %s', (hosts, url, expected) => {
  expect(new AddressRules(hosts, []).allowsHost(new URL(url))).toBe(expected);
});
