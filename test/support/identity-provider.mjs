// A real OpenID provider on loopback, at which everybody is signed in already, as the account that the test chooses.
// Arguments: the address of the client. Prints its own address. `POST /as` with the claims of the account as JSON chooses it.
import { createServer } from 'node:http';
import Provider from 'oidc-provider';

const [redirectUri] = process.argv.slice(2);
let account = {};

const server = createServer();
server.listen(0, '127.0.0.1', () => {
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const provider = new Provider(issuer, {
    clients: [{ client_id: 'chat', client_secret: 'a secret of the client', redirect_uris: [redirectUri] }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    features: { devInteractions: { enabled: false } },
    pkce: { required: () => true },
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, ...account }) }),
    interactions: { url: (_, { uid }) => `/sign-in/${uid}` },
    loadExistingGrant: async ({ oidc }) => {
      const grant = new provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  });
  const answer = provider.callback();
  server.on('request', (request, response) => {
    if (request.url === '/as') {
      let text = '';
      request.on('data', (chunk) => (text += chunk));
      request.on('end', () => {
        account = JSON.parse(text);
        response.end();
      });
    } else if (request.url.startsWith('/sign-in/')) {
      void provider.interactionFinished(request, response, { login: { accountId: 'somebody' } });
    } else answer(request, response);
  });
  console.log(issuer);
});
