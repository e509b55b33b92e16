/** Uploads when the server is killed. TEST_FILES=s3 keeps files on an S3 server. */
import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { until } from '#testing';
import { type FileStorage, openFileStorage } from '../support/file-storage.js';
import { build, ServerProcess } from '../support/process.js';
import { credentials, load, tryUpload, upload } from '../support/uploads.js';

const server = new ServerProcess();
let files: FileStorage;

beforeAll(async () => {
  build();
  files = await openFileStorage(server.dataDir);
  await server.start(files.environment);
});
afterAll(async () => {
  await server.discard();
  await files.stop();
});

test('a SIGKILL in the middle leaves nothing of an upload, and all of those that were answered', async () => {
  const owner = server.owner();
  const kept = await upload(server, owner, 'kept.txt', 'kept');
  const { hostname, port } = new URL(server.url);
  const headers = {
    authorization: credentials(owner),
    'content-type': 'multipart/form-data; boundary=b',
    'content-length': '1000000',
  };
  const half = request({ hostname, port, method: 'POST', path: '/api/v1/user_uploads', headers });
  half.on('error', () => undefined);
  half.write(`--b\r\ncontent-disposition: form-data; name="f"; filename="half.bin"\r\n\r\n${'x'.repeat(300_000)}`);
  await until(() => files.incomplete().length > 0);
  await server.end('SIGKILL');
  expect(files.incomplete()).toHaveLength(1);
  await server.start(files.environment);
  expect(files.incomplete()).toEqual([]);
  const { attachments, upload_space_used } = await owner.ok('GET', '/attachments');
  expect([attachments.map(({ name }: any) => name), upload_space_used]).toEqual([['kept.txt'], 4]);
  expect(await (await load(server, kept, owner)).text()).toBe('kept');
});

test('SIGKILLs while large files are stored leave every file with its content, and nothing half', async () => {
  const owner = server.owner();
  const contents = Array.from({ length: 8 }, () => randomBytes(11 * 1024 * 1024));
  const urls = new Map<string, Buffer>();
  for (let round = 0; round < 2; round++) {
    const before = files.names().length;
    const sending = contents.slice(4 * round, 4 * round + 4).map(async (content, index) => {
      const answer = await tryUpload(server, owner, `${round}-${index}.bin`, content);
      if (answer.status === 200) urls.set(answer.body.url, content);
    });
    const all = Promise.allSettled(sending);
    // Some are staged, some are on their way into the store, some have arrived.
    await until(() => files.names().length >= before + round + 1);
    await server.end('SIGKILL');
    await all;
    await server.start(files.environment);
    expect(files.incomplete()).toEqual([]);
  }
  for (const [url, content] of urls) {
    const answer = await load(server, url, owner);
    expect(Buffer.from(await answer.arrayBuffer()).equals(content)).toBe(true);
  }
  // An upload whose answer was lost is a whole file, or none.
  const { attachments } = await owner.ok('GET', '/attachments');
  for (const { path_id, size } of attachments) {
    const answer = await load(server, `/user_uploads/${path_id}`, owner);
    expect([answer.status, (await answer.arrayBuffer()).byteLength]).toEqual([200, size]);
  }
});
