import { fetch } from '#testing';
import type { ApiClient } from '../../support/client.js';
import { startWithPeople } from '../../support/people.js';
import { metadataIn, shapeOf, upload as uploadPicture } from '../../support/pictures.js';
import { imagePayloads, INERT, MARK, NO_IMAGES, type Payload } from '../../support/payloads.js';
import type { TestServer } from '../../support/server.js';
import { credentials, load, tryUpload } from '../../support/uploads.js';

/**
 * What lists of attacks on uploads hold: files that are two things at once, documents with scripts, images with metadata, and hostile
 * names. Files are served as they were sent, and so that no browser runs them; images that the server draws are clean.
 */

let server: TestServer;
let owner: ApiClient, ann: ApiClient;
let images: readonly Payload[];
beforeAll(async () => {
  ({ server, owner, ann } = await startWithPeople());
  images = await imagePayloads();
});
afterAll(() => server.stop());

const put = async ({ name, content, declared }: Payload): Promise<string> => {
  const { status, body } = await tryUpload(server, ann, name, content, declared);
  expect([name, status, body.code]).toEqual([name, 200, undefined]);
  return body.url;
};
const under = (folder: string, url: string): string => url.replace('/user_uploads/', `/user_uploads/${folder}/`);
const bytesOf = async (answer: Response): Promise<Buffer> => Buffer.from(await answer.arrayBuffer());

/** What a browser does with the answer: it must not guess, run, frame or load anything. */
function handling({ status, headers }: Response): Record<string, unknown> {
  const policy = headers.get('content-security-policy') ?? '';
  return {
    status,
    type: headers.get('content-type'),
    nosniff: headers.get('x-content-type-options'),
    disposition: headers.get('content-disposition')?.split(';')[0],
    loads: /(?:^|; )default-src ([^;]*)/.exec(policy)?.[1],
    runsScripts: /script-src|unsafe-eval|allow-scripts/.test(policy),
    isSandboxed: /(?:^|; )sandbox$/.test(policy),
    cookies: headers.getSetCookie(),
  };
}

/** Each way to the file, with all that a browser is told. */
async function expectInert(url: string, type: string): Promise<void> {
  const isShown = type !== 'application/octet-stream';
  const told = {
    status: 200,
    type,
    nosniff: 'nosniff',
    disposition: isShown ? 'inline' : 'attachment',
    loads: "'none'",
    runsScripts: false,
    // Viewers of PDF do not work in one.
    isSandboxed: type !== 'application/pdf',
    cookies: [],
  };
  const { url: temporary } = await ann.ok('GET', url);
  for (const address of [url, temporary, `${url}?response-content-type=text/html&x=.html`])
    expect([address, handling(await load(server, address, ann))]).toEqual([address, told]);
  const part = handling(await load(server, url, ann, { range: 'bytes=1-3', accept: 'text/html' }));
  expect([url, part]).toEqual([url, { ...told, status: 206 }]);
  const saved = handling(await load(server, under('download', url), ann));
  expect([url, saved]).toEqual([url, { ...told, disposition: 'attachment', isSandboxed: true }]);
}

async function expectClean(bytes: Buffer, format: string): Promise<void> {
  expect(await metadataIn(bytes)).toEqual({});
  expect(await shapeOf(bytes)).toMatchObject({ format });
  for (const trace of [MARK, '<script', 'PK\x03\x04', 'Exif', 'GPS', 'xmpmeta', 'Photoshop'])
    expect(bytes.includes(trace, 0, 'latin1')).toBe(false);
}

async function expectKept(url: string, { name, content, servedAs }: Payload): Promise<void> {
  await expectInert(url, servedAs);
  expect([name, content.equals(await bytesOf(await load(server, url, ann)))]).toEqual([name, true]);
}

test('images are as they were, and inert; nothing of what is in or behind them is in their thumbnails', async () => {
  for (const payload of images) {
    expect([payload.name, payload.content.includes(MARK)]).toEqual([payload.name, true]);
    const url = await put(payload);
    await expectKept(url, payload);
    const thumbnail = await load(server, `${under('thumbnail', url)}/840x560.webp`, ann);
    expect(handling(thumbnail)).toMatchObject({
      status: 200,
      type: 'image/webp',
      nosniff: 'nosniff',
      isSandboxed: true,
    });
    await expectClean(await bytesOf(thumbnail), 'webp');
  }
});

test('everything else is as it was, inert, and without a thumbnail, also when it is called an image', async () => {
  for (const payload of [...INERT, ...NO_IMAGES]) {
    const url = await put(payload);
    await expectKept(url, payload);
    expect((await load(server, `${under('thumbnail', url)}/840x560.webp`, ann)).status).toBe(404);
  }
});

