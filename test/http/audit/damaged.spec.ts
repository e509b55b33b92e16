/** Answers to auditors from a log with damaged records: what is whole is told, and what is not is named. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../../../apps/cli/src/command-line.js';
import { tamperWithLog } from '../../../libs/engine/event-store/src/sqlite/tamper.fixture.js';
import { audited, type AuditRow, letAudit } from '../../support/audit.js';
import { auditExport, jsonLines } from '../../support/audit-export.js';
import type { ApiClient } from '../../support/client.js';
import { isShared } from '../../support/pairings.js';
import { startTestServer, type TestServer } from '../../support/server.js';

const REASON = 'its checksum does not fit its content';

let server: TestServer;
let owner: ApiClient;
let log: string;
let folder: string;

const describeEmbedded = isShared ? describe.skip : describe;

describeEmbedded('a damaged record', () => {
  beforeAll(async () => {
    server = await startTestServer();
    ({ owner } = server);
    owner.userId = (await owner.ok('GET', '/users/me')).user_id;
    await letAudit(owner, owner);
    log = join(server.dataDir, 'events.db');
    folder = mkdtempSync(join(tmpdir(), 'damaged-audit-'));
    for (const text of ['one', 'two', 'three', 'four']) ids.push(await owner.send('general', 'lunch', `${text} soup`));
    await owner.ok('PATCH', `/messages/${ids[2]}`, { content: 'three hot soups' });
    await owner.ok('PATCH', `/messages/${ids[2]}`, { content: 'three cold soups' });
    const channel = (await owner.ok('GET', '/get_stream_id', { stream: 'general' })).stream_id;
    for (const description of ['first words', 'last words'])
      await owner.ok('PATCH', `/streams/${String(channel)}`, { description });
    for (const full_name of ['Olive First', 'Olive Last']) await owner.ok('PATCH', '/settings', { full_name });
  });

  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await server.stop();
  });

  const ids: number[] = [];

  /** Damages the record of a type whose data have a text, for as long as the work takes. @returns its place */
  async function damaging<Result>(
    type: string,
    text: string,
    work: (place: AuditRow) => Promise<Result>,
  ): Promise<Result> {
    const where = `type_id = (SELECT id FROM event_types WHERE name = '${type}') AND data LIKE '%${text}%'`;
    const select = `SELECT position, (SELECT name FROM streams WHERE id = stream_id), revision FROM events WHERE ${where}`;
    const [[position, stream, revision] = []] = tamperWithLog(log, select);
    const damage = (by: string): unknown =>
      tamperWithLog(log, `UPDATE events SET checksum = checksum ${by} 1 WHERE position = ${Number(position)}`);
    damage('+');
    try {
      return await work({ type: 'damaged', position, stream, revision, reason: REASON, actor: { kind: 'unknown' } });
    } finally {
      damage('-');
    }
  }

  /** The rows of damage in an answer, and those of messages by their contents. */
  const parts = (rows: readonly AuditRow[]) => [
    rows.filter(({ type }) => type === 'damaged'),
    rows.filter(({ content }) => content !== undefined).map(({ content }) => content as string),
  ];

  /** A moment that has all, and is looked up in the log. */
  const asOf = async (kind: 'position' | 'time'): Promise<{ as_of: string }> => {
    if (kind === 'time') return { as_of: String(Math.ceil(Date.now() / 1000)) };
    return { as_of: `@${String((await audited(owner, 'audits')).at(-1)?.['position'])}` };
  };

  test.each(['now', 'position', 'time'] as const)('of a topic, as of %s', async (kind) => {
    const topic = { channel: 'general', topic: 'lunch', ...(kind !== 'now' && (await asOf(kind))) };
    await damaging('message.sent.v1', 'two soup', async (place) =>
      expect(parts(await audited(owner, 'topic', topic))).toEqual([
        [place],
        ['one soup', 'three cold soups', 'four soup'],
      ]),
    );
    await damaging('message.sent.v1', 'four soup', async (place) =>
      expect(parts(await audited(owner, 'topic', topic))).toEqual([
        [place],
        ['one soup', 'two soup', 'three cold soups'],
      ]),
    );
    expect(parts(await audited(owner, 'topic', topic))[0]).toEqual([]);
  });

  test('of a message: its other versions are told', async () => {
    await damaging('message.edited.v1', 'hot soups","prev', async (place) =>
      expect(parts(await audited(owner, `messages/${ids[2]}`))).toEqual([[place], ['three soup', 'three cold soups']]),
    );
    await damaging('message.sent.v1', 'two soup', async (place) =>
      expect(await audited(owner, `messages/${ids[1]}`)).toEqual([place]),
    );
  });

  test('of a message that is searched', async () => {
    const versions = ['three soup', 'three hot soups', 'three cold soups'];
    await damaging('message.sent.v1', 'two soup', async (place) => {
      const [damaged, found] = parts(await audited(owner, 'search', { words: 'soup' }));
      expect([damaged, found]).toEqual([[place], ['one soup', ...versions, 'four soup']]);
    });
  });

  test('of a channel and of a user: the other changes are told', async () => {
    await damaging('channel.changed.v1', 'first words', async (place) => {
      const rows = await audited(owner, 'channel', { channel: 'general' });
      expect(parts(rows)[0]).toEqual([place]);
      expect(rows[0]).toMatchObject({ type: 'channel', description: 'last words' });
      expect(JSON.stringify(rows)).toMatch(/"change".*last words/);
    });
    await damaging('user.changed.v1', 'Olive Last', async (place) => {
      const rows = await audited(owner, 'user', { user: String(owner.userId), ...(await asOf('position')) });
      expect(parts(rows)[0]).toEqual([place]);
      expect(rows.find(({ type }) => type === 'user')).toMatchObject({ full_name: 'Olive First' });
      const subscribers = async (moment: Record<string, string>): Promise<unknown> =>
        (await audited(owner, 'channel', { channel: 'general', ...moment })).flatMap(({ type, user }) =>
          type === 'subscriber' ? [user] : [],
        );
      const now = await subscribers({});
      expect(now).toHaveLength(1);
      expect(await subscribers(await asOf('time'))).toEqual(now);
    });
    const again = await audited(owner, 'user', { user: String(owner.userId), ...(await asOf('position')) });
    expect(again.find(({ type }) => type === 'user')).toMatchObject({ full_name: 'Olive Last' });
  });

  test('of what somebody did, and of what auditors asked', async () => {
    await damaging('message.sent.v1', 'two soup', async (place) => {
      const [damaged, sent] = parts(await audited(owner, 'acts', { who: String(owner.userId) }));
      expect(damaged).toEqual([place]);
      expect(sent).toEqual(expect.arrayContaining(['one soup', 'three soup', 'four soup']));
    });
    await damaging('audit.called.v1', '"words":"soup"', async (place) => {
      const rows = await audited(owner, 'audits');
      expect(rows.filter(({ type }) => type === 'damaged')).toEqual([place]);
      expect(rows.filter(({ question }) => question === 'topic').length).toBeGreaterThan(0);
    });
  });

  test('is not named where the answer does not need it', async () => {
    await damaging('user.changed.v1', 'Olive Last', async ({ position }) => {
      const as_of = `@${String(Number(position) - 1)}`;
      expect(parts(await audited(owner, 'export', { channel: 'general', as_of }))[0]).toEqual([]);
    });
    for (const text of ['one soup', 'two soup', 'three soup'])
      await damaging('message.sent.v1', text, async () => {
        expect(parts(await audited(owner, 'export', { after: '4000000000' }))[0]).toEqual([]);
      });
  });

  test('is named by the command, with an exit code of its own', async () => {
    const zuliprc = join(folder, 'zuliprc');
    writeFileSync(zuliprc, `[api]\nemail=${owner.email}\nkey=${owner.apiKey}\nsite=${owner.site}\n`, { mode: 0o600 });
    const [out, told]: [string[], string[]] = [[], []];
    const asked = ['audit', 'topic', 'general', 'lunch', '--reason', 'Case 9.', '--credentials', zuliprc];
    const code = await damaging('message.sent.v1', 'two soup', () =>
      runCommand(asked, {
        environment: {},
        print: (line) => void out.push(line),
        tell: (line) => void told.push(line),
        onInterrupt: () => undefined,
      }),
    );
    expect([code, out.length]).toEqual([5, 4]);
    expect(told).toEqual([
      expect.stringMatching(/^Position \d+ \(1\.messages, revision \d+\): its checksum does not fit/),
    ]);
  });

  test('is named by the manifest of an export, which has the message once it is whole', async () => {
    const to = join(folder, 'export');
    const manifest = (): AuditRow => JSON.parse(readFileSync(join(to, 'manifest.json'), 'utf8')) as AuditRow;
    const contents = (): string[] =>
      jsonLines(to, 'messages.jsonl').flatMap(({ type, content }) => (type === 'sent' ? [String(content)] : []));
    const lacking = await damaging('message.sent.v1', 'two soup', async (place) => {
      const ran = await auditExport(owner, to, { channel: 'general' });
      const { actor: _, ...named } = place;
      expect(manifest()['damaged_records']).toEqual([expect.objectContaining(named)]);
      return ran;
    });
    expect([lacking.code, lacking.told]).toEqual([5, [expect.stringContaining(REASON)]]);
    expect(contents()).not.toContain('two soup');
    const whole = await auditExport(owner, to, { channel: 'general' });
    expect([whole.code, whole.told]).toEqual([0, []]);
    expect(manifest()).not.toHaveProperty('damaged_records');
    expect(contents()).toContain('two soup');
    const atOnce = join(folder, 'at-once');
    await auditExport(owner, atOnce, { channel: 'general' });
    expect(readFileSync(join(to, 'messages.jsonl'), 'utf8')).toBe(readFileSync(join(atOnce, 'messages.jsonl'), 'utf8'));
  });

  describe('and the folder of an earlier export', () => {
    let to: string;
    const versions = (): string[] =>
      jsonLines(to, 'messages.jsonl').flatMap(({ content }) => (content === undefined ? [] : [String(content)]));
    const named = (): unknown =>
      (JSON.parse(readFileSync(join(to, 'manifest.json'), 'utf8')) as AuditRow)['damaged_records'];
    const exported = () => auditExport(owner, to, { channel: 'general' });
    const lacking = ({ actor: _, ...place }: AuditRow) => [expect.objectContaining(place)];

    beforeEach(async () => {
      to = join(mkdtempSync(join(folder, 'earlier-')), 'export');
      await exported();
    });

    test('of what was recorded later: the rest is added', async () => {
      await owner.send('general', 'lunch', 'late soup');
      await owner.send('general', 'lunch', 'last soup');
      await damaging('message.sent.v1', 'late soup', async (place) => {
        expect(await exported()).toMatchObject({ code: 5, told: [expect.stringContaining(REASON)] });
        expect(named()).toEqual(lacking(place));
        expect(versions()).toContain('last soup');
      });
      expect(versions()).not.toContain('late soup');
      expect((await exported()).code).toBe(0);
      expect(versions()).toContain('late soup');
    });

    test('of the last record: everything is asked for again, and what the folder has stays', async () => {
      const text = `end of ${to}`;
      await owner.send('general', 'lunch', text);
      await exported();
      const before = versions();
      expect(before).toContain(text);
      await damaging('message.sent.v1', text, async (place) => {
        const again = await exported();
        expect([again.code, named()]).toEqual([5, lacking(place)]);
      });
      expect(versions()).toEqual(before);
    });

    test('of a version: the folder keeps it', async () => {
      const before = versions();
      expect(before).toContain('three hot soups');
      await damaging('message.sent.v1', 'two soup', async () => {
        // Something is received, so that the folder is written anew with damaged records.
        await owner.send('general', 'lunch', 'more soup');
        await damaging('message.sent.v1', 'more soup', exported);
      });
      expect(named()).toBeDefined();
      await damaging('message.edited.v1', 'hot soups","prev', async (place) => {
        expect((await exported()).code).toBe(5);
        expect(named()).toEqual(lacking(place));
      });
      expect(versions()).toEqual([...before, 'more soup']);
    });
  });
});
