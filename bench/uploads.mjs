// 100 uploads of 25 MB at a time: how much memory the server takes for them, and what they do to sends meanwhile; with files
// on disk and, where S3_SERVER_BIN names a server (test/s3), on S3.
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { openLoop, percentile } from './support/load.mjs';
import { prose } from './support/prose.mjs';
import { residentBytes, run, startServer, temporaryFolder } from './support/processes.mjs';
import { formRequest } from './support/raw-client.mjs';
import { authorizationOf, openLog, seedOrganization } from './support/seed.mjs';

const UPLOADS = 100;
const UPLOAD_BYTES = 25_000_000;
const SENDS_PER_SECOND = 100;
const QUIET_SECONDS = 10;
const UPLOADING_SECONDS_MAX = 600;
const SAMPLE_EVERY_MS = 50;
const USERS = 10;
const MEMORY_MAX_MB = 150;
const S3_PORT = 9_199;

export async function measureUploads() {
  const results = await measureOn('on disk', {});
  const binary = process.env.S3_SERVER_BIN;
  if (binary === undefined) {
    console.error('  not on S3: S3_SERVER_BIN is not set');
    return results;
  }
  const s3 = await startS3(binary);
  try {
    return [...results, ...(await measureOn('on S3', { UPLOADS_URL: s3.url }))];
  } finally {
    await s3.stop();
  }
}

async function measureOn(place, environment) {
  const data = temporaryFolder();
  try {
    const store = openLog(data.folder);
    const subscribers = Array.from({ length: USERS }, (_, index) => index + 4);
    await seedOrganization(store, { users: USERS + 3, channels: [{ name: 'few', subscribers }] });
    await store.close();
    const server = await startServer(data.folder, environment);
    try {
      return await measured(place, server);
    } finally {
      await server.stop();
    }
  } finally {
    data.remove();
  }
}

async function measured(place, server) {
  const sends = (seconds, isOver) =>
    openLoop({
      port: server.port,
      clients: 16,
      perSecond: SENDS_PER_SECOND,
      seconds,
      isOver,
      makeRequest: (index) =>
        formRequest('POST', '/api/v1/messages', authorizationOf(4 + (index % USERS)), {
          type: 'channel',
          to: 'few',
          topic: `topic ${index % 7}`,
          content: prose(index),
        }),
    });
  let peak = 0;
  const sampling = setInterval(() => (peak = Math.max(peak, residentBytes(server.pid))), SAMPLE_EVERY_MS);
  try {
    // What is compiled, loaded and cached once is not counted.
    await uploadAll(server, 2);
    await sends(QUIET_SECONDS);
    const before = await sends(QUIET_SECONDS);
    const memoryBefore = peak;
    const began = performance.now();
    let isDone = false;
    const uploading = uploadAll(server, UPLOADS).finally(() => (isDone = true));
    const during = await sends(UPLOADING_SECONDS_MAX, () => isDone);
    await uploading;
    const seconds = (performance.now() - began) / 1000;
    return report(place, { before, during, growth: peak - memoryBefore, seconds });
  } finally {
    clearInterval(sampling);
  }
}

function report(place, { before, during, growth, seconds }) {
  const [quiet, busy] = [before, during].map((latencies) => percentile(latencies, 0.99));
  const [quietMedian, busyMedian] = [before, during].map((latencies) => percentile(latencies, 0.5));
  const megabytes = growth / 1e6;
  return [
    {
      what: `memory for ${UPLOADS} uploads of 25 MB, ${place}`,
      value: megabytes,
      unit: 'MB',
      bar: `< ${MEMORY_MAX_MB}`,
      met: megabytes < MEMORY_MAX_MB,
    },
    { what: `these uploads, ${place}`, value: (UPLOADS * UPLOAD_BYTES) / 1e6 / seconds, unit: 'MB/s' },
    {
      what: `send p50 during uploads, ${place}, beside before`,
      value: busyMedian,
      floor: quietMedian,
      unit: 'ms',
      share: busyMedian / quietMedian,
    },
    {
      what: `send p99 during uploads, ${place}, beside before`,
      value: busy,
      floor: quiet,
      unit: 'ms',
      share: busy / quiet,
      bar: '≤ 2',
      met: busy / quiet <= 2,
    },
  ];
}

/** In a process of its own, so that the sends are measured alone. */
async function uploadAll(server, count) {
  const users = Array.from({ length: USERS }, (_, index) => authorizationOf(index + 4));
  const args = ['bench/support/uploader.mjs', server.port, count, UPLOAD_BYTES, users.join(',')].map(String);
  const uploader = await run(args, /(\d+) uploaded/);
  await uploader.stop();
  if (Number(uploader.said) !== count) throw new Error(`${uploader.said} of ${count} uploads succeeded.`);
}

async function startS3(binary) {
  const data = temporaryFolder();
  mkdirSync(join(data.folder, 'objects', 'files'), { recursive: true });
  const child = spawn(binary, [`127.0.0.1:${S3_PORT}`, data.folder], {
    stdio: 'ignore',
    env: { ...process.env, ROOT_ACCESS_KEY: 'key', ROOT_SECRET_KEY: 'bench-secret' },
  });
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  while (!(await answers(S3_PORT))) {
    if (child.exitCode !== null) throw new Error('The S3 server did not start.');
    await new Promise((later) => setTimeout(later, 50));
  }
  return {
    url: `s3://key:bench-secret@127.0.0.1:${S3_PORT}/files?tls=false`,
    async stop() {
      process.removeListener('exit', end);
      const ended = new Promise((exit) => child.once('exit', exit));
      end();
      await ended;
      data.remove();
    },
  };
}

const answers = (port) =>
  new Promise((answered) => {
    const socket = connect(port, '127.0.0.1');
    const done = (is) => {
      socket.destroy();
      answered(is);
    };
    socket.once('connect', () => done(true)).once('error', () => done(false));
  });
