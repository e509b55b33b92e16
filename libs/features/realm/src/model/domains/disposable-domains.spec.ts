import { isDisposableDomain } from './disposable-domains.js';

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
