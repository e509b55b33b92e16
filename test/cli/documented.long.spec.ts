/** Every command that the page of operations shows, tried on one server. One that is added there without a way to try it fails here. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { streams } from '#event-store';
import { until } from '#testing';
import { runCommand } from '../../apps/cli/src/command-line.js';
import { COMMANDS } from '../../apps/cli/src/commands/index.js';
import { commandsOf } from '../../apps/cli/src/usage.js';
import { letAudit } from '../support/audit.js';
import type { ApiClient } from '../support/client.js';
import { MailServer } from '../support/mail-server.js';
import { isShared } from '../support/pairings.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { upload } from '../support/uploads.js';

const ROOT = resolve(__dirname, '../..');
const PAGE = readFileSync(join(ROOT, 'docs/operations.md'), 'utf8');
const PROGRAM = /^(?:scrollback|npm run --silent cli --) /;
const names = commandsOf(COMMANDS).map(({ name }) => name);

/** What the page shows, without the name of the program: lines of its blocks for a shell, words in its text, rows of its tables of commands. */
function shownIn(page: string): Set<string> {
  const shown = new Set<string>();
  const add = (text: string): void => void shown.add(text.replace(PROGRAM, '').replaceAll(/\s+/g, ' ').trim());
  for (const [, block = ''] of page.matchAll(/^```sh\n(.*?)^```/gms))
    for (const line of block.split('\n')) {
      const command = line.replace(/(?:^|\s+)#.*/, '');
      if (command !== '') add(PROGRAM.test(command) ? command : `$ ${command}`);
    }
  const text = page.replaceAll(/^```.*?^```/gms, '');
  for (const [, words = ''] of text.matchAll(/`([^`]+)`/g))
    if (PROGRAM.test(words) || names.some((name) => words.startsWith(`${name} `))) add(words);
  for (const [, rows = ''] of text.matchAll(/^\| Command .*?\n\|[-| ]+\n(.*?)(?=\n\n)/gms))
    for (const row of rows.split('\n')) {
      const [first = '', ...others] = Array.from(
        row.split('|')[1]?.matchAll(/`([^`]+)`/g) ?? [],
        ([, words = '']) => words,
      );
      // `audit channel`, `user`, `group` `NAME` are three commands with one argument.
      const argument = others.find((word) => /^[A-Z]/.test(word));
      const [area = ''] = first.split(' ');
      for (const word of [first, ...others.filter((one) => one !== argument)])
        add([...(word.startsWith(area) ? [] : [area]), word, ...(argument === undefined ? [] : [argument])].join(' '));
    }
  return shown;
}

let server: TestServer;
let ann: ApiClient;
let folder: string;
let messageId: number;
/** When a backup began: what is later than its end is refused. */
let backedUpAt: string;

const at = (name: string): string => join(folder, name);
const zuliprc = ({ email, apiKey }: ApiClient): string => `[api]\nemail=${email}\nkey=${apiKey}\nsite=${server.url}\n`;

beforeAll(async () => {
  const mails = await MailServer.start();
  await mails.stop();
  server = await startTestServer({ SMTP_URL: `smtp://127.0.0.1:${mails.port}`, RETENTION: 'on' });
  folder = join(server.dataDir, 'walk');
  mkdirSync(folder);
  ann = await server.user('Ann Archer');
  await gone('Gone Gina');
  messageId = await server.owner.send(
    'general',
    'lunch',
    `bread [list](${await upload(server, ann, 'list.txt', 'rye')})`,
  );
  await letAudit(server.owner, ann);
  writeFileSync(at('ann.zuliprc'), zuliprc(ann));
  writeFileSync(at('owner.zuliprc'), zuliprc(server.owner));
});
afterAll(() => server.stop());

/** Somebody who is told by a mail that cannot be sent. */
async function gone(name: string): Promise<void> {
  const { userId } = await server.user(name);
  await server.owner.ok('DELETE', `/users/${userId}`, { deactivation_notification_comment: 'Bye.' });
}

