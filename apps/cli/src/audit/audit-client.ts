import type { IncomingMessage } from 'node:http';
import { createInterface } from 'node:readline';
import { parsedJson } from '#kernel';
import type { ServerAccess } from '../operator-access.js';
import { sendRequest } from '../server-request.js';

/** A line of the server's answer. */
export interface AuditRow {
  readonly type: string;
  readonly at?: number;
  readonly [field: string]: unknown;
}

/** The server knows no audit for the caller. */
export class NoAuditor extends Error {}

const NO_AUDITOR =
  'The server knows no such path: either the credentials are not those of an auditor (an owner gives can_audit_group), or it is too old.';

/**
 * The rows of an answer, as they arrive, without its end.
 * @param path below `audit/`, with its query
 * @throws NoAuditor; Error with the server's message, when it cannot be reached, and after the rows of an answer that was cut off
 */
export async function* auditRows(
  { site, authorization }: ServerAccess,
  path: string,
): AsyncGenerator<AuditRow, void, void> {
  const response = await responseOf(`${site}/api/v1/audit/${path}`, authorization);
  if (response.statusCode === 404) throw new NoAuditor(NO_AUDITOR);
  let isWhole = false;
  for await (const line of createInterface({ input: response, crlfDelay: Infinity })) {
    const row = parsedJson(line) as AuditRow | undefined;
    if (response.statusCode !== 200) throw new Error(refusalOf(row) ?? `The server answers ${response.statusCode}.`);
    if (row === undefined) throw new Error(`${site} does not answer in JSON Lines.`);
    isWhole = row.type === 'end';
    if (!isWhole) yield row;
  }
  if (!isWhole) throw new Error('The answer was cut off: what it lacks is unknown. Ask again.');
}

function refusalOf(row: AuditRow | undefined): string | undefined {
  const text = row?.['msg'];
  return typeof text === 'string' ? text : undefined;
}

async function responseOf(url: string, authorization: string): Promise<IncomingMessage> {
  try {
    return await sendRequest(url, { headers: { authorization } });
  } catch (error) {
    throw new Error(`The server does not answer: ${(error as Error).message}. Is it running?`, { cause: error });
  }
}
