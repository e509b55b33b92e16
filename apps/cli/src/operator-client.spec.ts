import { createServer, type RequestListener, type Server } from 'node:http';
import { SERVER_VERSION } from '#realm/model';
import { OperatorClient } from './operator-client.js';

let server: Server | undefined;

afterEach(async () => {
  await new Promise((closed) => (server === undefined ? closed(undefined) : server.close(closed)));
  server = undefined;
});

const clientOf = (site: string): OperatorClient => new OperatorClient({ site, authorization: 'Bearer token' });

async function serve(listener: RequestListener): Promise<OperatorClient> {
  const listening = createServer(listener);
  server = listening;
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  return clientOf(`http://127.0.0.1:${(listening.address() as { port: number }).port}`);
}

test('asks with the credentials', async () => {
  const client = await serve(({ method, url, headers }, response) => {
    const { authorization = '' } = headers;
    response.end(JSON.stringify({ result: 'success', method, url, authorization }));
  });
  expect(await client.call('POST', 'projections/topics/rebuild')).toEqual({
    result: 'success',
    method: 'POST',
    url: '/api/v1/operator/projections/topics/rebuild',
    authorization: 'Bearer token',
  });
});

test('is recorded as the command, with its version', async () => {
  const client = await serve(({ headers }, response) => {
    response.end(JSON.stringify({ result: 'success', agent: headers['user-agent'] }));
  });
  expect((await client.call('GET', 'projections'))['agent']).toBe(`scrollback-cli/${SERVER_VERSION}`);
});

test('tells what the server says', async () => {
  const client = await serve((_, response) => {
    response.writeHead(503).end(JSON.stringify({ result: 'error', msg: 'No projector is at work.' }));
  });
  await expect(client.call('GET', 'projections')).rejects.toThrow('No projector is at work.');
});

test('tells when something else listens there', async () => {
  const client = await serve((_, response) => response.end('<h1>Welcome</h1>'));
  await expect(client.call('GET', 'projections')).rejects.toThrow('is not such a server');
});

test('reports that no server listens there', async () => {
  await expect(clientOf('http://127.0.0.1:1').call('GET', 'projections')).rejects.toThrow(
    /ECONNREFUSED.*Is it running/,
  );
});

test('a rebuild whose answer is cut off may go on', async () => {
  const client = await serve((request) => request.socket.destroy());
  await expect(client.call('POST', 'projections/topics/rebuild')).rejects.toThrow('may go on');
});
