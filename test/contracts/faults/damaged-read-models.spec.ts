import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tamper } from '../../../libs/engine/read-store/src/sqlite/tamper.fixture.js';
import { SEED, seeded, sized, until } from '#testing';
import type { ApiClient } from '../../support/client.js';
import { build, ServerProcess } from '../../support/process.js';

const ROUNDS = sized({ nightly: 60, usual: 6 });
/** Guards against hanging only. */
const MENDED_WITHIN_MS = 120_000;
const random = seeded(SEED);

const server = new ServerProcess();
let owner: ApiClient;
let answers: unknown;

beforeAll(async () => {
  build();
  await server.start();
  owner = server.owner();
  await owner.ok('POST', '/users', { email: 'ann@example.test', password: 'a good long password', full_name: 'Ann' });
  for (let at = 0; at < 40; at++) {
    const id = await owner.send('general', `töpic ${at % 3}`, `wörds of message ${at}`);
    if (at % 4 === 0) await owner.ok('POST', `/messages/${id}/reactions`, { emoji_name: 'tada' });
  }
  answers = await answersOf();
});
afterAll(() => server.discard());

/** What clients get; undefined while damaged documents are being rebuilt. */
async function answersOf(): Promise<unknown> {
  const narrow = (operator: string, operand: string): string => JSON.stringify([{ operator, operand }]);
  const found = [
    await owner.call('GET', '/messages', { anchor: 'newest', num_before: 100, num_after: 0 }),
    await owner.call('GET', '/messages', {
      anchor: 'oldest',
      num_before: 0,
      num_after: 50,
      narrow: narrow('search', 'wörds'),
    }),
    await owner.call('GET', '/messages', {
      anchor: 'oldest',
      num_before: 0,
      num_after: 50,
      narrow: narrow('topic', 'töpic 1'),
    }),
    await owner.call('GET', '/users/me/subscriptions', {}),
    await owner.call('GET', '/users/me/1/topics', {}),
    await owner.call('GET', '/users', {}),
  ];
  expect(found.map(({ status }) => status).filter((status) => status !== 200 && status !== 503)).toEqual([]);
  return found.some(({ status }) => status === 503) ? undefined : found.map(({ body }) => body);
}

async function expectAnswers(): Promise<void> {
  let found: unknown;
  await until(async () => {
    found = await answersOf().catch(ignoreNoAnswer);
    return found !== undefined;
  }, MENDED_WITHIN_MS);
  expect(found).toEqual(answers);
}

/** While it starts again, nobody answers. */
function ignoreNoAnswer(error: unknown): undefined {
  if (!(error instanceof Error && error.message.startsWith('No answer'))) throw error;
}

function readModels(): string[] {
  return readdirSync(server.dataDir).filter((name) => /^read-models(?:-side)?\.db$/.test(name));
}

function flipSomewhere(path: string): void {
  const bytes = readFileSync(path);
  let at = 0;
  for (let tries = 0; tries < 10 && (at === 0 || bytes[at] === 0); tries++) at = Math.floor(random() * bytes.length);
  bytes[at] = bytes[at]! ^ (1 << Math.floor(random() * 8));
  writeFileSync(path, bytes);
}

test(
  'flipped bits in the read models of a stopped server: it starts, and answers as before',
  async () => {
    for (let round = 0; round < ROUNDS; round++) {
      await server.end('SIGTERM');
      for (const name of readModels()) flipSomewhere(join(server.dataDir, name));
      await server.start();
      await expectAnswers();
    }
  },
  60_000 * ROUNDS,
);

const readModelsPath = (): string => join(server.dataDir, 'read-models.db');

const FLIP = `UPDATE TABLE SET "$body" = CAST(replace(CAST("$body" AS TEXT), 'wörds', CAST(x'77c0ff7264' AS TEXT)) AS TEXT)`;

test('a damaged document of a running server is shown to nobody, and its collection is rebuilt beside the live one', async () => {
  // The last flips may have damaged a document of the same collection, which is built again once in the life of a process.
  await server.end('SIGTERM');
  rmSync(readModelsPath());
  await server.start();
  const before = server.output.length;
  tamper(readModelsPath(), 'messages', `${FLIP} WHERE "$key" = 7`);
  expect((await owner.call('GET', '/messages/7', {})).status).toBe(503);
  await expectAnswers();
  const said = server.output.slice(before);
  expect(said).toContain('the document 7 of messages is not what was written');
  expect(said).not.toContain('The server starts again');
});

test('a collection that is damaged again: the file is set aside, and the server starts again by itself', async () => {
  const before = server.output.length;
  tamper(readModelsPath(), 'messages', `${FLIP} WHERE "$key" = 8`);
  await until(async () => {
    await answersOf().catch(ignoreNoAnswer);
    return server.output.includes('The server starts again', before);
  }, MENDED_WITHIN_MS);
  await expectAnswers();
  await until(() => server.output.includes('It is set aside', before));
  await owner.send('general', 'after', 'all is well');
});
