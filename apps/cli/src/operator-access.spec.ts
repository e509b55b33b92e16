import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AccessAsked, operatorAccess } from './operator-access.js';

const TOKEN = 'a-token-of-the-operator-that-nobody-guesses';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cli-access-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

function write(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

function accessWith(asked: Partial<AccessAsked> = {}) {
  return operatorAccess({ dataDir: folder, environment: {}, credentials: undefined, site: undefined, ...asked });
}

const authorization = `Bearer ${TOKEN}`;
const zuliprc = (site: string): string => `[api]\nemail=olive@example.test\nkey=secret\nsite=${site}\n`;

test('the token of the data directory is sent to the address that the server has written', () => {
  write('operator.token', `${TOKEN}\n`);
  expect(accessWith()).toEqual({ site: 'http://127.0.0.1:9991', authorization });
  expect(accessWith({ environment: { PORT: '1234' } }).site).toBe('http://127.0.0.1:1234');
  write('owner.zuliprc', zuliprc('http://127.0.0.1:5000'));
  expect(accessWith({ environment: { PORT: '1234' } }).site).toBe('http://127.0.0.1:5000');
  expect(accessWith({ environment: { SITE_URL: 'https://chat.test' } }).site).toBe('https://chat.test');
  expect(accessWith({ site: 'https://other.test/' }).site).toBe('https://other.test');
  expect(() => accessWith({ site: 'nowhere' })).toThrow('nowhere is not the address of a server');
});

test('the setting names another file for the token', () => {
  const other = write('other', TOKEN);
  expect(accessWith({ environment: { OPERATOR_TOKEN_FILE: other } }).authorization).toBe(authorization);
});

test('the key of an owner goes before', () => {
  write('operator.token', TOKEN);
  const credentials = write('second.zuliprc', zuliprc('https://chat.test'));
  const basic = `Basic ${Buffer.from('olive@example.test:secret').toString('base64')}`;
  expect(accessWith({ credentials })).toEqual({ site: 'https://chat.test', authorization: basic });
});

test('credentials may come from a device, as those of another program do', () => {
  expect(() => accessWith({ credentials: '/dev/null' })).not.toThrow('is not a file');
});

test('a file that is missing or no token is named', () => {
  expect(() => accessWith()).toThrow(`There is no ${join(folder, 'operator.token')}. Name the server's data`);
  expect(() => accessWith({ credentials: join(folder, 'x') })).toThrow(`There is no ${join(folder, 'x')}.`);
  expect(() => accessWith({ credentials: folder })).toThrow(`${folder} is not a file of credentials.`);
  const token = write('token', TOKEN);
  expect(() => accessWith({ credentials: token })).toThrow(`${token} has no credentials: a line each for email`);
  const nowhere = write('nowhere', zuliprc(''));
  expect(() => accessWith({ credentials: nowhere })).toThrow(
    `${nowhere} names no server: give its address with --site.`,
  );
  expect(accessWith({ credentials: nowhere, site: 'https://chat.test' }).site).toBe('https://chat.test');
  write('operator.token', 'short');
  expect(() => accessWith()).toThrow('is too short');
});
