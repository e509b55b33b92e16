import { addressesIn } from './invitees.js';
import { isDisposableDomain } from './disposable-domains.js';

test.each([
  ['', []],
  [' ,\n,\r\n ', []],
  ['a@x.test,b@x.test', ['a@x.test', 'b@x.test']],
  ['a@x.test\r\nb@x.test\n', ['a@x.test', 'b@x.test']],
  ['A@x.test, a@X.test', ['A@x.test']],
  ['Ann Archer <a@x.test>, <b@x.test> ', ['a@x.test', 'b@x.test']],
  ['Ann <a@x.test> Archer', ['Ann <a@x.test> Archer']],
])('addresses in %j', (text, addresses) => {
  expect(addressesIn(text)).toEqual(addresses);
});

test('domains are disposable with what is below them', () => {
  const domains = [
    'mailinator.com',
    'MAILINATOR.com',
    'x.y.mailinator.com',
    'notmailinator.com',
    'com',
    'example.test',
  ];
  expect(domains.map(isDisposableDomain)).toEqual([true, true, true, false, false, false]);
});
