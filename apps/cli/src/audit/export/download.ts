import { createWriteStream, existsSync } from 'node:fs';
import { truncate } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { parsedJson } from '#kernel';
import { writePrivateFile } from '#runtime';
import { encoded, type Params } from '../../server-request.js';
import { type AuditAccess, type AuditRow, auditRows } from '../audit-client.js';
import { BEGUN, type ExportFolder } from './export-folder.js';
import type { MessageLine } from './export-row.js';
import { linesOf } from './line-file.js';

/** What was asked for. */
export interface Asked {
  /** By their names on the wire; without the reason. */
  readonly question: Params;
  readonly formats: readonly string[];
  readonly asOf: string | undefined;
}

/** A download that was begun. */
interface Begun {
  readonly asked: string;
  /** Place of the last event that the folder had. */
  readonly since?: string;
  /** The moment that the server has fixed. */
  readonly as_of: string;
}

/** Rows as they were received. */
export const RECEIVED = 'received.jsonl';

/**
 * Receives the rows into a draft of the folder, or goes on where an earlier call was broken off, for the same moment.
 * @param since place of the last event that the folder has
 * @param onMessage called with the ID of each message, and that of the last one there is
 * @throws Error when something else was begun in the folder, and as `auditRows`
 */
export async function download(
  folder: ExportFolder,
  access: AuditAccess,
  { question, formats, asOf }: Asked,
  since: string | undefined,
  reason: string,
  onMessage: (id: number, lastId: number) => void,
): Promise<void> {
  const asked = JSON.stringify({ question, formats, as_of: asOf });
  const begun = await begunIn(folder, since);
  if (begun !== undefined && begun.asked !== asked)
    throw new Error(`Something else was begun in ${folder.path}. End it with the same options first: ${begun.asked}`);
  const path = folder.draft(RECEIVED);
  const { isWhole, afterMessage } =
    begun === undefined ? { isWhole: false, afterMessage: undefined } : await received(path);
  if (isWhole) return;
  const moment = begun?.as_of ?? asOf;
  const parameters = { ...question, since, as_of: moment, after_message: afterMessage, reason };
  const rows = auditRows(access, `export?${encoded(parameters)}`);
  const flags = begun === undefined ? 'w' : 'a';
  await pipeline(linesFrom(rows), createWriteStream(path, { flags, mode: 0o600, flush: true }));

  async function* linesFrom(found: AsyncIterable<AuditRow>): AsyncGenerator<string, void, void> {
    let lastId = 0;
    for await (const row of found) {
      if (row.type === 'export') {
        lastId = Number(row['last_message_id']);
        if (begun === undefined)
          writePrivateFile(folder.draft(BEGUN), JSON.stringify({ asked, since, as_of: row['as_of'] }));
        continue;
      }
      if (row.type === 'sent') onMessage(Number(row['message_id']), lastId);
      yield `${JSON.stringify(row)}\n`;
    }
    yield `${JSON.stringify({ type: 'end' })}\n`;
  }
}

/** What was begun and not ended: with the folder as it is now. */
async function begunIn(folder: ExportFolder, since: string | undefined): Promise<Begun | undefined> {
  if (!folder.isBegun || !existsSync(folder.draft(RECEIVED))) return undefined;
  const begun = parsedJson((await folder.text(`.work/${BEGUN}`)) ?? '') as Begun | undefined;
  return begun?.since === since ? begun : undefined;
}

/** Cuts off the last message, which may lack some of its lines. */
async function received(
  path: string,
): Promise<{ readonly isWhole: boolean; readonly afterMessage: string | undefined }> {
  let [end, kept] = [0, 0];
  let [message, before]: (number | undefined)[] = [];
  for await (const line of linesOf(path)) {
    const { type, message_id: id } = JSON.parse(line.text) as MessageLine | { type: 'end'; message_id?: never };
    if (type === 'end') return { isWhole: true, afterMessage: undefined };
    if (type === 'sent') [before, message, kept] = [message, id, end];
    end = line.end;
  }
  await truncate(path, kept);
  return { isWhole: false, afterMessage: before === undefined ? undefined : String(before) };
}