/** @returns what it printed; it is interrupted after its first line when it waits for that */
async function run(
  environment: Readonly<Record<string, string>>,
  args: readonly string[],
  codes = [0],
): Promise<string> {
  const lines: string[] = [];
  let stop: (() => void) | undefined;
  const code = await runCommand(args.includes('--data') ? args : [...args, '--data', server.dataDir], {
    environment,
    print: (line) => {
      lines.push(line);
      stop?.();
    },
    tell: (line) => void lines.push(line),
    onInterrupt: (onStop) => void (stop = onStop),
  });
  if (!codes.includes(code)) throw new Error(`${args.join(' ')}: exit code ${code}\n${lines.join('\n')}`);
  return lines.join('\n');
}

const here = (): Record<string, string> => ({ ...server.storeSettings, ...server.files.environment });
const scrollback = (...args: string[]): Promise<string> => run(here(), args);
const rows = async (...args: string[]): Promise<any[]> => {
  const lines = (await scrollback(...args, '--json')).split('\n');
  return lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));
};
/** What is being tried, or where the disk of the tests is slow, is so for a moment. */
const sooner = (...args: string[]): Promise<void> =>
  until(() =>
    scrollback(...args).then(
      () => true,
      () => false,
    ),
  );
const asAuditor = ['--reason', 'To try it.', '--credentials'];
const audit = (...args: string[]): Promise<string> => scrollback('audit', ...args, ...asAuditor, at('ann.zuliprc'));

/** Does it with the ID of a mail that was tried once. */
async function withMail(work: (id: string) => Promise<unknown>): Promise<void> {
  let id: string | undefined;
  await until(async () => {
    id = (await rows('pending', 'list', 'mail')).find(({ attempts }) => attempts > 0)?.id;
    return id !== undefined;
  });
  await work(String(id));
}

/** Asks for what needs an approval, and decides. */
async function decided(verb: 'approve' | 'refuse'): Promise<void> {
  await server.owner.ok('PATCH', '/realm', { audit_needs_approval: true });
  await run(here(), ['audit', 'message', String(messageId), '--request', ...asAuditor, at('ann.zuliprc')], [0, 1]);
  const asked = (await rows('audit', 'requests', ...asAuditor, at('ann.zuliprc'))).at(-1);
  await scrollback('audit', verb, String(asked.request_id ?? asked.id), ...asAuditor, at('owner.zuliprc'));
  await server.owner.ok('PATCH', '/realm', { audit_needs_approval: false });
}

async function tail(): Promise<void> {
  let isOver = false;
  const type = ['--type', 'message.sent.v1', '--stream', streams.messages, '--actor', String(ann.userId)];
  const tailing = scrollback('events', 'tail', ...type).finally(() => (isOver = true));
  tailing.catch(() => undefined);
  await until(async () => {
    await ann.send('general', 'lunch', 'butter');
    return isOver;
  });
  expect(await tailing).toContain('message.sent.v1');
}

/** Done by the machine's own programs, or with a server of its own: the test that tries it. */
const SYSTEMD = 'test/deploy/systemd.spec.ts';
const NGINX = 'test/deploy/nginx.spec.ts';
const TRACES = 'test/http/server/traces.spec.ts';
const TRANSFER = 'test/cli/transfer.long.spec.ts';

