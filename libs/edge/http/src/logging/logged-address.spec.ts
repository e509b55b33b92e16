import { loggedAddress } from './logged-address.js';

test.each([
  ['192.0.2.77', '192.0.2.0'],
  ['::ffff:192.0.2.77', '192.0.2.0'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1::'],
  ['2001:db8::1', '2001:db8:0::'],
  ['fe80::1%eth0', 'fe80:0:0::'],
  ['::1', '0:0:0::'],
  ['', undefined],
])('%s is logged as %s when it is to be short', (address, short) => {
  expect(loggedAddress(address, 'short')).toBe(short);
  expect(loggedAddress(address, 'full')).toBe(address === '' ? undefined : address);
  expect(loggedAddress(address, 'none')).toBeUndefined();
});
