/** Read models that a former release kept: the doctor names them, and a command removes them. */
import { join } from 'node:path';
import { LogStatistics } from '#operator';
import { type Commit, openReadStore, PROJECTOR_LEASE, type ReadStore, type ReadStores } from '#read-store';
import { until } from '#testing';
import { runCommand } from '../../apps/cli/src/command-line.js';
import { later } from '../support/later.js';
import { isShared } from '../support/pairings.js';
import { startTestServer, type TestServer } from '../support/server.js';

/** An index as a former release had it, under a name that it has no more. */
const FORMER = { name: 'audit_former', key: 'integer', fields: { user: 'integer' }, indexes: [['user']] } as const;
const ACTS = Array.from({ length: 300 }, (_, key) => key + 1);
const COMMIT: Commit = {
  writes: ACTS.map((key) => ({ collection: FORMER.name, key, doc: { user: key % 7, text: 'an act' } })),
  checkpoints: { [FORMER.name]: { checkpoint: 'of a former release', position: 1 } },
  position: 1,
};

let server: TestServer;
const lines: string[] = [];

beforeAll(async () => {
  jest.spyOn(LogStatistics.prototype, 'everyMs', 'get').mockReturnValue(100);
  server = await startTestServer({}, (line) => lines.push(line));
  await server.restart(() => onStores(withLeftOver));
});
afterAll(() => server.stop());

async function onStores<Result>(work: (reads: ReadStores) => Promise<Result>): Promise<Result> {
  const { READ_STORE_URL: url = `sqlite:${join(server.dataDir, 'read-models.db')}` } = server.storeSettings;
  const reads = await openReadStore(url);
  try {
    return await work(reads);
  } finally {
    await reads.close();
  }
}

/** As the projector of the former release writes. */
async function withLeftOver(reads: ReadStores): Promise<void> {
  const keep = async (store: ReadStore): Promise<void> => {
    await store.collection(FORMER);
    await store.commit(COMMIT);
  };
  if (reads.kind === 'embedded') return keep(reads.readStore);
  let lease = await reads.leases.acquire(PROJECTOR_LEASE, 'former', 1_000);
  await until(async () => {
    lease ??= await reads.leases.acquire(PROJECTOR_LEASE, 'former', 1_000);
    return lease !== undefined;
  });
  if (lease === undefined) return;
  await keep(await reads.writing(lease));
  await reads.leases.release(lease);
}

async function scrollback(...args: string[]) {
  const [out, told]: [string[], string[]] = [[], []];
  const code = await runCommand([...args, '--data', server.dataDir, '--site', server.url], {
    environment: {},
    print: (line) => void out.push(line),
    tell: (line) => void told.push(line),
    onInterrupt: () => undefined,
  });
  return { code, out, told: told.join('\n') };
}

const rows = (out: readonly string[]): any[] => out.map((line) => JSON.parse(line));
const named = async (): Promise<string[]> =>
  rows((await scrollback('doctor', '--json')).out).flatMap(({ text }) =>
    text.startsWith('Nothing in this release keeps ') ? [text] : [],
  );

test('it is named by the doctor, and stays until somebody removes it', async () => {
  // Sizes are measured once an hour.
  const [text] = await later(3_601, async () => {
    await until(async () => (await named()).length > 0);
    return named();
  });
  expect(text).toMatch(
    /^Nothing in this release keeps audit_former \(1 MiB\): a former one did. `projections prune` removes them\.$/,
  );
  const { code, out, told } = await scrollback('projections', 'prune', '--dry-run', '--json');
  expect({ code, told }).toEqual({ code: 0, told: '' });
  expect(rows(out)).toEqual([{ name: 'audit_former', documents: 300, bytes: expect.any(Number) }]);
  expect(rows(out)[0].bytes).toBeGreaterThan(4_096);
  expect((await scrollback('projections', 'prune', '--dry-run')).out.join('\n')).toMatch(
    /^WOULD REMOVE +DOCUMENTS +BYTES\naudit_former +300 +\d+$/,
  );
  expect(await named()).toEqual([text]);
});

(isShared ? test : test.skip)('it stays while an api of the former release runs', async () => {
  await onStores(async ({ side }) => {
    let beat = 0;
    // Releases before this one do not say what they read.
    const signing = setInterval(() => void side.put('members', 'former', { beat: ++beat }), 100);
    try {
      await until(async () => (await side.get('members', 'former')) !== undefined);
      const dry = await scrollback('projections', 'prune', '--dry-run');
      expect(dry).toMatchObject({ code: 0, told: expect.stringMatching(/^An api of another release runs/) });
      expect(await scrollback('projections', 'prune')).toMatchObject({
        code: 1,
        told: expect.stringMatching(/^An api of another release runs, .* Finish the upgrade, and try again\.$/),
      });
    } finally {
      clearInterval(signing);
    }
    // Its last sign is there, as after SIGKILL.
    await side.put('members', 'former', { beat });
  });
  expect((await scrollback('projections', 'prune', '--dry-run')).out.join('\n')).toContain('audit_former');
});

test('it is removed with its size in the report, nothing else is, and the log has the act', async () => {
  const kept = async () =>
    (await server.owner.ok('GET', '/operator/stats')).read_models.collections.map(({ name }: any) => name);
  const before = await kept();
  expect(before).toContain('audit_former');
  const { code, out } = await scrollback('projections', 'prune');
  expect({ code, out: out.join('\n') }).toEqual({
    code: 0,
    out: expect.stringMatching(/^REMOVED +DOCUMENTS +BYTES\naudit_former +300 +\d+$/),
  });
  expect(await named()).toEqual([]);
  expect((await kept()).sort()).toEqual(before.filter((name: string) => name !== 'audit_former').sort());
  expect(await scrollback('projections', 'prune')).toEqual({
    code: 0,
    out: ['No collection of a former release is left.'],
    told: '',
  });
  expect(await scrollback('projections', 'prune', '--json')).toEqual({ code: 0, out: [], told: '' });
  await until(async () => (await server.rawLog()).includes('POST /api/v1/operator/left-overs/remove'));
  const told = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg.startsWith('Collections that a former'));
  expect(told).toEqual([expect.objectContaining({ level: 'info', collections: ['audit_former'] })]);
  const { status } = await (await server.user('Ann')).call('POST', '/operator/left-overs/remove', {});
  expect(status).toBe(400);
});

test('the next start finds none, and everything else is there', async () => {
  const id = await server.owner.send('general', 'kept', 'bread');
  await server.restart();
  await later(7_202, async () => {
    await until(async () => {
      const { read_models } = await server.owner.ok('GET', '/operator/stats');
      return read_models.at > Date.now() / 1000 - 600;
    });
    expect(await named()).toEqual([]);
  });
  expect((await server.owner.ok('GET', `/messages/${id}`)).message.content).toContain('bread');
  const { participants } = await server.owner.ok('GET', '/operator/projections');
  expect(participants.every(({ lagEvents }: any) => lagEvents === 0)).toBe(true);
});
