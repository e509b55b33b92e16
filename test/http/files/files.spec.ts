/** Uploads, and the files as clients load them (endpoints.md §2, §13). */
import { randomBytes } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { fetch } from '#testing';
import { expectRefusal } from '../../support/answers.js';
import type { ApiClient } from '../../support/client.js';
import { startWithPeople, type Cast } from '../../support/people.js';
import { credentials, load, tryUpload, upload } from '../../support/uploads.js';

const MIB = 1024 * 1024;
let cast: Cast;
let ann: ApiClient, ben: ApiClient;

beforeAll(async () => {
  cast = await startWithPeople(undefined, { MAX_FILE_UPLOAD_MIB: '1', UPLOAD_QUOTA_MIB: '4' });
  ({ ann, ben } = cast);
});
afterAll(() => cast.server.stop());

const put = (name: string, content: Buffer | string): Promise<string> => upload(cast.server, ann, name, content);
const get = (path: string, client?: ApiClient, headers?: Record<string, string>): Promise<Response> =>
  load(cast.server, path, client, headers);
/** Files that the server keeps, and temporary ones. */
const kept = (): string[] => cast.server.files.names();

describe('an upload', () => {
  test('gives an address that its uploader can open', async () => {
    const { body, status } = await tryUpload(cast.server, ann, 'my soup.txt', 'hot soup');
    expect([status, body]).toEqual([
      200,
      {
        result: 'success',
        msg: '',
        url: expect.stringMatching(/^\/user_uploads\/1\/[0-9a-f]{2}\/[\w-]{24}\/my-soup\.txt$/),
        uri: body.url,
        filename: 'my soup.txt',
      },
    ]);
    const answer = await get(body.url, ann);
    expect([answer.status, await answer.text()]).toEqual([200, 'hot soup']);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-length': '8',
      'content-disposition': 'inline; filename="my soup.txt"',
      'cache-control': 'private, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'accept-ranges': 'bytes',
    });
  });

  test.each([131_071, 131_072, 131_073, 262_144, 1_000_000])('of %d bytes is stored whole', async (size) => {
    const content = randomBytes(size);
    const answer = await get(await put('size.dat', content), ann);
    expect(Buffer.from(await answer.arrayBuffer()).equals(content)).toBe(true);
    const { attachments } = await ann.ok('GET', '/attachments');
    for (const { id, name } of attachments) if (name === 'size.dat') await ann.ok('DELETE', `/attachments/${id}`);
  });

  test('of the same content twice is two files, and one copy', async () => {
    const before = kept().length;
    const [one, two] = [await put('a.txt', 'twice'), await put('b.txt', 'twice')];
    expect(one).not.toBe(two);
    expect(kept()).toHaveLength(before + 1);
  });

  test.each([
    ['../../etc/passwd', 'passwd', 'passwd', 'filename="passwd"'],
    ['..', 'uploaded-file', 'uploaded-file', 'filename="uploaded-file"'],
    ['Übung 写真.txt', 'Übung-写真.txt', 'Übung 写真.txt', `filename="_bung __.txt"; filename*=UTF-8''%C3%9Cbung%20`],
    ['a&b<c> (1).txt', 'abc-1.txt', 'a&b<c> (1).txt', 'filename="a&b<c> (1).txt"'],
    ['é(1).txt', 'é1.txt', 'é(1).txt', `filename="_(1).txt"; filename*=UTF-8''%C3%A9%281%29.txt`],
    ['a"b\\c.txt', 'c.txt', 'c.txt', 'filename="c.txt"'],
    ['a"b.txt', 'ab.txt', 'a"b.txt', `filename="a_b.txt"; filename*=UTF-8''a%22b.txt`],
    ['%D0%97%D0%B4.txt', 'Зд.txt', 'Зд.txt', `filename="__.txt"; filename*=UTF-8''%D0%97%D0%B4.txt`],
  ])('named %j is at an address that ends with %j, and called %j', async (given, name, title, disposition) => {
    const { body } = await tryUpload(cast.server, ann, given, 'x');
    expect([body.filename, body.url.split('/').at(-1)]).toEqual([title, name]);
    const answer = await get(body.url, ann);
    expect([answer.status, await answer.text()]).toEqual([200, 'x']);
    expect(answer.headers.get('content-disposition')).toContain(`inline; ${disposition}`);
    const { attachments } = await ann.ok('GET', '/attachments');
    expect(attachments.at(-1)).toMatchObject({ name: title, path_id: body.url.replace('/user_uploads/', '') });
  });

  test('may have any part name and fields beside it', async () => {
    const form = new FormData();
    form.set('note', 'before');
    form.set('/home/ann/soup.txt', new Blob(['soup']), 'soup.txt');
    const headers = { authorization: credentials(ann) };
    const answer = await fetch(`${cast.server.url}/api/v1/user_uploads`, { method: 'POST', headers, body: form });
    const body: any = await answer.json();
    expect([answer.status, body.filename]).toEqual([200, 'soup.txt']);
  });
});

