import { addressesIn } from './invitees.js';

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
