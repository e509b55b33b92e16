import { clientVersionOf } from './client-name.js';

test.each([
  ['ZulipMobile/30.0.1 (Android 14)', '30.0.1'],
  ['Zulip Desktop/5.11 (Linux)', '5.11'],
  ['curl', undefined],
  ['Robot (x/1.2)', undefined],
  [undefined, undefined],
])('the version in %s', (userAgent, version) => {
  expect(clientVersionOf(userAgent)).toBe(version);
});
