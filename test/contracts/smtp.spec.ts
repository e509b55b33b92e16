/** Mail over SMTP, on a socket. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MailFailure, SmtpMailTransport, smtpAddressOf } from '#mail';
import { selfSigned } from '../eventstoredb/certificate.js';
import { until } from '#testing';
import { MailServer, refusal } from '../support/mail-server.js';

const LETTER = { mailId: 'abc', to: 'ann@example.test', subject: 'Notice', text: 'Hi\n', html: '<p>Hi</p>' };
const FROM = 'noreply@example.test';
/** Short, since the tests let them pass. */
const TIMEOUTS = { connectionTimeout: 300, greetingTimeout: 300, socketTimeout: 300 };

let folder: string;
let server: MailServer | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'smtp-'));
});
afterEach(async () => {
  await server?.stop();
  server = undefined;
  rmSync(folder, { recursive: true });
});

async function send(
  url: string,
  timeouts = {},
  claim = (): Promise<boolean> => Promise.resolve(true),
): Promise<boolean> {
  const session = await new SmtpMailTransport(smtpAddressOf(url), FROM, timeouts).open();
  try {
    return await session.submit(LETTER, claim);
  } finally {
    session.close();
  }
}

async function failure(url: string, timeouts = {}): Promise<MailFailure> {
  const error = await send(url, timeouts).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(MailFailure);
  return error as MailFailure;
}

test('the server takes a mail with its text in both formats', async () => {
  server = await MailServer.start();
  await send(`smtp://127.0.0.1:${server.port}`);
  const [mail] = server.taken;
  expect(mail).toMatchObject({ from: FROM, to: ['ann@example.test'] });
  expect(mail?.text).toContain('Content-Type: text/plain');
  expect(mail?.text).toContain('Content-Type: text/html');
});

test('it is claimed when the server has the text, and needs its end alone', async () => {
  server = await MailServer.start();
  const seen: number[] = [];
  const { port, taken } = server;
  const claim = (isOurs: boolean) => async (): Promise<boolean> => {
    await until(() => (server?.textBytes ?? 0) > 0);
    seen.push(server?.texts ?? 0);
    return isOurs;
  };
  expect(await send(`smtp://127.0.0.1:${port}`, {}, claim(false))).toBe(false);
  await expect(send(`smtp://127.0.0.1:${port}`, {}, () => Promise.reject(new Error('no log')))).rejects.toThrow(
    'no log',
  );
  expect([server.texts, taken]).toEqual([0, []]);
  expect(await send(`smtp://127.0.0.1:${port}`, {}, claim(true))).toBe(true);
  expect([seen, taken.length]).toEqual([[0, 0], 1]);
});

describe('with TLS', () => {
  const identity = selfSigned();
  const tls = { key: identity.key, cert: identity.certificate };
  const withCa = (url: string): string => {
    const path = join(folder, 'ca.pem');
    writeFileSync(path, identity.certificate);
    return `${url}?tlsCAFile=${encodeURIComponent(path)}`;
  };
  const login = {
    authOptional: false,
    onAuth: (
      { username, password }: { username?: string | undefined; password?: string | null | undefined },
      _: unknown,
      done: (error: Error | null, answer?: { user: string }) => void,
    ): void => {
      if (username === 'ann' && password === 'p@ss') done(null, { user: 'ann' });
      else done(new Error('no'));
    },
  };

  test('from the beginning, it logs in and sends', async () => {
    server = await MailServer.start({ secure: true, ...tls, ...login });
    await send(withCa(`smtps://ann:p%40ss@127.0.0.1:${server.port}`));
    expect(server.taken).toHaveLength(1);
  });
  test('by STARTTLS, it logs in and sends', async () => {
    server = await MailServer.start({ disabledCommands: [], ...tls, ...login });
    await send(withCa(`smtp://ann:p%40ss@127.0.0.1:${server.port}`));
    expect(server.taken).toHaveLength(1);
  });
  test('a certificate that nobody vouches for is refused', async () => {
    server = await MailServer.start({ secure: true, ...tls });
    const { kind, message } = await failure(`smtps://127.0.0.1:${server.port}`);
    expect([kind, message]).toEqual(['later', 'The mail server cannot be used: DEPTH_ZERO_SELF_SIGNED_CERT']);
    expect(server.taken).toEqual([]);
  });
  test('a password is sent to nobody without it', async () => {
    const heard: unknown[] = [];
    server = await MailServer.start({
      allowInsecureAuth: true,
      onAuth: (auth, _, done) => {
        heard.push(auth);
        done(null, { user: 'ann' });
      },
    });
    expect((await failure(`smtp://ann:p%40ss@127.0.0.1:${server.port}`)).kind).toBe('later');
    expect(heard).toEqual([]);
  });
  test('a wrong password leaves the mail for later, and is not repeated', async () => {
    server = await MailServer.start({ secure: true, ...tls, ...login });
    const { kind, message } = await failure(withCa(`smtps://ann:secret@127.0.0.1:${server.port}`));
    expect([kind, message.includes('secret')]).toEqual(['later', false]);
  });
});