describe('what cannot be uploaded leaves nothing behind', () => {
  let before: string[], space: number;
  beforeEach(async () => {
    before = kept();
    space = (await ann.ok('GET', '/attachments')).upload_space_used;
  });
  afterEach(async () => {
    expect(kept()).toEqual(before);
    expect((await ann.ok('GET', '/attachments')).upload_space_used).toBe(space);
  });

  const refused = async (name: string, content: Buffer | string): Promise<string> =>
    expectRefusal(await tryUpload(cast.server, ann, name, content), 'BAD_REQUEST').msg;

  test('a file beyond the limit', async () => {
    const words = 'Uploaded file is larger than the allowed limit of 1 MiB';
    expect(await refused('big.bin', Buffer.alloc(MIB + 1))).toBe(words);
    expect(await refused('huge.bin', Buffer.alloc(8 * MIB))).toBe(words);
  });

  test('a name beyond the limit', async () => {
    expect(await refused('x'.repeat(4096), 'x')).toMatch(/limit: 255 bytes/);
  });

  async function send(body: string | Buffer, headers: Record<string, string>): Promise<any> {
    const answer = await fetch(`${cast.server.url}/api/v1/user_uploads`, {
      method: 'POST',
      headers: { authorization: credentials(ann), ...headers },
      body: new Uint8Array(Buffer.from(body)),
    });
    return { status: answer.status, ...((await answer.json()) as object) };
  }
  const part = (name: string): string =>
    `--b\r\ncontent-disposition: form-data; name="${name}"; filename="${name}.txt"\r\n\r\nsoup\r\n`;
  const multipart = { 'content-type': 'multipart/form-data; boundary=b' };

  test.each<[string, string, Record<string, string>, string]>([
    [
      'no file',
      '--b\r\ncontent-disposition: form-data; name="a"\r\n\r\nx\r\n--b--',
      multipart,
      'You must specify a file to upload',
    ],
    [
      'another kind of body',
      'a=b',
      { 'content-type': 'application/x-www-form-urlencoded' },
      'You must specify a file to upload',
    ],
    ['two files', `${part('a')}${part('b')}--b--`, multipart, 'You may only upload one file at a time'],
    ['a body without its end', part('a'), multipart, 'Malformed multipart body'],
    ['a body without boundary', part('a'), { 'content-type': 'multipart/form-data' }, 'Malformed multipart body'],
  ])('%s', async (_what, body, headers, msg) => {
    expect(await send(body, headers)).toEqual({ status: 400, result: 'error', code: 'BAD_REQUEST', msg });
  });

  test('a connection that ends halfway', async () => {
    const { hostname, port } = new URL(cast.server.url);
    const headers = { authorization: credentials(ann), ...multipart, 'content-length': '100000' };
    const outgoing = httpRequest({ hostname, port, method: 'POST', path: '/api/v1/user_uploads', headers });
    outgoing.on('error', () => undefined);
    outgoing.write(part('a').slice(0, -4) + 'x'.repeat(50_000));
    while (kept().length === before.length) await new Promise((resolve) => setTimeout(resolve, 5));
    outgoing.destroy();
    while (kept().length > before.length) await new Promise((resolve) => setTimeout(resolve, 5));
  });

  test('many connections that end halfway at once, which hold nobody up', async () => {
    const { hostname, port } = new URL(cast.server.url);
    const headers = { authorization: credentials(ann), ...multipart, 'content-length': `${MIB}` };
    const sent = Array.from({ length: 20 }, () => {
      const outgoing = httpRequest({ hostname, port, method: 'POST', path: '/api/v1/user_uploads', headers });
      outgoing.on('error', () => undefined);
      return new Promise<void>((gone) => {
        outgoing.once('close', gone).write(part('a').slice(0, -4) + 'x'.repeat(900_000), () => outgoing.destroy());
      });
    });
    await Promise.all(sent);
    const files = [await put('after.bin', 'x'.repeat(900_000)), await put('later.bin', 'y'.repeat(900_000))];
    expect((await get(files[0]!, ann)).status).toBe(200);
    const { attachments } = await ann.ok('GET', '/attachments');
    for (const { id, name } of attachments) if (name.endsWith('.bin')) await ann.ok('DELETE', `/attachments/${id}`);
    before = kept();
  });

  test('what exceeds the quota', async () => {
    const files = [];
    for (let n = 0; n < 3; n++) files.push(await put(`${n}.bin`, Buffer.alloc(MIB, n + 1)));
    const full = kept();
    const { msg } = expectRefusal(
      await tryUpload(cast.server, ann, 'x.bin', Buffer.alloc(MIB, 9)),
      'REALM_UPLOAD_QUOTA',
    );
    expect(msg).toBe("Upload would exceed your organization's upload quota.");
    expect(kept()).toEqual(full);
    const { attachments } = await ann.ok('GET', '/attachments');
    for (const { id, name } of attachments) if (name.endsWith('.bin')) await ann.ok('DELETE', `/attachments/${id}`);
    before = kept();
  });
});

