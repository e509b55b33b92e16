import { type IncomingMessage, request } from 'node:http';
import { request as requestSecurely } from 'node:https';
import { createInterface } from 'node:readline';

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
 * @param site address of the server, without a slash at the end
 * @throws NoAuditor; Error with the server's message, when it cannot be reached, and after the rows of an answer that was cut off
 */
export async function* auditRows(
  site: string,
  { email, key }: { readonly email: string; readonly key: string },
  path: string,
): AsyncGenerator<AuditRow, void, void> {
  const response = await answerOf(
    `${site}/api/v1/audit/${path}`,
    `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`,
  );
  if (response.statusCode === 404) throw new NoAuditor(NO_AUDITOR);
  let isWhole = false;
  for await (const line of createInterface({ input: response, crlfDelay: Infinity })) {
    const row = parsed(line);
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

function answerOf(url: string, authorization: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const send = url.startsWith('https:') ? requestSecurely : request;
    send(url, { headers: { authorization } }, resolve)
      .on('error', ({ message }) => {
        reject(new Error(`The server does not answer: ${message}. Is it running?`));
      })
      .end();
  });
}

function parsed(line: string): AuditRow | undefined {
  try {
    return JSON.parse(line) as AuditRow;
  } catch {
    return undefined;
  }
}
