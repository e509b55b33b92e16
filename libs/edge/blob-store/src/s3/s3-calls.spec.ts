import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { tmpdir } from 'node:os';
import { BlobStoreUnavailable } from '../blob-store.js';
import { s3AddressOf } from './s3-address.js';
import { S3BlobStore } from './s3-blob-store.js';
import { S3_LIMITS } from './s3-calls.js';

const patient = { ...S3_LIMITS, callMs: 30_000, pauseMs: 1 };
/** For what never comes. */
const hasty = { ...patient, callMs: 300, idleMs: 300 };
const HASH = '0'.repeat(64);
const KEY = `files/00/${HASH}-00000000-0000-0000-0000-000000000000`;
const SECRETS = ['AKEY', 'the-secret', 'told-by-the-server'];

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** A space of a store whose server answers like this. */
async function spaceOf(answer: RequestListener, limits = patient) {
  server = createServer(answer);
  await new Promise<void>((listening) => server?.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const url = `s3://AKEY:the-secret@127.0.0.1:${port}/bucket?tls=false`;
  return new S3BlobStore(s3AddressOf(url), { isOnlyUser: true, stagingFolder: tmpdir(), limits }).space('files');
}

const error = (code: string): string =>
  `<?xml version="1.0"?><Error><Code>${code}</Code><Message>told-by-the-server</Message><AWSAccessKeyId>AKEY</AWSAccessKeyId></Error>`;
const listing = (...keys: readonly string[]): string =>
  `<?xml version="1.0"?><ListBucketResult><IsTruncated>false</IsTruncated>${keys
    .map(
      (key) =>
        `<Contents><Key>${key}</Key><Size>5</Size><LastModified>2026-01-01T00:00:00.000Z</LastModified></Contents>`,
    )
    .join('')}</ListBucketResult>`;

/** The error of a call, which must be one that the rest of the server knows, and tell no secret. */
async function failureOf(call: Promise<unknown>): Promise<string> {
  const failure: unknown = await call.catch((thrown: unknown) => thrown);
  if (!(failure instanceof BlobStoreUnavailable)) throw new Error('It has not failed as expected.', { cause: failure });
  const told = `${String(failure.cause)} ${JSON.stringify(failure, Object.getOwnPropertyNames(failure))}`;
  for (const secret of SECRETS) expect(told).not.toContain(secret);
  return failure.message;
}

test.each([
  [500, 'InternalError'],
  [503, 'SlowDown'],
  [429, 'TooManyRequests'],
  [409, 'OperationAborted'],
])('%d %s is tried again', async (status, code) => {
  let calls = 0;
  const space = await spaceOf((_, reply) => {
    calls++;
    if (calls < 3) reply.writeHead(status).end(error(code));
    else reply.writeHead(200, { 'content-type': 'application/xml' }).end(listing(KEY));
  });
  expect(await space.stat(HASH)).toMatchObject({ hash: HASH, size: 5 });
  expect(calls).toBe(3);
});

test('a server that keeps failing is given up', async () => {
  let calls = 0;
  const space = await spaceOf((_, reply) => {
    calls++;
    reply.writeHead(503).end(error('SlowDown'));
  });
  expect(await failureOf(space.stat(HASH))).toMatch(
    /^The storage of files at http:\/\/127\.0\.0\.1:\d+ fails: 503 SlowDown\.$/,
  );
  expect(calls).toBe(3);
});

test.each([
  [403, 'AccessDenied'],
  [403, 'InvalidAccessKeyId'],
  [404, 'NoSuchBucket'],
  [301, 'PermanentRedirect'],
])('%d %s is told at once', async (status, code) => {
  let calls = 0;
  const space = await spaceOf((_, reply) => {
    calls++;
    reply.writeHead(status).end(error(code));
  });
  expect(await failureOf(space.stat(HASH))).toContain(`${status} ${code}`);
  expect(calls).toBe(1);
});

test('a server of another kind is told, and so is one that is away', async () => {
  const space = await spaceOf((_, reply) => reply.writeHead(200).end('<html>Welcome, told-by-the-server!'));
  expect(await failureOf(space.stat(HASH))).toContain('its answer is not one of S3');
  server?.closeAllConnections();
  await new Promise((closed) => server?.close(closed));
  expect(await failureOf(space.stat(HASH))).toContain('ECONNREFUSED');
});

test('a server that never answers is given up', async () => {
  const space = await spaceOf(() => undefined, hasty);
  expect(await failureOf(space.stat(HASH))).toContain('no answer within 300 ms');
});

test.each([
  ['stops in the middle', () => undefined, 'no content for 300 ms', { idleMs: hasty.idleMs }],
  // With time: a busy machine may take longer until the connection ends.
  ['breaks off in the middle', (end: () => void) => setTimeout(end, 20), 'ECONNRESET', {}],
])('content that %s fails', async (_, then, reason, limits) => {
  const space = await spaceOf(
    (request, reply) => {
      if (request.url?.includes('list-type') === true) return reply.end(listing(KEY));
      reply.writeHead(200, { 'content-length': '100' }).write('half');
      then(() => reply.destroy());
      return reply;
    },
    { ...patient, ...limits },
  );
  const opened = await space.open(HASH);
  expect(await failureOf(text(opened?.content ?? Readable.from([])))).toContain(reason);
});

test('a slow reader gets all of the content, and one that goes away ends the transfer', async () => {
  const size = 10_000_000;
  const idleMs = 1_000;
  let ended: Promise<void> | undefined;
  const space = await spaceOf(
    (request, reply) => {
      if (request.url?.includes('list-type') === true) return reply.end(listing(KEY));
      ended = new Promise((closed) => reply.once('close', closed));
      return reply.writeHead(200, { 'content-length': size }).end(Buffer.alloc(size));
    },
    { ...patient, idleMs },
  );
  const slow = await space.open(HASH);
  let received = 0;
  for await (const chunk of slow?.content ?? []) {
    if (received === 0) await pause(1.5 * idleMs);
    received += (chunk as Buffer).length;
  }
  expect(received).toBe(size);
  const left = await space.open(HASH);
  left?.content.destroy();
  await ended;
});
