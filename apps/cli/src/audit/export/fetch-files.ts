import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { NO_CONTENT } from '#audit';
import { type AuditAccess, NoAuditor, refusalIn } from '../audit-client.js';
import { encoded, sendRequest } from '../../server-request.js';
import type { ExportFolder } from './export-folder.js';
import type { FileLine } from './export-row.js';
import type { ExportedFile } from './merge.js';

const NOT_FOUND = 404;
const TOO_MANY_CALLS = 429;
/** A server that says less, or more, is asked again after so many seconds. */
const [RETRY_MIN_SECONDS, RETRY_MAX_SECONDS] = [1, 60];
const NAME_LENGTH_MAX = 80;

/**
 * Path of a file in the folder. The ID tells files of one name apart, and the name has letters, digits, dashes and dots alone: it neither
 * leaves the folder nor means anything to a system.
 */
export function pathOfFile({ file_id: id, name = '' }: FileLine): string {
  const plain = name.normalize('NFKD').replaceAll(/[^A-Za-z0-9.-]+/g, '_');
  // The end, since it tells the type.
  const short = plain
    .slice(-NAME_LENGTH_MAX)
    .replaceAll(/\.{2,}/g, '.')
    .replaceAll(/^[._-]+|[._-]+$/g, '');
  return `files/${id}-${short === '' ? 'file' : short}`;
}

/**
 * Fetches the contents that the folder does not have, or has in another form. They are compared with the hashes in the log.
 * @returns IDs of those that the server does not have any more
 * @throws NoAuditor; Error for a content that is another one than was uploaded
 */
export async function fetchFiles(
  folder: ExportFolder,
  access: AuditAccess,
  files: ReadonlyMap<number, ExportedFile>,
  reason: string,
  onFile: (done: number, all: number) => void,
): Promise<readonly number[]> {
  const missing: number[] = [];
  let done = 0;
  for (const [id, file] of files) {
    onFile(done++, files.size);
    const path = pathOfFile(file.uploaded);
    if (folder.has(path) && (await folder.digest(path)).sha256 === file.uploaded.sha256) continue;
    if (!(await fetchFile(folder, access, file, reason))) missing.push(id);
  }
  return missing;
}

async function fetchFile(
  folder: ExportFolder,
  access: AuditAccess,
  { uploaded: file, messageId }: ExportedFile,
  reason: string,
): Promise<boolean> {
  const query = encoded({ reason, message_id: messageId === undefined ? undefined : String(messageId) });
  const response = await contentOf(access, `${file.file_id}?${query}`);
  if (response.statusCode === NOT_FOUND) {
    if ((await refusalIn(response)) === NO_CONTENT) return false;
    throw new NoAuditor();
  }
  if (response.statusCode !== 200) {
    const why = (await refusalIn(response)) ?? `The server answers ${response.statusCode}.`;
    throw new Error(`The file ${file.file_id}: ${why} Try again: the export goes on.`);
  }
  const hash = createHash('sha256');
  const draft = folder.draft('content');
  await pipeline(
    response,
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        yield chunk;
      }
    },
    createWriteStream(draft, { mode: 0o600, flush: true }),
  );
  if (hash.digest('hex') !== file.sha256)
    throw new Error(
      `The file ${file.file_id} came in another form than it was uploaded in. Try again: the export goes on.`,
    );
  await folder.keep(draft, pathOfFile(file));
  return true;
}

/** The answer, for which the calls that an auditor may make in a minute are waited for. */
async function contentOf({ site, authorization, silentMs }: AuditAccess, file: string): Promise<IncomingMessage> {
  for (;;) {
    const url = `${site}/api/v1/audit/export/files/${file}`;
    const response = await sendRequest(url, { headers: { authorization }, silentMs });
    if (response.statusCode !== TOO_MANY_CALLS) return response;
    response.resume();
    const seconds = Number(response.headers['retry-after'] ?? 0);
    await pause(1000 * Math.min(Math.max(seconds || 0, RETRY_MIN_SECONDS), RETRY_MAX_SECONDS));
  }
}
