import { gzipSync } from 'node:zlib';
import sharp from 'sharp';
import { pngChunk } from './pictures.js';
import { PIXEL } from './uploads.js';

/** A file that is more than it seems, as lists of attacks on uploads have them. */
export interface Payload {
  readonly name: string;
  readonly content: Buffer;
  /** Type that the sender declares. */
  readonly declared?: string;
  /** The type that it is served with. */
  readonly servedAs: string;
}

/** No image that the server draws may contain it. */
export const MARK = 'Secret-9f3a';
const SCRIPT = `<script>alert("${MARK}")</script>`;
const OPAQUE = 'application/octet-stream';
const TEXT = 'text/plain; charset=utf-8';

const XMP = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
  <rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" dc:source="${MARK}"/></rdf:RDF></x:xmpmeta>`;
/** Place, camera and owner. */
const EXIF = {
  IFD0: { Make: MARK, Artist: MARK, ImageDescription: SCRIPT },
  IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1', GPSLongitudeRef: 'E', GPSLongitude: '7/1 0/1 0/1' },
};
/** The head of an archive with one stored file. */
const ZIP = Buffer.concat([
  Buffer.from('504b0304140000000000000000000000000000000000000000000b000000', 'hex'),
  Buffer.from(`Evil.class/${MARK}`),
]);

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
const text = (content: string): Buffer => Buffer.from(content);
const joined = (...parts: (Buffer | string)[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? text(part) : part)));

/** A segment of a JPEG, after its signature. */
function withSegment(jpeg: Buffer, marker: number, data: string): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(data.length + 2, 2);
  return joined(jpeg.subarray(0, 2), head, data, jpeg.subarray(2));
}

/** The head of a PNG is signature and IHDR. */
const PNG_HEAD_BYTES = 33;

/** Images with something in them, or behind them. */
export async function imagePayloads(): Promise<readonly Payload[]> {
  const drawn = sharp({ create: { width: 40, height: 30, channels: 3, background: '#336699' } });
  const [jpeg, gif, webp] = [
    await drawn.jpeg().toBuffer(),
    await drawn.gif().toBuffer(),
    await drawn.webp().toBuffer(),
  ];
  const described = drawn.clone().withExif(EXIF).withXmp(XMP);
  const image = (name: string, type: string, content: Buffer): Payload => ({
    name,
    content,
    servedAs: `image/${type}`,
  });
  const textChunk = pngChunk('tEXt', latin1(`Comment\0${SCRIPT}`));
  const noise = pngChunk('prVt', latin1(SCRIPT));
  return [
    image('photo.jpg', 'jpeg', await described.jpeg().toBuffer()),
    image('photo.png', 'png', await described.png().toBuffer()),
    image('photo.webp', 'webp', await described.webp().toBuffer()),
    image('photo.avif', 'avif', await described.avif({ effort: 0 }).toBuffer()),
    image('gifar.gif', 'gif', joined(gif, ZIP)),
    image('archive.jpg', 'jpeg', joined(jpeg, ZIP)),
    image('page-behind.png', 'png', joined(PIXEL, `<html>${SCRIPT}`)),
    image('page-behind.gif', 'gif', joined(gif, SCRIPT)),
    image('page-behind.webp', 'webp', joined(webp, SCRIPT)),
    image('comment.jpg', 'jpeg', withSegment(jpeg, 0xfe, `--><html>${SCRIPT}`)),
    image('script-in-head.jpg', 'jpeg', withSegment(jpeg, 0xe0, `*/=alert("${MARK}")/*`)),
    image('photoshop.jpg', 'jpeg', withSegment(jpeg, 0xed, `Photoshop 3.0\0${MARK}`)),
    image(
      'text.png',
      'png',
      joined(PIXEL.subarray(0, PNG_HEAD_BYTES), textChunk, noise, PIXEL.subarray(PNG_HEAD_BYTES)),
    ),
    image('lying-name.html', 'png', joined(PIXEL, SCRIPT)),
    image('lying-name.svg', 'jpeg', withSegment(jpeg, 0xfe, SCRIPT)),
    { ...image('lying-type.png', 'png', joined(PIXEL, SCRIPT)), declared: 'text/html' },
    { ...image('lying-type.gif', 'gif', joined(gif, SCRIPT)), declared: 'image/svg+xml' },
  ];
}

