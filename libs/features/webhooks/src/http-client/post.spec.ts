import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AddressRules } from './address-rules.js';
import { ANSWER_LIMIT_BYTES, CallFailure, post, type PostedAnswer } from './post.js';

jest.mock('node:dns/promises');
const lookups = jest.mocked(lookup) as unknown as jest.Mock<Promise<{ address: string; family: number }[]>>;

/** The rules allow the address of the service, and none beside it. */
const [ALLOWED, PRIVATE] = ['127.0.0.1', '127.0.0.2'];
const rules = new AddressRules(['*'], [`${ALLOWED}/32`]);
let service: Server;
let port: number;
let calls: number;
let answer: (request: IncomingMessage, response: ServerResponse) => void;

beforeAll(async () => {
  service = createServer((request, response) => {
    calls++;
    answer(request, response);
  }).listen(0, ALLOWED);
  await once(service, 'listening');
  ({ port } = service.address() as AddressInfo);
});
afterAll(() => {
  service.closeAllConnections();
  service.close();
});
beforeEach(() => {
  calls = 0;
  answer = (_request, response) => void response.end('{}');
  lookups.mockReset();
});

const resolveTo = (...addresses: string[]): { address: string; family: number }[] =>
  addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
const posting = (host = 'hooks.example.org', signal = new AbortController().signal): Promise<PostedAnswer> =>
  post(rules, { url: new URL(`http://${host}:${port}/`), contentType: 'application/json', body: '{}', signal });
test('a name is looked up once, and the connection is made to the address that was checked', async () => {
  // By the time of the connection, the name leads elsewhere.
  lookups.mockResolvedValueOnce(resolveTo(ALLOWED)).mockResolvedValue(resolveTo(PRIVATE));
  expect(await posting()).toEqual({ status: 200, text: '{}' });
  expect([calls, lookups.mock.calls.length]).toEqual([1, 1]);
});

test.each([
  ['a private address', [PRIVATE]],
  ['a public and a private address', [ALLOWED, PRIVATE]],
  ['the loopback address of IPv6', ['::1']],
  ['a private address in the form of IPv6', [`::ffff:${PRIVATE}`]],
  ['the address of a cloud’s metadata', ['169.254.169.254']],
  ['no address', []],
])('a name that leads to %s is not called', async (_, addresses) => {
  lookups.mockResolvedValue(resolveTo(...addresses));
  const message = `The address of hooks.example.org:${port} is in a network that this server may not call.`;
  await expect(posting()).rejects.toEqual(new CallFailure(message, true));
  expect(calls).toBe(0);
});

test('an address in the place of a name is checked as well, without being looked up', async () => {
  for (const host of [PRIVATE, '[::1]', '2130706434'])
    await expect(posting(host)).rejects.toMatchObject({ isFinal: true });
  expect(await posting(ALLOWED)).toMatchObject({ status: 200 });
  expect([calls, lookups.mock.calls.length]).toEqual([1, 0]);
});

test('a redirect to a private address is not followed', async () => {
  lookups.mockResolvedValue(resolveTo(ALLOWED));
  answer = (_request, response) => void response.writeHead(307, { location: `http://${PRIVATE}:${port}/` }).end();
  expect(await posting()).toMatchObject({ status: 307 });
  expect(calls).toBe(1);
});

test('an answer is read up to a limit', async () => {
  lookups.mockResolvedValue(resolveTo(ALLOWED));
  answer = (_request, response) => void response.end('x'.repeat(ANSWER_LIMIT_BYTES));
  expect((await posting()).text).toHaveLength(ANSWER_LIMIT_BYTES);
  answer = (_request, response) => void response.end('x'.repeat(ANSWER_LIMIT_BYTES + 1));
  await expect(posting()).rejects.toMatchObject({ message: 'The answer is larger than 256 KiB.', isFinal: true });
});

test('a lookup and a service that never answer end with the call', async () => {
  const call = new AbortController();
  lookups.mockReturnValue(new Promise(() => undefined));
  const looking = posting('hooks.example.org', call.signal);
  call.abort();
  await expect(looking).rejects.toMatchObject({ message: expect.stringMatching(/looked up in time/), isFinal: false });
  const other = new AbortController();
  lookups.mockResolvedValue(resolveTo(ALLOWED));
  answer = () => {
    other.abort();
  };
  await expect(posting('hooks.example.org', other.signal)).rejects.toMatchObject({ isFinal: false });
});
