// Writes the types of the client library (libs/client/src/wire) from the OpenAPI document of the built server, or, with
// --check, says whether they are current. --document FILE keeps the document. The document comes from the server itself: `node tools/build.mjs` first.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from '@hey-api/openapi-ts';

const TARGET = join(import.meta.dirname, '../libs/client/src/wire/types.generated.ts');
const HEAD =
  '// Generated from the OpenAPI document by `npm run wire-types`. Changes belong to the schemas of the server.\n\n';
const { check: isCheck, document } = parseArgs({
  options: { check: { type: 'boolean' }, document: { type: 'string' } },
}).values;
/** A cold start takes some seconds; a busy machine, many. */
const START_LIMIT_MS = 120_000;

/** The OpenAPI document of a server with an empty data directory. */
async function fetchDocument(folder) {
  const env = { PATH: process.env.PATH, DATA_DIR: join(folder, 'data'), PORT: '0', LOG_LEVEL: 'silent' };
  const server = spawn(process.execPath, ['dist/bin/api.js'], { env, stdio: 'ignore' });
  try {
    const site = await siteOf(join(folder, 'data/owner.zuliprc'), server);
    const answer = await fetch(`${site}/api/v1/openapi.json`);
    if (!answer.ok) throw new Error(`The document was answered with ${answer.status}.`);
    return await answer.json();
  } finally {
    server.kill();
  }
}

/** Address of the server, which writes it into the file when it is ready. */
async function siteOf(file, server) {
  for (const began = Date.now(); Date.now() - began < START_LIMIT_MS; await pause(100)) {
    if (server.exitCode !== null) throw new Error(`The server ended with ${server.exitCode}.`);
    const site = /^site=(\S+)$/m.exec(contentOf(file))?.[1];
    if (site !== undefined) return site;
  }
  throw new Error('The server did not start.');
}

function contentOf(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return '';
    throw error;
  }
}

async function generate() {
  const folder = mkdtempSync(join(tmpdir(), 'wire-types-'));
  try {
    const input = await fetchDocument(folder);
    if (document !== undefined) writeFileSync(document, JSON.stringify(input));
    await createClient({
      input,
      output: { path: join(folder, 'out') },
      plugins: ['@hey-api/typescript'],
      logs: { level: 'silent' },
    });
    const text = readFileSync(join(folder, 'out/types.gen.ts'), 'utf8').replace(/^\/\/.*\n+/, '');
    return HEAD + text;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const current = await generate();
if (!isCheck) writeFileSync(TARGET, current);
else if (contentOf(TARGET) !== current) {
  process.stderr.write(
    'libs/client/src/wire/types.generated.ts is not what the server describes: npm run wire-types\n',
  );
  process.exitCode = 1;
}
