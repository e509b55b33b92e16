/** Formats of messages whose senders are hostile to those who read them. */
import { createWriteStream, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { ArchiveReader } from '#archive';
import type { FileLine, MessageLine, Story } from '../export-row.js';
import { pathOfFile } from '../fetch-files.js';
import { csvOf } from './csv.js';
import { emlOf } from './eml.js';
import { escaped, writeHtml } from './html.js';
import { Names } from './names.js';
import { rsmfOf } from './rsmf.js';
import { stateOf } from './state.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'formats-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const place = { channel_id: 5, topic: 'a\r\nBcc: all@example.org <b>' };
const line = (more: Partial<MessageLine> & Pick<MessageLine, 'type'>): MessageLine => ({
  ...{
    message_id: 7,
    at: 1_700_000_000,
    stream: '1.message-7',
    revision: 0,
    event: 'x',
    actor: { kind: 'user', user_id: 4 },
  },
  ...more,
});
const story = (content: string): Story => ({
  id: 7,
  lines: [
    line({
      type: 'sent',
      version: 1,
      content: 'first',
      sender: { user_id: 4 },
      place,
      files: [{ file_id: 3, owner_id: 4 }],
    }),
    line({ type: 'edited', version: 2, content, place, at: 1_700_000_060 }),
    line({ type: 'reacted', emoji_name: 'tada', actor: { kind: 'user', user_id: 8 } }),
    line({ type: 'reacted', emoji_name: 'heart' }),
    line({ type: 'unreacted', emoji_name: 'heart' }),
    line({ type: 'deleted', deleted_with: 'topic', at: 1_700_000_090 }),
  ],
});
const names = new Names({
  users: new Map([[4, { type: 'user', user_id: 4, full_name: '=HYPERLINK("x")\r\nX: y', email: 'a@example.test' }]]),
  channels: new Map([[5, { type: 'channel', channel_id: 5, name: '<img src=x onerror=alert(1)>' }]]),
});
const upload: FileLine = {
  ...{ type: 'file_uploaded', file_id: 3, at: 1, actor: { kind: 'user' }, name: '"><script>.html', size: 5 },
};

async function* one(content: string): AsyncGenerator<Story, void, void> {
  await Promise.resolve();
  yield story(content);
}

/** Records of a text in CSV, read as RFC 4180 has it. */
function recordsIn(csv: string): string[][] {
  const records: string[][] = [[]];
  for (const [, quoted, plain = '', end] of csv.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    records.at(-1)?.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === '\r\n') records.push([]);
  }
  return records.slice(0, -1);
}

describe('CSV', () => {
  test.each([
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    [' \u200b=1', "' \u200b=1"],
    ['\uff1d1', "'\uff1d1"],
    ['a "b", c\r\nd', 'a "b", c\r\nd'],
    ['nothing', 'nothing'],
  ])('%j is the text %j', async (content, expected) => {
    const csv = await textOf(Readable.from(csvOf(one(content), names)));
    const [head = [], , edited = []] = recordsIn(csv);
    expect(recordsIn(csv).map(({ length }) => length)).toEqual(Array(7).fill(head.length));
    expect(edited[head.indexOf('content')]).toBe(expected);
    expect(edited[head.indexOf('actor')]).toBe('\'=HYPERLINK("x")\r\nX: y');
  });
});

