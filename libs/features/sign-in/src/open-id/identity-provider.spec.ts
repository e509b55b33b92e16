import { ServiceReports } from '#kernel';
import { Site } from '#realm/model';
import { SignInSettings } from '../sign-in-settings.js';
import { IdentityProvider, newSecrets } from './identity-provider.js';

test('an identity provider that cannot be reached is told of, with the cause', async () => {
  const told: object[] = [];
  const openId = { issuer: 'http://127.0.0.1:1', clientId: 'chat', clientSecret: 'x' };
  const provider = new IdentityProvider(
    new SignInSettings(undefined, openId as never),
    new Site('https://chat.test'),
    new ServiceReports((failure) => told.push(failure)),
  );
  await expect(provider.signInAddress(newSecrets())).rejects.toMatchObject({ code: 'SERVER_NOT_READY' });
  expect(told).toEqual([{ service: 'identity provider', cause: expect.stringMatching(/Error/) }]);
});
