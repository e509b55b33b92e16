import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { policyConfig } from '../access.js';
import { REPORTS_PATH } from './policy-reports.js';

/** Path below which the files of the page are, each with a hash of its content in its name. */
const FILES_PATH = '/app';
/** Without a slash or a leading dot, a name stays in its folder. */
const FILE_NAME = /^[\w-][\w.-]{0,199}$/;
/** The service worker: under the root, whose requests it sees. */
const WORKER_PATH = '/sw.js';

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  svg: 'image/svg+xml',
  webmanifest: 'application/manifest+json',
  woff2: 'font/woff2',
};

/** Name of the policy by which the page writes HTML that the server has rendered (`web/shared/rendered-html.ts`). */
const TRUSTED_TYPES_POLICY = 'scrollback-rendered';

/**
 * Scripts and styles come from this server alone, and only one policy of the page may write HTML. Formulas carry style attributes,
 * which cannot run anything.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "style-src-attr 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "media-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  `trusted-types ${TRUSTED_TYPES_POLICY}`,
  // Browsers that know `report-to` ignore `report-uri`; on plain http there is only the latter.
  `report-uri ${REPORTS_PATH}`,
  'report-to csp',
].join('; ');

const SHELL_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'reporting-endpoints': `csp="${REPORTS_PATH}"`,
  'referrer-policy': 'same-origin',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
};

/** What has a hash in its name never changes. */
const KEPT_FOR_EVER = 'public, max-age=31536000, immutable';
/** Kept, but asked for again at each use. */
const ASKED_AGAIN = 'no-cache';

/** Compressed forms that the build has made, the smallest first. */
const ENCODINGS = [
  { name: 'br', ending: '.br' },
  { name: 'gzip', ending: '.gz' },
] as const;

type Headers = Readonly<Record<string, string>>;

/** The chat page, as tools/build-web.mjs has built it, from disk. */
export class WebPage {
  /** @param folder folder with index.html and app/ */
  constructor(private readonly folder: string) {}

  install(fastify: FastifyInstance): void {
    const config = policyConfig({ access: 'public', limited: false, enveloped: false });
    fastify.get(`${FILES_PATH}/:file`, { config }, async (request, reply) => {
      const { file } = request.params as { readonly file: string };
      const headers = { 'cache-control': KEPT_FOR_EVER };
      if (FILE_NAME.test(file) && (await this.#send(join('app', file), headers, request, reply))) return reply;
      reply.callNotFound();
      return reply;
    });
    fastify.get(WORKER_PATH, { config }, async (request, reply) => {
      if (await this.#send('sw.js', { ...SHELL_HEADERS, 'cache-control': ASKED_AGAIN }, request, reply)) return reply;
      reply.callNotFound();
      return reply;
    });
  }

  /** @returns false when there is no built page */
  sendShell(request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
    return this.#send('index.html', { ...SHELL_HEADERS, 'cache-control': ASKED_AGAIN }, request, reply);
  }

  /** @returns false when there is no such file */
  async #send(path: string, headers: Headers, request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
    const found = await this.#open(path, request.headers['accept-encoding']);
    if (found === undefined) return false;
    const { file, encoding, bytes } = found;
    const vary = reply.getHeader('vary');
    reply
      .code(200)
      .headers(headers)
      .header('content-type', TYPES[path.slice(path.lastIndexOf('.') + 1)] ?? 'application/octet-stream')
      .header('content-length', bytes)
      .header('vary', vary === undefined ? 'accept-encoding' : `${String(vary)}, accept-encoding`);
    if (encoding !== undefined) reply.header('content-encoding', encoding);
    const content = createReadStream('', { fd: file });
    reply.send(content);
    // Fastify answers for failures of what it sends.
    await finished(content).catch(() => undefined);
    return true;
  }

  async #open(path: string, accepted: string | undefined): Promise<OpenedFile | undefined> {
    for (const { name, ending } of ENCODINGS) {
      if (!acceptsEncoding(accepted, name)) continue;
      const file = await openFile(join(this.folder, path + ending));
      if (file !== undefined) return { file, encoding: name, bytes: (await file.stat()).size };
    }
    const file = await openFile(join(this.folder, path));
    return file === undefined ? undefined : { file, encoding: undefined, bytes: (await file.stat()).size };
  }
}

interface OpenedFile {
  readonly file: FileHandle;
  readonly encoding: string | undefined;
  readonly bytes: number;
}

/** Whether the Accept-Encoding header names an encoding, and does not refuse it. */
export function acceptsEncoding(accepted: string | undefined, name: string): boolean {
  return (accepted ?? '').split(',').some((range) => {
    const [coding = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    return coding === name && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
  });
}

async function openFile(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