test('messages show no preview of it, but of sound and video', async () => {
  const content = [];
  for (const payload of [...INERT, ...NO_IMAGES].filter(({ servedAs }) => !/^(?:audio|video)/.test(servedAs)))
    content.push(`[it](${await put(payload)})`);
  const id = await ann.send('general', 'payloads', content.join('\n'));
  const { message } = await ann.ok('GET', `/messages/${id}`);
  expect(message.content).not.toMatch(/<(?:img|iframe|object|embed|svg|video|audio|script)/);
  expect(message.content.match(/<a href="\/user_uploads/g)).toHaveLength(content.length);
});

describe('pictures of users, emoji and the organization', () => {
  const PLACES: readonly [string, (answer: any) => string][] = [
    ['/users/me/avatar', ({ avatar_url }) => avatar_url],
    ['/realm/icon', ({ icon_url }) => icon_url],
    ['/realm/logo', ({ logo_url }) => logo_url],
  ];
  /** They are drawn by the same code: all at the first place, and some at the others. */
  const fewerFrom = (place: number, payloads: readonly Payload[]): readonly Payload[] =>
    place === 0 ? payloads : payloads.slice(0, 5);
  const set = (path: string, file: Buffer) => uploadPicture(server, owner, { path, files: [file] });

  async function expectPicture(address: string): Promise<void> {
    const answer = await fetch(new URL(address, server.url));
    expect(handling(answer)).toMatchObject({ status: 200, nosniff: 'nosniff', loads: "'none'", isSandboxed: true });
    expect(answer.headers.get('content-type')).toMatch(/^image\/(?:png|gif)$/);
    await expectClean(
      await bytesOf(answer),
      (answer.headers.get('content-type') ?? '').endsWith('gif') ? 'gif' : 'png',
    );
  }

  test('are clean', async () => {
    for (const [index, [path, addressIn]] of PLACES.entries())
      for (const { content } of fewerFrom(index, images))
        await expectPicture(addressIn((await set(path, content)).body));
    for (const [index, { content }] of images.entries())
      expect((await set(`/realm/emoji/payload${index}`, content)).status).toBe(200);
    const { emoji } = await ann.ok('GET', '/realm/emoji');
    for (const { source_url } of Object.values<any>(emoji)) await expectPicture(source_url);
    expect(Object.keys(emoji)).toHaveLength(images.length);
  });

  test('are refused when they are none', async () => {
    for (const [index, [path]] of ([...PLACES, ['/realm/emoji/none']] as const).entries())
      for (const { name, content } of fewerFrom(index, [...NO_IMAGES, ...INERT]))
        expect([path, name, (await set(path, content)).body.code]).toEqual([path, name, 'BAD_IMAGE']);
  });
});

describe('a hostile name', () => {
  /** Sends the header as it is: clients encode names. */
  async function sent(filename: string): Promise<Response> {
    const head = `--b\r\ncontent-disposition: form-data; name="file"; ${filename}\r\n\r\n`;
    return fetch(`${server.url}/api/v1/user_uploads`, {
      method: 'POST',
      headers: { authorization: credentials(ann), 'content-type': 'multipart/form-data; boundary=b' },
      body: `${head}hello\r\n--b--\r\n`,
    });
  }

  test.each([
    ['filename="photo\u202egpj.exe"', 'photogpj.exe'],
    ['filename="a\u2066b\u2069.txt"', 'ab.txt'],
    ['filename="in\u200bvisible\u00ad.txt"', 'invisible.txt'],
    ['filename="a\udb40\udc41b\u2060.txt"', 'ab.txt'],
    ['filename="..\\\\..\\\\windows.ini"', 'windows.ini'],
    ['filename="/etc/passwd"', 'passwd'],
    ['filename="a%2fb%2e%2e%2fc.txt"', 'c.txt'],
    ['filename="x\\"; filename=\\"evil.html"', 'x-filenameevil.html', 'x"; filename="evil.html'],
    ["filename*=UTF-8''a%00.png.txt", 'a.png.txt'],
    ['filename="<img src=x onerror=alert(1)>.txt"', 'img-srcx-onerroralert1.txt', '<img src=x onerror=alert(1)>.txt'],
    ['filename="${7*7}{{7*7}}.txt"', '7777.txt', '${7*7}{{7*7}}.txt'],
    ['filename="ｆｕｌｌ／ｗｉｄｔｈ．ｈｔｍｌ"', 'fullwidth.html', 'ｆｕｌｌ／ｗｉｄｔｈ．ｈｔｍｌ'],
    ['filename="..."', 'uploaded-file'],
    ['filename=" .. "', 'uploaded-file'],
    ['filename="\u202e"', 'uploaded-file'],
  ])('%j is kept as %j', async (header, name, title = name) => {
    const uploaded = await sent(header);
    expect(uploaded.status).toBe(200);
    const { url, filename } = (await uploaded.json()) as { url: string; filename: string };
    expect([filename, decodeURIComponent(url.split('/').at(-1)!)]).toEqual([title, name]);
    const answer = await load(server, url, ann);
    expect(handling(answer)).toMatchObject({ status: 200, type: 'text/plain; charset=utf-8', cookies: [] });
    const disposition = answer.headers.get('content-disposition') ?? '';
    const [, plain = '', encoded = plain] = /^inline; filename="([^"%\\]*)"(?:; filename\*=UTF-8''([\w.%!~-]+))?$/.exec(
      disposition,
    )!;
    expect([plain, decodeURIComponent(encoded)]).toEqual([title.replaceAll(/[^\x20-\x7e]|["%]/g, '_'), title]);
    expect(await answer.text()).toBe('hello');
    const id = await ann.send('general', 'names', `[${filename}](${url}) ${filename}`);
    expect((await ann.ok('GET', `/messages/${id}`)).message.content).not.toMatch(/<[^>]*onerror=|<img|<script/);
  });

  test('with the end of a line is refused', async () => {
    const answer = await sent("filename*=UTF-8''a%0d%0aSet-Cookie%3a%20a%3db.txt");
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([400, []]);
  });
});
