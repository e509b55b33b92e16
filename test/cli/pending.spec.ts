/** Commands about pending work, on a running server whose mail server is away. */
import { runCommand } from '../../apps/cli/src/command-line.js';
import { until } from '#testing';
import { MailServer } from '../support/mail-server.js';
import { OperatorCalls } from '../support/operator.js';
import { startTestServer, type TestServer } from '../support/server.js';

let server: TestServer;
let mailPort: number;

beforeAll(async () => {
  const mails = await MailServer.start();
  mailPort = mails.port;
  await mails.stop();
  server = await startTestServer({ SMTP_URL: `smtp://127.0.0.1:${mailPort}` });
  for (const name of ['Gone Gina', 'Gone Gerd']) {
    const { userId } = await server.user(name);
    await server.owner.ok('DELETE', `/users/${userId}`, { deactivation_notification_comment: 'Bye.' });
  }
});
afterAll(() => server.stop());

async function scrollback(...args: string[]) {
  const [out, told]: [string[], string[]] = [[], []];
  const code = await runCommand([...args, '--data', server.dataDir], {
    environment: {},
    print: (line) => void out.push(line),
    tell: (line) => void told.push(line),
    onInterrupt: () => undefined,
  });
  return { code, out, told };
}

const items = async (): Promise<any[]> =>
  (await scrollback('pending', 'list', 'mail', '--json')).out.map((line) => JSON.parse(line));

test('mails that wait are listed and shown, tried again, and given up', async () => {
  await until(async () => (await items()).filter(({ attempts }) => attempts === 1).length === 2);
  const { out } = await scrollback('pending', 'list');
  expect(out[0]).toMatch(/^KIND +ID +WHAT +AGE +ATTEMPTS +NEXT +LAST REASON$/);
  expect(out[1]).toMatch(/^mail +[0-9a-f]+ +account-deactivated +\d+s? .*1 +\d{4}-\S+Z +The mail server/);
  const limited = await scrollback('pending', 'list', '--limit', '1');
  expect(limited.told).toEqual(['There is more of: mail. --limit N shows up to 1,000.']);
  const told = (await scrollback('doctor', '--json')).out.map((line) => JSON.parse(line) as object);
  expect(told).toContainEqual({
    name: 'pending work',
    state: 'warning',
    text: expect.stringMatching(/^mail: 2 failed and wait, the oldest since \d{4}-\S+Z: The mail server/),
  });
  const [first, second] = await items();
  const shown = await scrollback('pending', 'show', 'mail', first.id);
  expect(shown.out.join('\n')).toMatch(
    /AT +EVENT +REASON\n.*mail\.queued\.v1 +-\n.*mail\.postponed\.v1 +The mail server/,
  );
  expect(await scrollback('pending', 'drop', 'mail', first.id)).toMatchObject({ code: 2 });
  expect(await scrollback('pending', 'drop', 'mail', first.id, 'It is old.')).toEqual({
    code: 0,
    out: [`mail ${first.id} is given up.`],
    told: [],
  });
  const mails = await MailServer.start({}, mailPort);
  try {
    expect((await scrollback('pending', 'retry', 'mail', second.id)).out).toEqual([
      `mail ${second.id} is tried again.`,
    ]);
    await until(() => mails.taken.length === 1);
    await until(async () => (await items()).length === 0);
    expect((await scrollback('pending', 'retry', 'mail')).out).toEqual(['Tried again: 0. Nothing of this kind waits.']);
  } finally {
    await mails.stop();
  }
  expect(await scrollback('pending', 'show', 'mail', first.id)).toEqual({
    code: 1,
    out: [],
    told: ['No such pending work'],
  });
  expect(await scrollback('pending', 'list', 'letters')).toMatchObject({ code: 2, out: [] });
});

test('the command line knows the kinds of work that the server has, and no others', async () => {
  const { code, told } = await scrollback('pending', 'list', 'nope');
  expect(code).toBe(2);
  const { body } = await new OperatorCalls(server).call('GET', 'pending', { kind: 'nope' });
  const kindsIn = (text: string): readonly string[] => (/: ([a-z, -]+)\./.exec(text)?.[1] ?? '').split(', ').sort();
  expect(kindsIn(told.join(' '))).toEqual(kindsIn(body.msg));
});