describe('a refusal', () => {
  test.each([
    [451, 'later'],
    [552, 'never'],
  ] as const)('of the text with %i means %s', async (status, kind) => {
    server = await MailServer.start();
    server.answering = (answer) => {
      answer(refusal(status));
    };
    expect((await failure(`smtp://127.0.0.1:${server.port}`)).kind).toBe(kind);
  });
  test.each([
    [450, 'later'],
    [550, 'never'],
  ] as const)('of the recipient with %i means %s', async (status, kind) => {
    server = await MailServer.start({
      onRcptTo: (_address, _session, done) => {
        done(refusal(status));
      },
    });
    const { message, kind: found } = await failure(`smtp://127.0.0.1:${server.port}`);
    expect(found).toBe(kind);
    expect(message).not.toContain('ann@');
  });
});

describe('a server that', () => {
  let silent: Server | undefined;
  afterEach(() => new Promise<void>((closed) => (silent === undefined ? closed() : silent.close(() => closed()))));

  test('is not there leaves the mail for later', async () => {
    server = await MailServer.start();
    const { port } = server;
    await server.stop();
    server = undefined;
    const { kind, message } = await failure(`smtp://127.0.0.1:${port}`);
    expect([kind, message]).toEqual(['later', 'The mail server cannot be used: ECONNREFUSED']);
  });
  test('says nothing leaves the mail for later', async () => {
    const sockets: Socket[] = [];
    silent = createServer((socket) => sockets.push(socket));
    await new Promise<void>((listening) => silent?.listen(0, '127.0.0.1', listening));
    const { port } = silent.address() as AddressInfo;
    expect((await failure(`smtp://127.0.0.1:${port}`, TIMEOUTS)).kind).toBe('later');
    for (const socket of sockets) socket.destroy();
  });
  test('stalls before the text leaves the mail for later', async () => {
    server = await MailServer.start({ onRcptTo: () => undefined });
    expect((await failure(`smtp://127.0.0.1:${server.port}`, TIMEOUTS)).kind).toBe('later');
  });
  test.each([
    // Long enough for a busy machine to come to the text.
    ['stalls', { socketTimeout: 2_000 }, () => undefined],
    ['hangs up', {}, (_: unknown, hangUp: () => void) => hangUp()],
  ])('%s after the text may have taken the mail, so it is not sent again', async (_, timeouts, answering) => {
    server = await MailServer.start();
    server.answering = answering;
    expect((await failure(`smtp://127.0.0.1:${server.port}`, timeouts)).kind).toBe('unknown');
    expect(server.texts).toBe(1);
  });
});

test.each(['http://mail.example.test', 'smtp://', 'mail.example.test', 'smtp://h?tlsCAFile=/does/not/exist'])(
  '%s is no address of a mail server',
  (url) => {
    expect(() => smtpAddressOf(url)).toThrow();
  },
);
