import type { IncomingMessage } from 'node:http';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { parsedJson } from '#kernel';
import type { ServerAccess } from '../operator-access.js';
import { encoded, type Params, sendRequest, type ServerRequest } from '../server-request.js';

/** A line of the server's answer. */
export interface AuditRow {
  readonly type: string;
  readonly at?: number;
  readonly [field: string]: unknown;
}

const NO_AUDITOR =
  'The server knows no such path: either the credentials are not those of an auditor (an owner gives can_audit_group), or it is too old.';

/** The server knows no audit for the caller. */
export class NoAuditor extends Error {
  constructor() {
    super(NO_AUDITOR);
  }
}

/** The record at `since` is damaged, so what came after it is not known. */
export class SinceDamaged extends Error {}

/** The server of an auditor, with their key. */
export interface AuditAccess extends ServerAccess {
  /** A call that has sent nothing for so long is given up. */
  readonly silentMs: number;
}

/**
 * The rows of an answer, as they arrive, without its end.
 * @param path below `audit/`, with its query
 * @throws NoAuditor; SinceDamaged; Error with the server's message, when it cannot be reached, and after the rows of an answer that was cut off
 */
export async function* auditRows(access: AuditAccess, path: string): AsyncGenerator<AuditRow, void, void> {
  const { site } = access;
  const response = await responseOf(access, path);
  let isWhole = false;
  for await (const line of createInterface({ input: response, crlfDelay: Infinity })) {
    const row = parsedJson(line) as AuditRow | undefined;
    if (response.statusCode !== 200) {
      const message = refusalOf(row) ?? `The server answers ${response.statusCode}.`;
      throw row?.['code'] === 'EXPECTATION_MISMATCH' && row['field_name'] === 'since'
        ? new SinceDamaged(message)
        : new Error(message);
    }
    if (row === undefined) throw new Error(`${site} does not answer in JSON Lines.`);
    isWhole = row.type === 'end';
    if (!isWhole) yield row;
  }
  if (!isWhole) throw new Error('The answer was cut off: what it lacks is unknown. Ask again.');
}

function refusalOf(row: AuditRow | undefined): string | undefined {
  const message = row?.['msg'];
  return typeof message === 'string' ? message : undefined;
}

/**
 * Changes something, and resolves to the fields of the answer.
 * @param path below `audit/`
 * @throws as `auditRows`
 */
export async function auditChange(
  access: AuditAccess,
  path: string,
  params: Params,
): Promise<Readonly<Record<string, unknown>>> {
  const response = await responseOf(access, path, { method: 'POST', form: encoded(params) });
  if (response.statusCode !== 200)
    throw new Error((await refusalIn(response)) ?? `The server answers ${response.statusCode}.`);
  return (parsedJson(await text(response)) ?? {}) as AuditRow;
}

/** The server's message in an answer that is a refusal. */
export async function refusalIn(response: IncomingMessage): Promise<string | undefined> {
  return refusalOf(parsedJson(await text(response)) as AuditRow | undefined);
}

async function responseOf(
  { site, authorization, silentMs }: AuditAccess,
  path: string,
  request: Pick<ServerRequest, 'method' | 'form'> = {},
): Promise<IncomingMessage> {
  let response: IncomingMessage;
  try {
    response = await sendRequest(`${site}/api/v1/audit/${path}`, { ...request, headers: { authorization }, silentMs });
  } catch (error) {
    throw new Error(`The server does not answer: ${(error as Error).message}. Is it running?`, { cause: error });
  }
  if (response.statusCode === 404) {
    // A process waits for a connection whose answer nobody reads, until the server closes it.
    response.resume();
    throw new NoAuditor();
  }
  return response;
}
