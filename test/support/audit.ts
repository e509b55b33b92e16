import { openEventStore } from '#event-store';
import { scrollback } from '#runtime';
import { type Answer, answerTo, type ApiClient } from './client.js';
import type { RawEvent } from './audit-replay/raw-log.js';
import { credentials } from './uploads.js';

/** A line of an answer to an auditor. */
export type AuditRow = Readonly<Record<string, any>>;

export const REASON = 'Case 7: who said what.';

export async function audit(
  client: ApiClient,
  question: string,
  parameters: Readonly<Record<string, string | number>> = {},
): Promise<Answer & { readonly rows: readonly AuditRow[] }> {
  const given = Object.entries<string | number>({ reason: REASON, ...parameters }).map(([name, value]) => [
    name,
    String(value),
  ]);
  const query = new URLSearchParams(given).toString();
  const answer = await answerTo(`${client.site}/api/v1/audit/${question}?${query}`, {
    headers: { authorization: credentials(client), 'user-agent': client.userAgent },
  });
  const lines = answer.text.split('\n').filter((line) => line !== '');
  const rows = lines.map((line) => JSON.parse(line) as AuditRow);
  return Object.assign(answer, { rows, body: answer.status === 200 ? { msg: '' } : rows[0] });
}

/** The rows of a whole answer, without its end. */
export async function audited(
  client: ApiClient,
  question: string,
  parameters: Readonly<Record<string, string | number>> = {},
): Promise<readonly AuditRow[]> {
  const { status, text, rows } = await audit(client, question, parameters);
  if (status !== 200) throw new Error(`audit ${question}: ${status} ${text}`);
  const end = rows.at(-1);
  expect(end).toMatchObject({ type: 'end', rows: rows.length - 1 });
  return rows.slice(0, -1);
}

/** Lets them audit, and nobody else. */
export async function letAudit(owner: ApiClient, ...auditors: readonly ApiClient[]): Promise<void> {
  const direct_members = auditors.map(({ userId }) => userId);
  await owner.ok('PATCH', '/realm', { can_audit_group: { new: { direct_members, direct_subgroups: [] } } });
}

/** The last direct message that they have; empty for none. */
export async function lastNotice(of: ApiClient): Promise<string> {
  const narrow = [{ operator: 'is', operand: 'dm' }];
  const asked = { anchor: 'newest', num_before: 1, num_after: 0, apply_markdown: false, narrow };
  return (await of.ok('GET', '/messages', asked)).messages[0]?.content ?? '';
}

/** The whole log, for a second reader. */
export async function readLog(eventStoreUrl: string): Promise<readonly RawEvent[]> {
  const store = await openEventStore(eventStoreUrl, scrollback.registry);
  const events: RawEvent[] = [];
  for await (const page of store.readAll({})) events.push(...page);
  await store.close();
  return events;
}