const SVG = (content: string, attributes = ''): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${content}</svg>`;
const utf16 = (content: string): Buffer => joined(Buffer.from([0xff, 0xfe]), Buffer.from(content, 'utf16le'));

/** Documents in which browsers run scripts, or load something. */
const DOCUMENTS: readonly [name: string, content: string | Buffer, declared?: string][] = [
  ['script.svg', SVG(SCRIPT), 'image/svg+xml'],
  ['onload.svg', SVG('', 'onload="alert(1)"')],
  [
    'foreign.svg',
    SVG('<foreignObject><iframe xmlns="http://www.w3.org/1999/xhtml" src="javascript:alert(1)"/></foreignObject>'),
  ],
  ['use.svg', SVG('<use xlink:href="data:image/svg+xml;base64,PHN2Zy8+#x"/><image xlink:href="http://127.0.0.1/"/>')],
  ['animated.svg', SVG('<a><animate attributeName="href" to="javascript:alert(1)"/></a>')],
  [
    'entity.svg',
    `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${SVG('<text>&x;</text>')}`,
  ],
  ['styled.xml', `<?xml-stylesheet type="text/xsl" href="#x"?><x/>`],
  ['namespace.xml', `<x:script xmlns:x="http://www.w3.org/1999/xhtml">alert(1)</x:script>`],
  ['packed.svgz', gzipSync(SVG(SCRIPT))],
  ['wide.svg', utf16(SVG(SCRIPT))],
  ['wide.html', utf16(`<html>${SCRIPT}`)],
  ['page.html', `<!DOCTYPE html>${SCRIPT}`, 'text/html'],
  ['page.txt', `<html>${SCRIPT}`, 'text/plain'],
  ['spaces.txt', ` \t\r\n\f<body>${SCRIPT}`],
  ['marked.txt', `\ufeff<body>${SCRIPT}`],
  ['comment.txt', `<!-- x -->${SCRIPT}`],
  ['page.xhtml', `<html xmlns="http://www.w3.org/1999/xhtml">${SCRIPT}</html>`, 'application/xhtml+xml'],
  ['binary.txt', `a\0<html>${SCRIPT}`, 'text/plain'],
  ['application.hta', '<hta:application/>'],
  ['crossdomain.xml', '<cross-domain-policy><allow-access-from domain="*"/></cross-domain-policy>'],
  ['movie.swf', latin1(`FWS\x09\0\0\0${MARK}`), 'application/x-shockwave-flash'],
  ['bitmap.bmp', latin1(`BM/*\0\0*/=alert("${MARK}")`), 'image/bmp'],
  ['icon.ico', latin1(`\0\0\x01\0\x01\0${SCRIPT}`), 'image/x-icon'],
  ['archive.zip', ZIP],
  ['program.exe', latin1(`MZ\x90\0${MARK}`)],
  ['module.wasm', latin1('\0asm\x01\0\0\0')],
  ['photo.heic', latin1(`\0\0\0\x18ftypheic\0\0\0\0mif1heic${MARK}`), 'image/heic'],
  ['scan.tiff', latin1(`II*\0\x08\0\0\0${MARK}`), 'image/tiff'],
  ['page.pdf', `<html>${SCRIPT}<!--\n%PDF-1.4`, 'application/pdf'],
];

/** Texts, which are shown as such. */
const TEXTS: readonly [name: string, content: string, declared?: string][] = [
  ['later.txt', `hello ${SCRIPT}`, 'text/html'],
  ['script.js', `alert("${MARK}")`, 'text/javascript'],
  ['style.css', 'body{background:url(//127.0.0.1/)}', 'text/css'],
  ['utf-7.txt', '+ADw-script+AD4-alert(1)+ADw-/script+AD4-', 'text/html; charset=utf-7'],
  ['escaped.txt', '\u001b$B<script>alert(1)</script>\u001b(B', 'text/html; charset=iso-2022-jp'],
  ['mail.mht', `MIME-Version: 1.0\nContent-Type: text/html\n\n${SCRIPT}`, 'multipart/related'],
  ['behind.pdf', 'x\n%PDF-1.4\n1 0 obj', 'application/pdf'],
  ['link.url', '[InternetShortcut]\nURL=javascript:alert(1)'],
  ['feed.json', `{"a":"${SCRIPT}"}`, 'application/json'],
  ['run.cmd', '@echo off', 'application/x-msdownload'],
];

/** A document with a script that its viewer would run when it is opened. */
const SCRIPTED_PDF = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R/OpenAction<</S/JavaScript/JS(app.alert("${MARK}"))>>>>endobj
2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj
trailer<</Root 1 0 R>>
%%EOF`;

/** Not images: kept as they are, and served so that nothing in them runs. */
export const INERT: readonly Payload[] = [
  ...DOCUMENTS.map(([name, content, declared]) => payload(name, content, OPAQUE, declared)),
  ...TEXTS.map(([name, content, declared]) => payload(name, content, TEXT, declared)),
  payload('scripted.pdf', SCRIPTED_PDF, 'application/pdf'),
  payload('page-in.pdf', `%PDF-1.4\n<html>${SCRIPT}`, 'application/pdf', 'text/html'),
  payload('song.mp3', latin1(`ID3\x03\0\0\0\0\0\0${SCRIPT}`), 'audio/mpeg', 'text/html'),
  payload('film.mp4', latin1(`\0\0\0\x18ftypisom\0\0\0\0isommp41${SCRIPT}`), 'video/mp4', 'text/html'),
];

/** Called images, by name or by type, and none that can be decoded. */
export const NO_IMAGES: readonly Payload[] = [
  payload('page.png', `<html>${SCRIPT}`, OPAQUE),
  payload('drawing.jpg', SVG(SCRIPT), OPAQUE),
  payload('drawing', SVG(SCRIPT), OPAQUE, 'image/png'),
  payload('script.gif', `GIF89a/*${'x'.repeat(40)}*/=alert(1);`, 'image/gif'),
  payload('head.png', PIXEL.subarray(0, 8), 'image/png'),
  payload('packed.webp', gzipSync('x'), OPAQUE),
  payload('bitmap.png', latin1(`BM${MARK}`), TEXT),
  payload('icon.jpeg', latin1('\0\0\x01\0\x01\0'), OPAQUE),
  payload('document.jpg', SCRIPTED_PDF, 'application/pdf'),
  payload('archive.gif', ZIP, OPAQUE),
  payload('brand.avif', latin1('\0\0\0\x18ftypavif\0\0\0\0mif1avif'), 'image/avif'),
  payload('heic.avif', latin1('\0\0\0\x1cftypmif1\0\0\0\0mif1heicavif'), 'image/avif'),
];

function payload(name: string, content: string | Buffer, servedAs: string, declared?: string): Payload {
  const bytes = typeof content === 'string' ? text(content) : content;
  return { name, content: bytes, servedAs, ...(declared === undefined ? {} : { declared }) };
}