describe('a file', () => {
  let url: string;
  beforeAll(async () => {
    url = await put('soup.txt', '0123456789');
  });

  test('is sent in parts, or not at all to a client that has it', async () => {
    const part = await get(url, ann, { range: 'bytes=2-4' });
    expect([part.status, await part.text(), part.headers.get('content-range')]).toEqual([206, '234', 'bytes 2-4/10']);
    const beyond = await get(url, ann, { range: 'bytes=10-' });
    expect([beyond.status, await beyond.text(), beyond.headers.get('content-range')]).toEqual([416, '', 'bytes */10']);
    expect(beyond.headers.get('content-type')).toBeNull();
    const etag = part.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[0-9a-f]{64}"$/);
    for (const tags of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const known = await get(url, ann, { 'if-none-match': tags });
      expect([tags, known.status, await known.text()]).toEqual([tags, 304, '']);
      // Its length would be that of the file, and its type the file's (RFC 9110 §15.4.5).
      expect(['content-length', 'content-type'].map((name) => known.headers.get(name))).toEqual([null, null]);
    }
    const changed = await get(url, ann, { range: 'bytes=2-4', 'if-range': '"other"' });
    expect([changed.status, await changed.text()]).toEqual([200, '0123456789']);
    const head = await fetch(`${cast.server.url}${url}`, {
      method: 'HEAD',
      headers: { authorization: credentials(ann) },
    });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '10']);
  });

  test('opens by a key in the query, and is saved by another address', async () => {
    expect(await (await get(`${url}?api_key=${ann.apiKey}`)).text()).toBe('0123456789');
    expect((await get(`${url}?api_key=${ben.apiKey}`)).status).toBe(404);
    expect((await get(`${url}?api_key=${'x'.repeat(32)}`)).status).toBe(401);
    const saved = await get(url.replace('/user_uploads/', '/user_uploads/download/'), ann);
    expect([saved.status, saved.headers.get('content-disposition')]).toEqual([200, 'attachment; filename="soup.txt"']);
  });

  test('opens by a temporary address without credentials', async () => {
    const { url: temporary } = await ann.ok('GET', url);
    expect(temporary).toMatch(/^\/user_uploads\/temporary\/[\w-]+\/soup\.txt$/);
    const answer = await get(temporary);
    expect([answer.status, await answer.text()]).toEqual([200, '0123456789']);
    expect((await get(temporary.replace('soup', 'stew'))).status).toBe(404);
    expect((await get(temporary.replace(/.(?=\/soup)/, (last: string) => (last === 'A' ? 'B' : 'A')))).status).toBe(
      404,
    );
  });

  test('is unknown and forbidden alike', async () => {
    const words = 'This file does not exist or you do not have permission to view it.';
    const unknown = url.replace(/[\w-]{24}/, 'x'.repeat(24));
    const answers = [];
    for (const path of [url, unknown, `${url}x`, url.replace('/1/', '/2/'), '/user_uploads/1/x']) {
      for (const at of [path, path.replace('/user_uploads/', '/user_uploads/download/')])
        answers.push(await get(at, ben), await get(at));
      answers.push(await get(`${path.replace('/user_uploads/', '/user_uploads/thumbnail/')}/840x560.webp`, ben));
      expect(expectRefusal(await ben.call('GET', path), 'BAD_REQUEST', 404).msg).toBe(words);
    }
    const pages = new Set<string>();
    for (const answer of answers) {
      expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
      pages.add(await answer.text());
    }
    expect([...pages]).toEqual([expect.stringContaining(`<p role="alert">${words}</p>`)]);
  });
});

test.each([
  ['page.html', '<!DOCTYPE html><script>alert(1)</script>'],
  ['drawing.svg', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
  ['page.txt', ' \n<html><script>alert(1)</script>'],
  ['blob', Buffer.from([0, 1, 2, 3])],
])('%s is downloaded, whatever it is', async (name, content) => {
  const answer = await get(await put(name, content), ann);
  expect(answer.headers.get('content-type')).toBe('application/octet-stream');
  expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="${name}"`);
  expect(answer.headers.get('content-security-policy')).toMatch(/default-src 'none'.*sandbox/);
});

test('limits are told to clients', async () => {
  const { state } = await ann.register({ fetch_event_types: ['realm'] });
  expect(state).toMatchObject({
    max_file_upload_size_mib: 1,
    realm_upload_quota_mib: 4,
    server_thumbnail_formats: [
      { name: '840x560-anim.webp', max_width: 840, max_height: 560, format: 'webp', animated: true },
      { name: '840x560.webp', max_width: 840, max_height: 560, format: 'webp', animated: false },
    ],
  });
});

test('files survive a restart that builds the read models again', async () => {
  const url = await put('kept.txt', 'kept');
  await cast.server.restart(() => cast.server.forgetReadModels());
  expect(await (await get(url, ann)).text()).toBe('kept');
});
