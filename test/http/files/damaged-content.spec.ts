/** Files whose content is damaged, short or missing, on the disk. */
import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startTestServer, type TestServer } from '../../support/server.js';
import { load, upload } from '../../support/uploads.js';

let server: TestServer;
const lines: string[] = [];
beforeAll(async () => (server = await startTestServer({}, (line) => lines.push(line))));
afterAll(() => server.stop());

const contentPath = (): string => {
  const { folder } = server.files;
  const [name] = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((one) =>
    /\/[0-9a-f]{64}[^/]*$/.test(one),
  );
  return join(folder, name ?? '');
};

test.each([
  ['changed', (path: string) => writeFileSync(path, readFileSync(path).fill('y', 7, 8))],
  ['short', (path: string) => truncateSync(path, 4_000)],
  ['missing', (path: string) => rmSync(path)],
])('%s content is a file that is not there, and the log names it', async (_, damage) => {
  const { owner } = server;
  const url = await upload(server, owner, 'x.txt', `${'x'.repeat(9_000)} ${lines.length}`);
  const path = contentPath();
  damage(path);
  const before = lines.length;
  for (const range of [undefined, 'bytes=10-20', 'bytes=5000-']) {
    const answer = await load(server, url, owner, range === undefined ? {} : { range });
    expect([answer.status, (await answer.text()).includes('xxx')]).toEqual([404, false]);
  }
  const said = lines.slice(before).filter((line) => line.includes('The content of a file cannot be sent.'));
  expect(said).toHaveLength(1);
  rmSync(path, { force: true });
});
