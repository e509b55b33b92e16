import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OperatorClient } from './operator-client.js';

let folder: string;
let server: Server | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cli-operator-'));
});

afterEach(async () => {
  await new Promise((closed) => (server === undefined ? closed(undefined) : server.close(closed)));
  server = undefined;
  rmSync(folder, { recursive: true });
});

function writeZuliprc(site: string): void {
  writeFileSync(join(folder, 'owner.zuliprc'), `[api]\nemail=olive@example.test\nkey=secret\nsite=${site}\n`);
}

async function serve(listener: RequestListener): Promise<OperatorClient> {
  const listening = createServer(listener);
  server = listening;
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  writeZuliprc(`http://127.0.0.1:${(listening.address() as { port: number }).port}`);
  return new OperatorClient(join(folder, 'owner.zuliprc'));
}

test('asks with the credentials of the owner', async () => {
  const client = await serve(({ method, url, headers }, response) => {
    const { authorization = '' } = headers;
    response.end(JSON.stringify({ result: 'success', method, url, authorization }));
  });
  const authorization = `Basic ${Buffer.from('olive@example.test:secret').toString('base64')}`;
  expect(await client.call('POST', 'projections/topics/rebuild')).toEqual({
    result: 'success',
    method: 'POST',
    url: '/api/v1/operator/projections/topics/rebuild',
    authorization,
  });
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
  writeZuliprc('http://127.0.0.1:1');
  await expect(new OperatorClient(join(folder, 'owner.zuliprc')).call('GET', 'projections')).rejects.toThrow(
    /ECONNREFUSED.*Is it running/,
  );
});

test('a rebuild whose answer is cut off may go on', async () => {
  const client = await serve((request) => request.socket.destroy());
  await expect(client.call('POST', 'projections/topics/rebuild')).rejects.toThrow('may go on');
});

test('is asked where one says that it is', async () => {
  await serve((_, response) => response.end(JSON.stringify({ result: 'success' })));
  const { port } = server?.address() as { port: number };
  writeZuliprc('https://chat.example.test');
  const client = new OperatorClient(join(folder, 'owner.zuliprc'), `http://127.0.0.1:${port}/`);
  expect(await client.call('GET', 'projections')).toEqual({ result: 'success' });
  expect(() => new OperatorClient(join(folder, 'owner.zuliprc'), 'nowhere')).toThrow(
    'nowhere is not the address of a server',
  );
});

test('a folder without credentials is named', () => {
  expect(() => new OperatorClient(join(folder, 'owner.zuliprc'))).toThrow(join(folder, 'owner.zuliprc'));
});
