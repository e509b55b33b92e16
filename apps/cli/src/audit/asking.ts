import { type Damage, damageLine } from '#event-store';
import type { Command, CommandCall, CommandOption } from '../command.js';
import { moment, seconds } from '../option-values.js';
import { keyAccess, ownerZuliprc } from '../operator-access.js';
import { encoded, type Params } from '../server-request.js';
import { timeOf } from '../table.js';
import { type AuditAccess, auditChange, auditRows, NoAuditor } from './audit-client.js';
import { tableLines } from './audit-table.js';

/** Exit code when the caller is no auditor. */
const NOT_ADMITTED = 3;

/** Exit code of an answer that lacks damaged records, and names them. */
export const DAMAGED = 5;

/** Options of every question. */
export const OPTIONS = {
  reason: { value: 'TEXT', summary: 'why you ask; recorded with the call, and required' },
  'as-of': {
    value: 'MOMENT',
    summary: 'answer as of then: UNIX seconds, a time in ISO form, or @ and a position of the log',
    check: moment,
  },
  json: { summary: 'JSON Lines, each with its actor, in place of a table' },
  request: { summary: 'where others have to approve the call: ask them to, and do not make it' },
  patience: { value: 'SECONDS', summary: 'give up a call that has sent nothing for so long (300)', check: seconds },
} satisfies Readonly<Record<string, CommandOption>>;
const PATIENCE_SECONDS = 300;

interface Asking {
  readonly name: string;
  readonly args?: string;
  readonly summary: string;
  readonly options?: Readonly<Record<string, CommandOption>>;
  complaint?(args: readonly string[]): string | undefined;
  /** The answer tells a state, which may have been another one at an earlier moment; otherwise it tells all that ever was. */
  readonly tellsState?: true;
  readonly question: (call: CommandCall) => AskedQuestion;
}

interface AskedQuestion {
  /** The path below `audit/`, without an ID. */
  readonly path: string;
  /** The ID with which the path ends. */
  readonly id?: { readonly name: string; readonly value: string | undefined };
  /** Beside those that all questions have. */
  readonly parameters?: Params;
}

/** A question to the running server. */
export function asking({ question, options = {}, tellsState, ...rest }: Asking): Command {
  return {
    ...rest,
    options: { ...OPTIONS, ...options },
    run: async (call) => {
      const reason = reasonOf(call, rest.name);
      if (reason === undefined) return 2;
      const { path, id, parameters = {} } = question(call);
      const all = { ...parameters, as_of: call.option('as-of') };
      if (call.has('request')) return requested(call, path, { ...all, ...(id && { [id.name]: id.value }) }, reason);
      const asked = id === undefined ? path : `${path}/${segment(id.value)}`;
      return printed(call, `${asked}?${encoded({ ...all, reason })}`, nothing(call.option('as-of'), tellsState));
    },
  };
}

/** Complains when there is none. */
export function reasonOf(call: CommandCall, name: string): string | undefined {
  const reason = call.option('reason') ?? '';
  if (reason !== '') return reason;
  call.terminal.tell(`${name} needs --reason: every call is recorded with it.`);
  return undefined;
}

/** Asks others to approve a call, in place of making it. */
export function requested(call: CommandCall, question: string, parameters: Params, reason: string): Promise<number> {
  return admitted(call, async (access) => {
    const given = Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== undefined));
    const asked = { question, parameters: JSON.stringify(given), reason };
    const { request_id: id, until } = await auditChange(access, 'requests', asked);
    await call.terminal.print(`Request ${String(id)} waits until ${timeOf(Number(until))} for somebody else.`);
    return 0;
  });
}

/**
 * Prints the answer.
 * @param nothing what to tell of an answer without rows
 * @returns 0, 1 when there is nothing, 3 for who is no auditor, 5 when it lacks damaged records
 */
async function printed(call: CommandCall, path: string, nothing: string): Promise<number> {
  const { terminal } = call;
  const hasColours = terminal.hasColours === true;
  return admitted(call, async (access) => {
    let [count, damaged] = [0, 0];
    for await (const row of auditRows(access, path)) {
      count++;
      if (row.type === 'damaged') {
        damaged++;
        terminal.tell(damageLine(row as unknown as Damage));
      }
      for (const line of call.has('json') ? [JSON.stringify(row)] : tableLines(row, hasColours))
        await terminal.print(line);
    }
    if (count === 0) terminal.tell(nothing);
    if (damaged > 0) return DAMAGED;
    return count === 0 ? 1 : 0;
  });
}

/** What is gone by then, such as a topic whose messages were all deleted, is in the log nevertheless. */
function nothing(asOf: string | undefined, tellsState = false): string {
  if (asOf !== undefined) return `There was nothing of that as of ${asOf}.`;
  return tellsState
    ? 'There is nothing of that now; --as-of MOMENT asks about an earlier state.'
    : 'There is nothing of that.';
}

/** Asks with the key of an auditor. @returns what the work does, 3 for who is no auditor */
export async function admitted(call: CommandCall, work: (access: AuditAccess) => Promise<number>): Promise<number> {
  const patience = Number(call.option('patience') ?? PATIENCE_SECONDS);
  try {
    const access = keyAccess(call.option('credentials') ?? ownerZuliprc(call.dataDir), call.option('site'));
    return await work({ ...access, silentMs: patience * 1000 });
  } catch (error) {
    if (!(error instanceof NoAuditor)) throw error;
    call.terminal.tell(error.message);
    return NOT_ADMITTED;
  }
}

export const segment = (text = ''): string => encodeURIComponent(text);