describe('HTML', () => {
  const hostile = '<script>alert(1)</script>"\'&<!-- --><img src=x onerror=alert(1)>\u0000\u001b[2J</pre>';
  test('contents, names, topics and files are text', async () => {
    const pages: string[] = [];
    const world = { names, files: new Map([[3, { uploaded: upload }]]), has: () => true };
    const count = await writeHtml(one(hostile), world, async (_, content) => {
      pages.push(await textOf(Readable.from(content)));
    });
    const [page = ''] = pages;
    expect(count).toBe(1);
    expect(page).toContain(`<pre dir="auto">${escaped(hostile)}</pre>`);
    const tags = [...page.replace(/<style>[^<]*<\/style>/, '').matchAll(/<(\/?[^\s>]+)[^>]*>/g)].map(([, tag]) => tag);
    expect([...new Set(tags)].filter((tag) => /script|img|!--|iframe|object|form$/.test(tag ?? ''))).toEqual([]);
    expect(page).toContain(`default-src 'none'`);
    expect(page).toContain('<a href="files/3-script_.html" download>&quot;&gt;&lt;script&gt;.html</a>');
    expect(page.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
    expect(page).toContain('<article id="m7" class="deleted">');
  });

  test('very many messages are several pages that link to each other', async () => {
    async function* many(): AsyncGenerator<Story, void, void> {
      await Promise.resolve();
      for (let id = 1; id <= 2500; id++) yield { ...story('x'), id };
    }
    const pages = new Map<string, string>();
    await writeHtml(many(), { names, files: new Map(), has: () => false }, async (name, content) => {
      pages.set(name, await textOf(Readable.from(content)));
    });
    expect([...pages.keys()]).toEqual(['report.html', 'report-2.html', 'report-3.html']);
    expect(pages.get('report-2.html')).toMatch(/"report\.html">Before<.*"report-3\.html">After</);
    expect([...pages.values()].join('').match(/<article/g)).toHaveLength(2500);
  });
});

test.each([
  ['../../etc/passwd', 'files/3-etc_passwd'],
  ['..\\..\\boot.ini', 'files/3-boot.ini'],
  ['/', 'files/3-file'],
  ['', 'files/3-file'],
  ['.ssh', 'files/3-ssh'],
  ['a\u0000b\n.txt', 'files/3-a_b_.txt'],
  [`${'x'.repeat(300)}.pdf`, `files/3-${'x'.repeat(76)}.pdf`],
  ['NUL. ', 'files/3-NUL'],
])('the file %j is kept as %s', (name, path) => {
  expect(pathOfFile({ ...upload, name })).toBe(path);
});

describe('EML', () => {
  const attached = (): { path: string; contentType: string }[] => {
    writeFileSync(join(folder, '3-x.bin'), Buffer.alloc(1000, 1));
    return [{ path: join(folder, '3-x.bin'), contentType: 'image/png' }];
  };
  const emlText = async (content: string): Promise<string> => textOf(await emlOf(story(content), names, attached()));

  test('hostile names and topics add no header', async () => {
    const eml = await emlText('héllo');
    const head = eml.slice(0, eml.indexOf('\r\n\r\n'));
    const headers = head.split(/\r\n(?![ \t])/).map((header) => header.slice(0, header.indexOf(':')));
    expect(headers.sort()).toEqual(
      ['X-Scrollback-Message', 'X-Scrollback-Versions', 'X-Scrollback-Deleted', 'From', 'To', 'Subject', 'Message-ID']
        .concat('Date', 'MIME-Version', 'Content-Type')
        .sort(),
    );
    expect(head).toContain('Date: Tue, 14 Nov 2023 22:13:20 +0000');
    expect(head).toMatch(/Message-ID: <message-7\.[0-9a-f]{24}@scrollback\.invalid>/);
    expect(eml.split('\r\n').every(({ length }) => length < 1000)).toBe(true);
    expect(eml).not.toMatch(/[^\r]\n/);
  });

  test('it has the history and the files, and is the same again', async () => {
    const eml = await emlText('x');
    expect(await emlText('x')).toBe(eml);
    expect(eml).toContain(Buffer.alloc(57, 1).toString('base64'));
    const [, encoded = ''] = /filename=history\.jsonl[^]*?\r\n\r\n([A-Za-z0-9+/=\r\n]+)/.exec(eml) ?? [];
    const history = Buffer.from(encoded, 'base64').toString().trim().split('\n');
    expect(history.map((one) => JSON.parse(one) as unknown)).toEqual(story('x').lines);
  });
});

describe('RSMF', () => {
  const file = () => ({ id: 3, path: join(folder, '3-x.bin'), name: '../x', size: 1000 });
  const rsmfText = async (zone: string): Promise<string> => {
    process.env['TZ'] = zone;
    mkdirSync(join(folder, zone), { recursive: true });
    async function* states() {
      await Promise.resolve();
      yield stateOf(story('=1'));
    }
    return textOf(
      await rsmfOf({
        ...{ slice: { place, day: '2023-11-14' }, part: 1, names, states, filesOf: () => [file()] },
        draft: (name) => join(folder, zone, name),
      }),
    );
  };

  test('a mail has one archive of a manifest and the files, the same in every time zone', async () => {
    const before = process.env['TZ'];
    writeFileSync(join(folder, '3-x.bin'), Buffer.alloc(1000, 1));
    const rsmf = await rsmfText('UTC');
    expect(await rsmfText('Asia/Tokyo')).toBe(rsmf);
    if (before === undefined) delete process.env['TZ'];
    else process.env['TZ'] = before;
    expect(rsmf).toMatch(/^X-RSMF-Version: 2\.0\.0\r$/m);
    expect(rsmf).toMatch(/^X-RSMF-EventCount: 1\r$/m);
    const [, encoded = ''] = /filename=rsmf\.zip[^]*?\r\n\r\n([A-Za-z0-9+/=\r\n]+)/.exec(rsmf) ?? [];
    const zip = join(folder, 'rsmf.zip');
    await pipeline(Readable.from([Buffer.from(encoded, 'base64')]), createWriteStream(zip));
    const archive = await ArchiveReader.open(zip);
    expect(archive.entries().map(({ name }) => name)).toEqual(['rsmf_manifest.json', '3-x.bin']);
    const manifest = (await archive.json('rsmf_manifest.json')) as any;
    archive.close();
    expect(manifest).toMatchObject({
      version: '2.0.0',
      participants: [{ id: '4', email: 'a@example.test' }, { id: '8' }],
      conversations: [{ type: 'channel', platform: 'Scrollback', participants: ['4', '8'] }],
      events: [
        {
          ...{ id: '7', type: 'message', participant: '4', body: '=1', deleted: true },
          timestamp: '2023-11-14T22:13:20Z',
          edits: [{ participant: '4', timestamp: '2023-11-14T22:14:20Z', previous: 'first', new: '=1' }],
          reactions: [{ value: 'tada', count: 1, participants: ['8'] }],
          attachments: [{ id: '3-x.bin', display: '../x', size: 1000 }],
        },
      ],
    });
    expect(manifest.events[0].conversation).toBe(manifest.conversations[0].id);
  });
});
