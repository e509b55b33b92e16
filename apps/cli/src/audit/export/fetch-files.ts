import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { type AuditAccess, refusalIn } from '../audit-client.js';
import { encoded, sendRequest } from '../../server-request.js';
import type { ExportFolder } from './export-folder.js';
import type { FileLine } from './export-row.js';
import type { ExportedFile } from './merge.js';

const NOT_FOUND = 404;
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
 * Fetches the contents that the folder does not have. They are compared with the hashes in the log.
 * @returns IDs of those that the server does not have any more
 * @throws Error for a content that is another one than was uploaded
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
    if ((await sizeOf(folder, path)) === file.uploaded.size) continue;
    if (!(await fetchFile(folder, access, file, reason))) missing.push(id);
  }
  return missing;
}

async function fetchFile(
  folder: ExportFolder,
  { site, authorization, silentMs }: AuditAccess,
  { uploaded: file, messageId }: ExportedFile,
  reason: string,
): Promise<boolean> {
  const query = encoded({ reason, message_id: messageId === undefined ? undefined : String(messageId) });
  const url = `${site}/api/v1/audit/export/files/${file.file_id}?${query}`;
  const response = await sendRequest(url, { headers: { authorization }, silentMs });
  if (response.statusCode === NOT_FOUND) {
    response.resume();
    return false;
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

async function sizeOf(folder: ExportFolder, path: string): Promise<number | undefined> {
  return folder.has(path) ? (await stat(folder.at(path))).size : undefined;
}