/** How each is tried, in this order: the last ones need a server that is stopped. */
const WAYS: Readonly<Record<string, (() => Promise<unknown>) | string>> = {
  "$ NODE_OPTIONS='--import /etc/scrollback/tracing/tracing.mjs' OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318 npm start":
    TRACES,
  '$ mkdir -p /etc/scrollback/tracing && cd /etc/scrollback/tracing': TRACES,
  '$ npm install @opentelemetry/sdk-trace-node@2 @opentelemetry/exporter-trace-otlp-http': TRACES,
  '$ cd /opt/scrollback && npm ci && npm run build && npm prune --omit=dev': SYSTEMD,
  '$ cp deploy/scrollback-backup.* /etc/systemd/system/ && systemctl daemon-reload && systemctl enable --now scrollback-backup.timer':
    SYSTEMD,
  '$ cp deploy/scrollback.service /etc/systemd/system/ && systemctl daemon-reload && systemctl enable --now scrollback':
    SYSTEMD,
  '$ install -d -o scrollback -g scrollback -m 700 /var/backups/scrollback': SYSTEMD,
  '$ install -m 600 /dev/null /etc/scrollback.env': SYSTEMD,
  '$ useradd --system --home-dir /var/lib/scrollback --shell /usr/sbin/nologin scrollback': SYSTEMD,
  '$ cp deploy/nginx.conf /etc/nginx/conf.d/scrollback.conf': NGINX,
  '$ nginx -t && systemctl reload nginx': NGINX,
  '$ export SECRET_KEY="$(cat data/secret.key)"': TRANSFER,
  '$ printf %s "$SECRET_KEY" > data/secret.key && chmod 600 data/secret.key': TRANSFER,

  status: () => scrollback('status'),
  doctor: () => run(here(), ['doctor'], [0, 1]),
  'doctor --site https://chat.example.org --polls 60': () =>
    run(here(), ['doctor', '--site', server.url, '--polls', '1'], [0, 1]),
  'operator-token rotate': () => scrollback('operator-token', 'rotate'),
  'credentials FILE': () => scrollback('credentials', at('any.zuliprc'), '--site', server.url),
  'credentials FILE EMAIL': () =>
    scrollback('credentials', at('one.zuliprc'), server.owner.email, '--site', server.url),
  'completion bash': () => scrollback('completion', 'bash'),
  'completion zsh': () => scrollback('completion', 'zsh'),
  groups: () => scrollback('groups'),
  queues: () => scrollback('queues'),
  log: () => scrollback('log'),
  'log STREAM': () => scrollback('log', streams.organization),
  'streams show STREAM --after REVISION': () => scrollback('streams', 'show', streams.organization, '--after', '0'),
  'events tail --type T --stream S --actor WHO': tail,
  'stats --days N': () => scrollback('stats', '--days', '3'),

  'pending list': () => scrollback('pending', 'list'),
  'pending show KIND ID': () => withMail((id) => scrollback('pending', 'show', 'mail', id)),
  'pending retry KIND ID': () => withMail((id) => sooner('pending', 'retry', 'mail', id)),
  'pending retry KIND': () => scrollback('pending', 'retry', 'mail'),
  'pending drop KIND ID REASON': () => withMail((id) => sooner('pending', 'drop', 'mail', id, 'It is old.')),

  'retention show': () => scrollback('retention', 'show'),
  'retention run --dry-run': () => scrollback('retention', 'run', '--dry-run'),
  'retention run': () => scrollback('retention', 'run'),

  'users list': () => scrollback('users', 'list'),
  'users show USER': () => scrollback('users', 'show', ann.email),
  'users invite EMAIL... --role ROLE': () => scrollback('users', 'invite', 'new@example.test', '--role', 'member'),
  'users role USER ROLE': () => scrollback('users', 'role', ann.email, 'moderator'),
  'users reset-password USER': () => scrollback('users', 'reset-password', ann.email),
  'users deactivate USER --comment TEXT': async () => {
    const { email } = await server.user('Short Stay');
    await scrollback('users', 'deactivate', email, '--comment', 'Bye.');
  },

  'rebuild messages conversations': () => scrollback('rebuild', 'messages', 'conversations'),
  'projections undo messages': () => scrollback('projections', 'undo', 'messages'),
  'projections show messages': () => scrollback('projections', 'show', 'messages'),
  'projections show NAME': () => scrollback('projections', 'show', 'conversations'),
  'projections diff messages': () => scrollback('projections', 'diff', 'messages'),
  'projections prune --dry-run': () => scrollback('projections', 'prune', '--dry-run'),
  'projections prune': () => scrollback('projections', 'prune'),
  'rebuild NAME': () => scrollback('rebuild', 'conversations'),
  'rebuild --all': () => scrollback('rebuild', '--all'),
  'rebuild --cancel': () => scrollback('rebuild', '--cancel'),

  'audit …': () => audit('audits'),
  'audit message ID': () => audit('message', String(messageId)),
  'audit topic CHANNEL TOPIC': () => audit('topic', 'general', 'lunch'),
  'audit channel NAME': () => audit('channel', 'general'),
  'audit user NAME': () => audit('user', ann.email),
  'audit group NAME': () => audit('group', 'role:members'),
  'audit by USER': () => audit('by', server.owner.email),
  'audit sign-ins [USER]': async () => {
    const { owner } = server;
    await owner.call('POST', '/fetch_api_key', { username: owner.email, password: 'a guess' });
    await sooner('audit', 'sign-ins', owner.email, ...asAuditor, at('ann.zuliprc'));
  },
  'audit setting NAME': () => audit('setting', 'can_audit_group'),
  'audit permissions': () => audit('permissions'),
  'audit access CHANNEL_OR_ID': () => audit('access', 'general'),
  'audit search WORDS': () => audit('search', 'bread'),
  'audit audits': () => audit('audits'),
  'audit approve ID': () => decided('approve'),
  'audit refuse ID': () => decided('refuse'),
  'audit requests': () => audit('requests'),
  'audit export --to FOLDER': () => audit('export', '--to', at('audited')),

  'backup /backups/chat --with-secrets': () => {
    backedUpAt = new Date().toISOString();
    return scrollback('backup', at('chat'), '--with-secrets');
  },
  'backup --verify /backups/chat': () => scrollback('backup', '--verify', at('chat')),
  'restore /backups/chat --data /var/lib/restored': () => run({}, ['restore', at('chat'), '--data', at('restored')]),
  'verify --data /var/lib/restored': () => run({}, ['verify', '--data', at('restored')]),
  'restore /backups/chat --to 2026-01-31T14:05Z --data /var/lib/that-day': () =>
    run({}, ['restore', at('chat'), '--to', backedUpAt, '--data', at('that-day')]),
  'restore /backups/chat --data /var/lib/trial': () => run({}, ['restore', at('chat'), '--data', at('trial')]),
  verify: () => scrollback('verify'),
  'copy-files FROM TO': () =>
    run({ FROM: server.files.environment['UPLOADS_URL'] ?? `file:${server.dataDir}/uploads` }, [
      ...['copy-files', 'env:FROM', `file:${at('files')}`],
    ]),
  'copy-log sqlite:data/events.db env:EVENT_STORE_URL': () =>
    run({ TO: `sqlite:${at('there.db')}` }, ['copy-log', server.eventStoreUrl, 'env:TO']),
  'copy-log env:EVENT_STORE_URL sqlite:data/events.db': () =>
    run({ FROM: `sqlite:${at('there.db')}` }, ['copy-log', 'env:FROM', `sqlite:${at('back.db')}`]),
  'repair --from BACKUP': () =>
    server.restart(async () => {
      // A log on a server is repaired by the server's own means.
      if (!isShared) await scrollback('repair', '--from', at('chat'));
    }),
  reactivate: async () => {
    await server.owner.ok('POST', '/realm/deactivate');
    await server.restart(async () => {
      await scrollback('reactivate');
    });
    await server.owner.ok('GET', '/users/me');
  },
};

test('every command that the page shows has a way to try it, and no other has', () => {
  expect([...shownIn(PAGE)].sort()).toEqual(Object.keys(WAYS).sort());
  const elsewhere = Object.values(WAYS).filter((way) => typeof way === 'string');
  expect(elsewhere.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
});

test('one that is added is found, in a block, in the text and in a table', () => {
  const page =
    '```sh\nscrollback fly # high\n```\nWith `scrollback swim FAR`.\n\n| Command | What |\n|--|--|\n| `run`, `run FAST` | x |\n\n';
  expect([...shownIn(page)]).toEqual(['fly', 'swim FAR', 'run', 'run FAST']);
});

const ways = Object.entries(WAYS).flatMap(([shown, way]) => (typeof way === 'string' ? [] : [[shown, way] as const]));

test.each(ways)('scrollback %s', async (_, way) => {
  await way();
});
