import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NoAuditor } from '../audit-client.js';
import { ExportFolder } from './export-folder.js';
import type { FileLine } from './export-row.js';
import { fetchFiles } from './fetch-files.js';

const CONTENT = 'what was uploaded';
const uploaded = {
  file_id: 7,
  name: 'a.txt',
  size: CONTENT.length,
  sha256: createHash('sha256').update(CONTENT).digest('hex'),
} as FileLine;
const OK = [200, CONTENT] as const;
const refusal = (status: number, msg: string) => [status, JSON.stringify({ result: 'error', msg })] as const;

let server: Server;
let path: string;
let folder: ExportFolder;
let answers: (readonly [status: number, body: string])[];

beforeEach(async () => {
  server = createServer((_, response) => {
    const [status, body] = answers.shift() ?? [500, ''];
    response.writeHead(status, { 'retry-after': '0' }).end(body);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  path = mkdtempSync(join(tmpdir(), 'fetch-files-'));
  folder = await ExportFolder.open(path);
});
afterEach(() => {
  server.close();
  rmSync(path, { recursive: true });
});

const fetch = (...given: typeof answers): Promise<readonly number[]> => {
  answers = given;
  const site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const access = { site, authorization: 'Basic x', silentMs: 10_000 };
  return fetchFiles(folder, access, new Map([[7, { uploaded }]]), 'spec', () => undefined);
};
const kept = (): string => readFileSync(join(path, 'files/7-a.txt'), 'utf8');

test('a content is fetched once, and again when it was altered', async () => {
  expect(await fetch(OK)).toEqual([]);
  expect(kept()).toBe(CONTENT);
  expect(await fetch()).toEqual([]);
  writeFileSync(join(path, 'files/7-a.txt'), CONTENT.toUpperCase());
  expect(await fetch(OK)).toEqual([]);
  expect(kept()).toBe(CONTENT);
});

test('a server that takes no more calls for now is waited for', async () => {
  expect(await fetch(refusal(429, 'API usage exceeded rate limit'), OK)).toEqual([]);
  expect(kept()).toBe(CONTENT);
});

test('only what the server says it has lost is missing', async () => {
  expect(await fetch(refusal(404, 'There is no content of this file.'))).toEqual([7]);
  await expect(fetch(refusal(404, 'There is no such path.'))).rejects.toThrow(NoAuditor);
  await expect(fetch([404, '<html>'])).rejects.toThrow(NoAuditor);
});
